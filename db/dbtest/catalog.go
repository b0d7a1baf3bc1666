package dbtest

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"mcp-memory/memory"
)

var catalogTests = map[string]func(*testing.T, *env){
	"lists":               catalogLists,
	"what was true when":  catalogOfTheTime,
	"now by itself":       catalogNow,
	"inside a write":      catalogInWrite,
	"mistakes":            catalogMistakes,
	"runs":                procedureRuns,
	"runs of nothing":     runsOfNothing,
	"runs stay in a bank": runsStayInside,
}

// catalogConditions are edits that set one condition of a filter. The tests apply each alone and
// each pair; those that a kind does not have change nothing.
var catalogConditions = map[string]func(*memory.CatalogFilter){
	"none":            func(*memory.CatalogFilter) {},
	"global":          func(f *memory.CatalogFilter) { f.Projects = []string{""} },
	"two projects":    func(f *memory.CatalogFilter) { f.Projects = []string{"", "p"} },
	"unknown project": func(f *memory.CatalogFilter) { f.Projects = []string{"no such"} },
	"type": func(f *memory.CatalogFilter) {
		f.Type = map[memory.Kind]string{memory.KindRelationship: " ALLY"}[f.Kind]
	},
	"soul type":       func(f *memory.CatalogFilter) { f.Type = map[memory.Kind]string{memory.KindSoul: "fear"}[f.Kind] },
	"learning type":   func(f *memory.CatalogFilter) { f.Type = map[memory.Kind]string{memory.KindLearning: "error"}[f.Kind] },
	"subject":         of(memory.KindTriple, func(f *memory.CatalogFilter) { f.Subject = "élodie o'brien." }),
	"predicate":       of(memory.KindTriple, func(f *memory.CatalogFilter) { f.Predicate = "Lives  in" }),
	"other predicate": of(memory.KindTriple, func(f *memory.CatalogFilter) { f.Predicate = "Y" }),
	"object":          of(memory.KindTriple, func(f *memory.CatalogFilter) { f.Object = "são paulo" }),
	"party":           of(memory.KindRelationship, func(f *memory.CatalogFilter) { f.Party = "bob The builder" }),
	"name":            of(memory.KindProcedure, func(f *memory.CatalogFilter) { f.Name = "release THE boat" }),
	"unknown name":    of(memory.KindProcedure, func(f *memory.CatalogFilter) { f.Name = "release" }),
	"from":            of(memory.KindDiary, func(f *memory.CatalogFilter) { f.From = "2026-03-01" }),
	"to":              of(memory.KindDiary, func(f *memory.CatalogFilter) { f.To = "2026-02-28" }),
	"as of the past":  func(f *memory.CatalogFilter) { f.AsOf = day(-5) },
	"as of later":     func(f *memory.CatalogFilter) { f.AsOf = day(5) },
	"every":           func(f *memory.CatalogFilter) { f.Every = true },
	"later":           func(f *memory.CatalogFilter) { f.Now = day(5) },
}

// of returns edit restricted to filters for kind k.
func of(k memory.Kind, edit func(*memory.CatalogFilter)) func(*memory.CatalogFilter) {
	return func(f *memory.CatalogFilter) {
		if f.Kind == k {
			edit(f)
		}
	}
}

// inCatalog reports whether f selects r, by the definition in package memory.
func inCatalog(r memory.Record, f memory.CatalogFilter) bool {
	same := func(asked, got string) bool {
		return asked == "" || memory.SameContent(asked) == memory.SameContent(got)
	}
	details := reflect.ValueOf(r.KindDetails).IsZero()
	if asks := f.Type + f.Subject + f.Predicate + f.Object + f.Party + f.Name + f.From + f.To; details && asks != "" {
		return false
	}
	switch d := r.KindDetails; {
	case r.Kind != f.Kind,
		f.Projects != nil && !slices.Contains(f.Projects, r.Project),
		d.Soul != nil && !same(f.Type, string(d.Soul.Type)),
		d.Learning != nil && !same(f.Type, string(d.Learning.Type)),
		d.Relationship != nil && !(same(f.Type, d.Relationship.Type) && same(f.Party, d.Relationship.Party)),
		d.Triple != nil && !(same(f.Subject, d.Triple.Subject) && same(f.Predicate, d.Triple.Predicate) && same(f.Object, d.Triple.Object)),
		d.Procedure != nil && !same(f.Name, d.Procedure.Name),
		d.Diary != nil && (d.Diary.Date < f.From || f.To != "" && d.Diary.Date > f.To):
		return false
	}
	switch {
	case !f.AsOf.IsZero():
		return r.TrueAt(f.AsOf) && (f.Every || r.ArchivedAt.IsZero())
	case f.Every:
		return true
	}
	return r.Live() && r.TrueAt(f.Now)
}

// cataloguedRecords returns records of a kind in every state, with each of its fullDetails.
func cataloguedRecords(e *env, k memory.Kind) (records []memory.Record) {
	for n, d := range append(fullDetails(k), fullDetails(k)[0]) {
		for i, edit := range []func(*memory.Record){
			func(*memory.Record) {},
			func(r *memory.Record) { r.Project = "p" },
			func(r *memory.Record) { r.Project, r.OccurredAt = "q", day(-n) },
			func(r *memory.Record) { r.ValidFrom = day(4) },
			func(r *memory.Record) { r.ValidFrom, r.ValidUntil = day(-9), day(-4) },
			func(r *memory.Record) { r.ValidFrom, r.ValidUntil = day(-5), day(5) },
			func(r *memory.Record) { r.SupersededBy, r.SupersededAt, r.ValidUntil = "x", day(-1), day(-1) },
			func(r *memory.Record) { r.SupersededBy, r.SupersededAt = "x", day(2) },
			func(r *memory.Record) { r.ArchivedAt, r.OccurredAt = day(1), day(-2) },
		} {
			records = append(records,
				e.record(fmt.Sprint("harbour ", k, n, " ", i), func(r *memory.Record) { r.Kind, r.KindDetails = k, d }, edit))
		}
	}
	return records
}

// newestFirst returns records, given in the order they were saved in, in the order of a catalog.
func newestFirst(records []memory.Record) []memory.Record {
	sorted := slices.Clone(records)
	slices.Reverse(sorted)
	date := func(r memory.Record) string {
		if r.Diary == nil {
			return ""
		}
		return r.Diary.Date
	}
	slices.SortStableFunc(sorted, func(a, b memory.Record) int {
		return cmp.Or(cmp.Compare(date(b), date(a)), b.EventTime().Compare(a.EventTime()))
	})
	return sorted
}

func catalogLists(t *testing.T, e *env) {
	for _, k := range memory.Kinds() {
		records := cataloguedRecords(e, k)
		e.save(t, nil, records...)
		sorted := newestFirst(records)
		names, done := slices.Sorted(maps.Keys(catalogConditions)), map[string]bool{}
		for i, a := range names {
			for _, b := range names[i:] {
				f := memory.CatalogFilter{Agent: agent, Kind: k, Now: start}
				catalogConditions[a](&f)
				catalogConditions[b](&f)
				if done[fmt.Sprint(f)] {
					continue // a condition that the kind does not have
				}
				done[fmt.Sprint(f)] = true
				var want []memory.Record
				for _, r := range sorted {
					if inCatalog(r, f) {
						want = append(want, r)
					}
				}
				name := fmt.Sprintf("%s, %s and %s", k, a, b)
				checkList(t, e, name, f, want)
				if a == b && k != memory.KindDiary {
					checkBehind(t, e, name, f, want)
				}
			}
		}
	}
}

// checkList compares the whole list and some pages of it (Limit, Offset) with want.
func checkList(t *testing.T, e *env, name string, f memory.CatalogFilter, want []memory.Record) {
	t.Helper()
	for _, part := range [][2]int{{0, 0}, {3, 2}, {0, 4}, {len(want), 0}, {5, len(want) + 1}} {
		f.Limit, f.Offset = part[0], part[1]
		rest := want[min(f.Offset, len(want)):]
		if f.Limit > 0 {
			rest = rest[:min(f.Limit, len(rest))]
		}
		got, total, err := e.List(t.Context(), f)
		if err != nil || total != len(want) {
			t.Fatalf("%s, %v: %d in all, %v, want %d", name, part, total, err, len(want))
		}
		if len(got)+len(rest) > 0 && !reflect.DeepEqual(got, rest) {
			t.Fatalf("%s, %v:\n got %s\nwant %s", name, part, asJSON(got), asJSON(rest))
		}
		f.Uncounted = true
		again, total, err := e.List(t.Context(), f)
		if f.Uncounted = false; err != nil || total != f.Offset+len(rest) || len(again) != len(got) {
			t.Fatalf("%s, %v, not counted: %d of %d, %v", name, part, len(again), total, err)
		}
	}
}

// checkBehind reads the list in pages of two, each behind the last record of the page before
// (Behind), and compares them with want.
func checkBehind(t *testing.T, e *env, name string, f memory.CatalogFilter, want []memory.Record) {
	t.Helper()
	for len(want) > 0 {
		f.Limit = 2
		got, total, err := e.List(t.Context(), f)
		page := want[:min(f.Limit, len(want))]
		if err != nil || total != len(want) || !reflect.DeepEqual(got, page) {
			t.Fatalf("%s, behind %q: %d in all, %v\n got %s\nwant %s", name, f.Behind, total, err, asJSON(got), asJSON(page))
		}
		f.Behind, want = got[len(got)-1].ID, want[len(page):]
	}
	if got, total, err := e.List(t.Context(), f); f.Behind != "" && (len(got) != 0 || total != 0 || err != nil) {
		t.Fatalf("%s, behind the last: %d of %d, %v", name, len(got), total, err)
	}
}

// catalogOfTheTime lists a subject whose triple was corrected, as of times before, between and
// after.
func catalogOfTheTime(t *testing.T, e *env) {
	lives := func(object string, edit func(*memory.Record)) memory.Record {
		return e.record("Ann lives in "+object, edit, func(r *memory.Record) {
			r.Kind, r.Triple = memory.KindTriple,
				&memory.TripleDetails{Subject: "Ann", Predicate: "lives in", Object: object, Confidence: 1}
		})
	}
	porto := lives("Porto", func(r *memory.Record) {
		r.ValidFrom, r.ValidUntil, r.SupersededBy, r.SupersededAt = day(-9), day(-3), "oslo", day(1)
	})
	oslo := lives("Oslo", func(r *memory.Record) { r.ID, r.Supersedes, r.ValidFrom = "oslo", porto.ID, day(-3) })
	e.save(t, nil, porto, oslo)
	for name, c := range map[string]struct {
		edit func(*memory.CatalogFilter)
		want []memory.Record
	}{
		"now":             {func(*memory.CatalogFilter) {}, []memory.Record{oslo}},
		"before":          {func(f *memory.CatalogFilter) { f.Now = day(-4) }, nil},
		"as of before":    {func(f *memory.CatalogFilter) { f.AsOf = day(-4) }, []memory.Record{porto}},
		"as of the start": {func(f *memory.CatalogFilter) { f.AsOf = day(-9) }, []memory.Record{porto}},
		"as of too early": {func(f *memory.CatalogFilter) { f.AsOf = day(-9).Add(-time.Microsecond) }, nil},
		"as of the end":   {func(f *memory.CatalogFilter) { f.AsOf = day(-3) }, []memory.Record{oslo}},
		"all":             {func(f *memory.CatalogFilter) { f.Every = true }, []memory.Record{oslo, porto}},
	} {
		f := memory.CatalogFilter{Agent: agent, Kind: memory.KindTriple, Subject: "ann", Now: start}
		c.edit(&f)
		checkList(t, e, name, f, c.want)
	}
}

// catalogNow tests that a filter without Now takes the time of the store's clock.
func catalogNow(t *testing.T, e *env) {
	past := e.record("was", func(r *memory.Record) { r.Kind, r.ValidUntil = memory.KindSoul, start })
	now := e.record("is", func(r *memory.Record) { r.Kind, r.ValidFrom, r.ValidUntil = memory.KindSoul, start, day(1) })
	later := e.record("will be", func(r *memory.Record) { r.Kind, r.ValidFrom = memory.KindSoul, day(1) })
	e.save(t, nil, past, now, later)
	f := memory.CatalogFilter{Agent: agent, Kind: memory.KindSoul}
	checkList(t, e, "outside", f, []memory.Record{now})
	e.write(t, func(tx memory.Tx) error {
		got, total, err := tx.List(f)
		compare(t, "inside", got, []memory.Record{now})
		if total != 1 {
			t.Errorf("%d in all", total)
		}
		return err
	})
}

// catalogInWrite tests that List in a transaction sees what the transaction has written, and only
// its own bank.
func catalogInWrite(t *testing.T, e *env) {
	r := e.record("harbour", func(r *memory.Record) {
		r.Kind, r.Diary = memory.KindDiary, &memory.DiaryDetails{Date: "2026-03-01"}
	})
	foreign := r
	foreign.Agent = "bob"
	e.save(t, nil, foreign)
	changed := errors.New("changed my mind")
	err := e.Write(t.Context(), agent, func(tx memory.Tx) error {
		for _, f := range []memory.CatalogFilter{
			{Kind: memory.KindDiary, From: "2026-03-01", To: "2026-03-01"}, {Agent: agent, Kind: memory.KindDiary},
		} {
			if got, total, err := tx.List(f); len(got) != 0 || total != 0 || err != nil {
				t.Errorf("before: %v, %d, %v", got, total, err)
			}
		}
		if err := tx.InsertRecord(r, nil); err != nil {
			return err
		}
		for _, limit := range []int{0, 1} {
			got, total, err := tx.List(memory.CatalogFilter{Kind: memory.KindDiary, From: "2026-03-01", To: "2026-03-01", Limit: limit})
			compare(t, "inside", got, []memory.Record{r})
			if total != 1 || err != nil {
				t.Errorf("%d in all, %v", total, err)
			}
		}
		if _, _, err := tx.List(memory.CatalogFilter{Agent: "bob", Kind: memory.KindDiary}); err == nil {
			t.Error("another bank was listed")
		}
		return changed
	})
	if err != changed {
		t.Fatal(err)
	}
	checkList(t, e, "after", memory.CatalogFilter{Agent: agent, Kind: memory.KindDiary}, nil)
}

// catalogMistakes tests that a filter without a kind of records, or with a condition that its kind
// does not have, is an error.
func catalogMistakes(t *testing.T, e *env) {
	e.save(t, nil, e.record("harbour"))
	for _, f := range []memory.CatalogFilter{
		{}, {Kind: "opinion"}, {Kind: memory.KindTurn},
		{Kind: memory.KindFact, Type: "x"}, {Kind: memory.KindSoul, Subject: "x"}, {Kind: memory.KindDiary, Predicate: "x"},
		{Kind: memory.KindTriple, Party: "x"}, {Kind: memory.KindRelationship, Name: "x"}, {Kind: memory.KindTriple, From: "2026-03-01"},
		{Kind: memory.KindProcedure, To: "2026-03-01"}, {Kind: memory.KindProcedure, Object: "x"},
	} {
		f.Agent = agent
		_, _, err := e.List(t.Context(), f)
		if wantCode(t, err, memory.CodeInternal); err == nil {
			t.Errorf("%+v is allowed", f)
		}
	}
	got, total, err := e.List(t.Context(), memory.CatalogFilter{Agent: "nobody", Kind: memory.KindFact})
	if len(got) != 0 || total != 0 || err != nil {
		t.Errorf("of nobody: %v, %d, %v", got, total, err)
	}
}

func procedureRuns(t *testing.T, e *env) {
	p := e.record("how to dock", func(r *memory.Record) {
		r.Kind, r.KindDetails = memory.KindProcedure, fullDetails(memory.KindProcedure)[0]
	})
	q := e.record("how to sail", func(r *memory.Record) {
		r.Kind, r.KindDetails = memory.KindProcedure, fullDetails(memory.KindProcedure)[1]
	})
	e.save(t, nil, p, q)
	var want []memory.ProcedureRun // newest first
	for i := range 7 {
		// some have the same time
		run := memory.ProcedureRun{Procedure: p.ID, Success: i%2 == 0, Notes: fmt.Sprint("run ", i), At: day(i / 3)}
		e.write(t, func(tx memory.Tx) error { return tx.InsertProcedureRun(run) })
		want = slices.Insert(want, 0, run)
	}
	late := memory.ProcedureRun{Procedure: p.ID, Notes: "reported late", At: day(-1)}
	e.write(t, func(tx memory.Tx) error {
		return errors.Join(tx.InsertProcedureRun(late),
			tx.InsertProcedureRun(memory.ProcedureRun{Procedure: q.ID, Success: true, At: start}))
	})
	want = append(want, late)
	e.reopen(t, Fingerprint)
	for limit := range len(want) + 2 {
		got, err := e.ProcedureRuns(t.Context(), agent, p.ID, limit)
		if n := min(limit, len(want)); err != nil || !reflect.DeepEqual(got, want[:n]) && limit > 0 || limit == 0 && len(got) != len(want) {
			t.Errorf("limit %d: %v, %v", limit, got, err)
		}
	}
	got, err := e.Records(t.Context(), agent, []string{p.ID})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "the counts are the caller's", got, []memory.Record{p})
	p.Procedure = &memory.ProcedureDetails{Name: "n", Executed: 8, Succeeded: 4, LastExecuted: day(2)}
	e.write(t, func(tx memory.Tx) error { return tx.UpdateRecord(p) })
	if got, err := e.ProcedureRuns(t.Context(), agent, p.ID, 0); len(got) != len(want) || err != nil {
		t.Errorf("after an update: %v, %v", got, err)
	}
}

func runsOfNothing(t *testing.T, e *env) {
	fact := e.record("harbour")
	e.save(t, nil, fact)
	for _, id := range []string{"unknown", fact.ID} {
		err := e.Write(t.Context(), agent,
			func(tx memory.Tx) error { return tx.InsertProcedureRun(memory.ProcedureRun{Procedure: id, At: start}) })
		wantCode(t, err, memory.CodeNotFound)
		if got, err := e.ProcedureRuns(t.Context(), agent, id, 0); len(got) != 0 || err != nil {
			t.Errorf("%v, %v", got, err)
		}
	}
}

func runsStayInside(t *testing.T, e *env) {
	p := e.record("how to dock", func(r *memory.Record) { r.Kind = memory.KindProcedure })
	e.save(t, nil, p)
	e.write(t, func(tx memory.Tx) error {
		return tx.InsertProcedureRun(memory.ProcedureRun{Procedure: p.ID, At: start})
	})
	err := e.Write(t.Context(), "bob", func(tx memory.Tx) error {
		return tx.InsertProcedureRun(memory.ProcedureRun{Procedure: p.ID, At: start})
	})
	wantCode(t, err, memory.CodeNotFound)
	p.Agent = "bob"
	e.save(t, nil, p)
	if got, err := e.ProcedureRuns(t.Context(), "bob", p.ID, 0); len(got) != 0 || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}
