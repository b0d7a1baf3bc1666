package dbtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
)

var filterTests = map[string]func(*testing.T, *env){
	"of records":       recordFilters,
	"of turns":         turnFilters,
	"before the limit": filterBeforeLimit,
}

func day(n int) time.Time { return start.AddDate(0, 0, n) }

// recordConditions are edits that set one condition of a filter on records. The tests apply each
// alone and each pair.
var recordConditions = map[string]func(*memory.Filter){
	"none":             func(*memory.Filter) {},
	"global":           func(f *memory.Filter) { f.Projects = []string{""} },
	"project p":        func(f *memory.Filter) { f.Projects = []string{"", "p"} },
	"unknown project":  func(f *memory.Filter) { f.Projects = []string{"no such"} },
	"one kind":         func(f *memory.Filter) { f.Kinds = []memory.Kind{memory.KindSoul} },
	"two kinds":        func(f *memory.Filter) { f.Kinds = []memory.Kind{memory.KindFact, memory.KindDiary} },
	"one category":     func(f *memory.Filter) { f.Categories = []string{"goal"} },
	"two categories":   func(f *memory.Filter) { f.Categories = []string{"goal", "event"} },
	"one tag":          func(f *memory.Filter) { f.Tags = []string{"red"} },
	"two tags":         func(f *memory.Filter) { f.Tags = []string{"blue, or so", "red"} },
	"since":            func(f *memory.Filter) { f.Since = day(2) },
	"until":            func(f *memory.Filter) { f.Until = day(2) },
	"as of the past":   func(f *memory.Filter) { f.AsOf = day(-5) },
	"as of the future": func(f *memory.Filter) { f.AsOf = day(5) },
	"known early":      func(f *memory.Filter) { f.KnownAt = day(1) },
	"known late":       func(f *memory.Filter) { f.KnownAt = day(3) },
	"with archived":    func(f *memory.Filter) { f.IncludeArchived = true },
	"with superseded":  func(f *memory.Filter) { f.IncludeSuperseded = true },
}

// passes reports whether f selects r, by the definition in package memory.
func passes(r memory.Record, f memory.Filter) bool {
	at := func(t, limit time.Time) bool { return !t.IsZero() && !t.After(limit) }
	gone := func(t time.Time, is bool) bool { // whether it had happened by f.KnownAt
		return is && (f.KnownAt.IsZero() || at(t, f.KnownAt))
	}
	switch {
	case f.Projects != nil && !slices.Contains(f.Projects, r.Project),
		len(f.Kinds) > 0 && !slices.Contains(f.Kinds, r.Kind),
		len(f.Categories) > 0 && !slices.Contains(f.Categories, r.Category),
		!f.Since.IsZero() && r.EventTime().Before(f.Since),
		!f.Until.IsZero() && !r.EventTime().Before(f.Until),
		!f.KnownAt.IsZero() && r.CreatedAt.After(f.KnownAt),
		!f.AsOf.IsZero() && !r.TrueAt(f.AsOf),
		!f.IncludeArchived && gone(r.ArchivedAt, !r.ArchivedAt.IsZero()),
		!f.IncludeSuperseded && f.AsOf.IsZero() && gone(r.SupersededAt, r.SupersededBy != ""):
		return false
	}
	for _, tag := range f.Tags {
		if !slices.Contains(r.Tags, tag) {
			return false
		}
	}
	return true
}

// variedRecords returns records that differ in what filters look at, and that searches rate alike.
func variedRecords(e *env) []memory.Record {
	edits := []func(*memory.Record){
		func(*memory.Record) {},
		func(r *memory.Record) { r.Project = "p" },
		func(r *memory.Record) { r.Project, r.Kind = "q", memory.KindSoul },
		func(r *memory.Record) { r.Kind, r.Category = memory.KindSoul, "goal" },
		func(r *memory.Record) { r.Kind, r.Category, r.Project = memory.KindDiary, "event", "p" },
		func(r *memory.Record) { r.Tags = []string{"red"} },
		func(r *memory.Record) { r.Tags, r.Category = []string{"red", "blue, or so"}, "goal" },
		func(r *memory.Record) { r.Tags = []string{"redder"} },
		func(r *memory.Record) { r.OccurredAt = day(2) },
		func(r *memory.Record) { r.OccurredAt = day(2).Add(-time.Microsecond) },
		func(r *memory.Record) { r.ValidFrom = day(3) },
		func(r *memory.Record) { r.ValidUntil = day(-5) },
		func(r *memory.Record) { r.ValidFrom, r.ValidUntil = day(-5), day(5) },
		func(r *memory.Record) { r.OccurredAt, r.ValidFrom = day(-9), day(4) },
		func(r *memory.Record) { r.CreatedAt = day(1) },
		func(r *memory.Record) { r.CreatedAt = day(2) },
		func(r *memory.Record) { r.CreatedAt, r.Project, r.Kind = day(4), "p", memory.KindSoul },
		func(r *memory.Record) { r.ArchivedAt = day(2) },
		func(r *memory.Record) { r.ArchivedAt, r.Category = day(1), "goal" },
		func(r *memory.Record) { r.SupersededBy, r.SupersededAt = "x", day(2) },
		func(r *memory.Record) { r.SupersededBy, r.SupersededAt, r.ValidUntil = "x", day(1), day(1) },
		func(r *memory.Record) {
			r.SupersededBy, r.SupersededAt, r.ArchivedAt, r.Tags = "x", day(2), day(3), []string{"red"}
		},
	}
	records := make([]memory.Record, len(edits))
	for i, edit := range edits {
		records[i] = e.record(fmt.Sprintf("harbour %d", i), edit)
	}
	return records
}

func recordFilters(t *testing.T, e *env) {
	records := variedRecords(e)
	e.save(t, towards(0.9), records...)
	seqs := allSeqs(t, e, memory.Memories, len(records))
	pairs(recordConditions, func(name string, f memory.Filter) {
		f.Agent = agent
		var want []string
		for _, r := range records {
			if passes(r, f) {
				want = append(want, r.Content)
			}
		}
		checkFilter(t, e, memory.Memories, name, f, seqs, want)
	})
}

var turnConditions = map[string]func(*memory.Filter){
	"none":         func(*memory.Filter) {},
	"project p":    func(f *memory.Filter) { f.Projects = []string{"p"} },
	"session":      func(f *memory.Filter) { f.Session = "s2" },
	"speaker":      func(f *memory.Filter) { f.Speaker = "ÉLODIE o'brien" },
	"since":        func(f *memory.Filter) { f.Since = day(2) },
	"until":        func(f *memory.Filter) { f.Until = day(2) },
	"known early":  func(f *memory.Filter) { f.KnownAt = day(1) },
	"with all":     func(f *memory.Filter) { f.IncludeArchived, f.IncludeSuperseded = true, true },
	"for records":  func(f *memory.Filter) { f.Kinds, f.Categories = []memory.Kind{memory.KindTurn}, []string{"goal"} },
	"as of a time": func(f *memory.Filter) { f.AsOf = day(-5) },
}

// turnPasses reports whether f selects a turn. Conditions that only records have are ignored.
func turnPasses(turn memory.Turn, f memory.Filter) bool {
	return (f.Projects == nil || slices.Contains(f.Projects, turn.Project)) &&
		(f.Session == "" || turn.Session == f.Session) &&
		(f.Speaker == "" || strings.EqualFold(turn.Speaker, f.Speaker)) &&
		(f.Since.IsZero() || !turn.SaidAt.Before(f.Since)) &&
		(f.Until.IsZero() || turn.SaidAt.Before(f.Until)) &&
		(f.KnownAt.IsZero() || !turn.CreatedAt.After(f.KnownAt))
}

func turnFilters(t *testing.T, e *env) {
	edits := []func(*memory.Turn){
		func(*memory.Turn) {},
		func(t *memory.Turn) { t.Project = "p" },
		func(t *memory.Turn) { t.Session, t.Speaker = "s2", "Élodie O'Brien" },
		func(t *memory.Turn) { t.Session, t.SaidAt = "s2", day(2) },
		func(t *memory.Turn) { t.Speaker, t.SaidAt, t.CreatedAt = "élodie o'brien", day(3), day(3) },
		func(t *memory.Turn) { t.Session, t.CreatedAt, t.Project = "s2", day(1), "p" },
		func(t *memory.Turn) { t.ArchivedAt = day(1) },
	}
	turns, vectors := make([]memory.Turn, len(edits)), make([][]float32, len(edits))
	for i, edit := range edits {
		turns[i], vectors[i] = e.turn(fmt.Sprintf("harbour %d", i), edit), towards(0.9)
	}
	e.write(t, func(tx memory.Tx) error { _, err := tx.InsertTurns(turns, vectors); return err })
	seqs := allSeqs(t, e, memory.Conversations, len(turns))
	pairs(turnConditions, func(name string, f memory.Filter) {
		f.Agent = agent
		var want []string
		for _, turn := range turns {
			if turnPasses(turn, f) {
				want = append(want, turn.Content)
			}
		}
		checkFilter(t, e, memory.Conversations, name, f, seqs, want)
	})
}

// pairs calls fn with each condition alone and with each two together.
func pairs(conditions map[string]func(*memory.Filter), fn func(name string, f memory.Filter)) {
	names := slices.Sorted(maps.Keys(conditions))
	for i, a := range names {
		for _, b := range names[i:] {
			var f memory.Filter
			conditions[a](&f)
			conditions[b](&f)
			fn(a+" and "+b, f)
		}
	}
}

func allSeqs(t *testing.T, e *env, c memory.Corpus, n int) []int64 {
	t.Helper()
	hits, err := searches["words"](t.Context(), e, c, memory.Filter{Agent: agent, IncludeArchived: true, IncludeSuperseded: true}, 1000)
	if err != nil || len(hits) != n {
		t.Fatalf("%d documents, %v; want %d", len(hits), err, n)
	}
	seqs := make([]int64, n)
	for i, h := range hits {
		seqs[i] = h.Seq
	}
	return seqs
}

// checkFilter compares what each way of searching returns with what it should.
func checkFilter(t *testing.T, e *env, c memory.Corpus, name string, f memory.Filter, seqs []int64, want []string) {
	t.Helper()
	slices.Sort(want)
	docs, err := e.Documents(t.Context(), c, f, seqs)
	if err != nil {
		t.Fatalf("%s: documents: %v", name, err)
	}
	content := map[int64]string{}
	var got []string
	for _, d := range docs {
		content[d.Seq] = d.Content
		got = append(got, d.Content)
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("%s: documents\n got %q\nwant %q", name, got, want)
	}
	if selected, err := e.Select(t.Context(), c, f); err != nil || !slices.Equal(selected, slices.Sorted(maps.Keys(content))) {
		t.Errorf("%s: selected %v, %v; want %v", name, selected, err, slices.Sorted(maps.Keys(content)))
	}
	for _, limit := range []int{0, 1, 2, len(seqs) + 1} {
		newest := slices.Sorted(maps.Keys(content))
		newest = newest[max(0, len(newest)-limit):]
		if got, err := e.Newest(t.Context(), c, f, 0, limit); err != nil || !slices.Equal(got, newest) {
			t.Errorf("%s: the newest %d are %v, %v; want %v", name, limit, got, err, newest)
		}
	}
	for i, before := range slices.Sorted(maps.Keys(content)) {
		older := slices.Sorted(maps.Keys(content))[max(0, i-2):i]
		if got, err := e.Newest(t.Context(), c, f, before, 2); err != nil || !slices.Equal(got, older) {
			t.Errorf("%s: before %d are %v, %v; want %v", name, before, got, err, older)
		}
	}
	for way, search := range searches {
		hits, err := search(t.Context(), e, c, f, 100)
		if err != nil {
			t.Fatalf("%s: %s: %v", name, way, err)
		}
		got = got[:0]
		for _, h := range hits {
			got = append(got, content[h.Seq])
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: %s\n got %q\nwant %q", name, way, got, want)
		}
	}
}

// filterBeforeLimit searches for one document among many that match better, but that the filter
// excludes: the limit must count only documents that pass the filter.
func filterBeforeLimit(t *testing.T, e *env) {
	const decoys = 200
	out := map[string]struct { // how the filter excludes a decoy
		edit   func(*memory.Record)
		filter func(*memory.Filter)
	}{
		"project":    {func(r *memory.Record) { r.Project = "q" }, recordConditions["project p"]},
		"kind":       {func(*memory.Record) {}, func(f *memory.Filter) { f.Kinds = []memory.Kind{memory.KindDiary} }},
		"category":   {func(*memory.Record) {}, recordConditions["one category"]},
		"tag":        {func(*memory.Record) {}, recordConditions["one tag"]},
		"archived":   {func(r *memory.Record) { r.ArchivedAt = start }, recordConditions["none"]},
		"superseded": {func(r *memory.Record) { r.SupersededBy = "x" }, recordConditions["none"]},
		"since":      {func(r *memory.Record) { r.OccurredAt = day(-1) }, recordConditions["since"]},
		"as of":      {func(r *memory.Record) { r.ValidUntil = day(1) }, recordConditions["as of the future"]},
		"known":      {func(r *memory.Record) { r.CreatedAt = day(9) }, recordConditions["known late"]},
	}
	for name, c := range out {
		all := make([]memory.Record, decoys, decoys+1)
		for i := range all {
			all[i] = e.record("harbour harbour", c.edit)
			all[i].Agent = name
		}
		e.save(t, towards(0.99), all...)
		target := e.record("In the end this long text mentions one harbour as well.", func(r *memory.Record) {
			r.Agent, r.Project, r.Kind, r.Category, r.Tags, r.OccurredAt = name, "p", memory.KindDiary, "goal", []string{"red"}, day(2)
		})
		e.save(t, towards(0.2), target)
		f := memory.Filter{Agent: name}
		c.filter(&f)
		for way, search := range searches {
			hits, err := search(t.Context(), e, memory.Memories, f, 3)
			if got := e.names(t, memory.Memories, name, hits, err); len(got) != 1 || got[0] != target.Content {
				t.Errorf("%s, %s: %q", name, way, got)
			}
		}
	}
}
