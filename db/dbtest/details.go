package dbtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mcp-memory/memory"
)

var kindDetailTests = map[string]func(*testing.T, *env){
	"in every reading":            detailsInEveryReading,
	"whatever they hold":          anyDetails,
	"on several pages":            detailsOnPages,
	"change":                      detailsChange,
	"erase":                       detailsErased,
	"stay inside a bank":          detailsStayInside,
	"of another kind are refused": detailsOfAnotherKind,
}

// fullDetails returns details of a kind: with every field set, with as few as possible, and none. A
// fact has none only.
func fullDetails(k memory.Kind) []memory.KindDetails {
	at := func(n int) time.Time { return start.Add(time.Duration(n)*time.Hour + time.Microsecond) }
	switch k {
	case memory.KindLongTerm, memory.KindEpisode:
		return []memory.KindDetails{
			{Episode: &memory.EpisodeDetails{Participants: []string{"Bo", "林"}, Outcome: "won — 3:2", EmotionalValence: -0.75}},
			{Episode: &memory.EpisodeDetails{}}, {},
		}
	case memory.KindSoul:
		return []memory.KindDetails{{Soul: &memory.SoulDetails{Type: memory.SoulFear}},
			{Soul: &memory.SoulDetails{Type: memory.SoulBelief}}, {}}
	case memory.KindTriple:
		return []memory.KindDetails{
			{Triple: &memory.TripleDetails{Subject: "Élodie  O'Brien", Predicate: "lives in", Object: "São Paulo.", Confidence: 1 / 3.0,
				Origin: `her "CV"`, Multi: true}},
			{Triple: &memory.TripleDetails{Subject: "x", Predicate: "y", Object: "z"}}, {},
		}
	case memory.KindProcedure:
		return []memory.KindDetails{
			{Procedure: &memory.ProcedureDetails{
				Name: "Release the Boat.", Description: "slowly",
				Prerequisites: []string{"a, b", `"c"`}, SuccessCriteria: []string{"floats"},
				Steps: []memory.ProcedureStep{{Action: "untie <it>", ExpectedOutcome: "loose\n", ErrorHandling: "cut & run"},
					{Action: "push"}},
				Executed: 7, Succeeded: 5, LastExecuted: at(1),
			}},
			{Procedure: &memory.ProcedureDetails{Name: "n"}}, {},
		}
	case memory.KindRelationship:
		return []memory.KindDetails{
			{Relationship: &memory.RelationshipDetails{
				Party: "Bob the Builder", Name: "Bob", Type: "Ally",
				Trust: 0.123456789012345, Tone: "warm", Rationale: "built it", Notes: "日本語",
				Interactions: 12, FirstMet: time.Date(1066, 10, 14, 9, 0, 0, 1000, time.UTC), LastInteraction: at(2),
			}},
			{Relationship: &memory.RelationshipDetails{Party: "p"}}, {},
		}
	case memory.KindDiary:
		return []memory.KindDetails{
			{Diary: &memory.DiaryDetails{Date: "2026-03-01", Mood: "calm", Location: "Porto",
				Data: json.RawMessage(`{"b": [1, 2.50], "a": "ü"}`)}},
			{Diary: &memory.DiaryDetails{Date: "0001-01-01"}}, {},
		}
	case memory.KindLearning:
		return []memory.KindDetails{
			{Learning: &memory.LearningDetails{Type: memory.LearningCorrection, Context: "at sea", Tool: "sextant"}},
			{Learning: &memory.LearningDetails{Type: memory.LearningError}}, {},
		}
	case memory.KindSummary:
		covers := make([]string, 300)
		for i := range covers {
			covers[i] = fmt.Sprintf("id-%d \"%c\"", i*7919%300, 'a'+i%26)
		}
		return []memory.KindDetails{
			{Summary: &memory.SummaryDetails{Of: "conversations", Focus: "boats", Covers: covers, Count: 900}},
			{Summary: &memory.SummaryDetails{Of: "memories", Covers: []string{"twice", "twice"}, Count: 2}},
			{Summary: &memory.SummaryDetails{Of: "memories"}}, {},
		}
	}
	return []memory.KindDetails{{}}
}

// detailed returns records of all kinds, one for each of their fullDetails; neighbours differ in
// kind.
func detailed(e *env) (records []memory.Record) {
	for n := range 4 {
		for _, k := range memory.Kinds() {
			all := fullDetails(k)
			if n >= len(all) {
				continue
			}
			records = append(records, e.record(fmt.Sprintf("harbour %s %d", k, n), func(r *memory.Record) {
				r.Kind, r.KindDetails, r.ExternalID = k, all[n], fmt.Sprint(k, n)
			}))
		}
	}
	return records
}

// misread reads a bank in every way that returns records, compares the results with want (all
// records of the bank, all live), and returns the differences.
func misread(t *testing.T, e *env, who string, want []memory.Record) (differences []string) {
	ctx := t.Context()
	check := func(way string, got, want []memory.Record, err error) {
		if len(got) == 0 && len(want) == 0 && err == nil {
			return
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			differences = append(differences, fmt.Sprintf("%s: %v\n got %s\nwant %s", way, err, asJSON(got), asJSON(want)))
		}
	}
	ids := make([]string, len(want))
	for i, r := range want {
		ids[i] = r.ID
	}
	got, err := e.Records(ctx, who, ids)
	check("Records", got, want, err)
	got, err = e.Records(ctx, who, append(ids, ids...))
	check("Records twice", got, append(want[:len(want):len(want)], want...), err)

	got = nil
	err = e.EachRecord(ctx, who, func(r memory.Record) error { got = append(got, r); return nil })
	check("EachRecord", got, want, err)

	seqs, err := e.Select(ctx, memory.Memories, memory.Filter{Agent: who})
	check("Select", nil, nil, err)
	docs, err := e.Documents(ctx, memory.Memories, memory.Filter{Agent: who}, seqs)
	bySeq := map[int64]memory.Record{}
	for _, d := range docs {
		bySeq[d.Seq] = d.Record
	}
	got = nil
	for _, seq := range seqs {
		got = append(got, bySeq[seq])
	}
	check("Documents", got, want, err)

	salient, err := e.Salient(ctx, memory.Scope{Agent: who, Project: memory.AllProjects}, start, len(want)+1)
	byID := map[string]memory.Record{}
	for _, r := range salient {
		byID[r.ID] = r
	}
	got = nil
	for _, id := range ids {
		got = append(got, byID[id])
	}
	check("Salient", got, want, err)

	err = e.Write(ctx, who, func(tx memory.Tx) error {
		for _, r := range want {
			one := []memory.Record{r}
			inside, err := tx.Record(r.ID)
			check("Tx.Record", []memory.Record{inside}, one, err)
			same, err := tx.RecordByContent(r.Project, r.Kind, r.Content)
			check("Tx.RecordByContent", []memory.Record{*same}, one, err)
			if r.ExternalID != "" {
				named, err := tx.RecordByExternalID(r.ExternalID)
				check("Tx.RecordByExternalID", []memory.Record{*named}, one, err)
			}
			chain, err := e.History(ctx, who, r.ID)
			check("History", chain, one, err)
		}
		return nil
	})
	check("Write", nil, nil, err)
	return differences
}

func detailsInEveryReading(t *testing.T, e *env) {
	records := detailed(e)
	e.save(t, towards(1), records...)
	for range 2 {
		for _, d := range misread(t, e, agent, records) {
			t.Error(d)
		}
		e.reopen(t, Fingerprint)
	}
}

// anyDetails stores and updates random details.
func anyDetails(t *testing.T, e *env) {
	banks := 0
	rapid.Check(t, func(rt *rapid.T) {
		banks++
		who := fmt.Sprint("bank ", banks)
		var records []memory.Record
		for i, k := range rapid.SliceOfN(rapid.SampledFrom(memory.Kinds()), 1, 12).Draw(rt, "kinds") {
			records = append(records, e.record(fmt.Sprint("harbour ", i), func(r *memory.Record) {
				r.Agent, r.Kind, r.KindDetails = who, k, drawDetails(rt, k)
			}))
		}
		e.save(t, nil, records...)
		changed := rapid.IntRange(0, len(records)-1).Draw(rt, "changed")
		records[changed].KindDetails = drawDetails(rt, records[changed].Kind)
		err := e.Write(t.Context(), who, func(tx memory.Tx) error { return tx.UpdateRecord(records[changed]) })
		if err != nil {
			rt.Fatal(err)
		}
		if differences := misread(t, e, who, records); differences != nil {
			rt.Fatal(strings.Join(differences, "\n"))
		}
	})
}

func drawDetails(rt *rapid.T, k memory.Kind) (d memory.KindDetails) {
	if rapid.IntRange(0, 9).Draw(rt, "none") == 0 {
		return d
	}
	storable := rapid.String().
		// callers of a store have checked texts like this
		Filter(func(s string) bool { return memory.CheckText("text", s, len(s)) == nil })
	text := func() string { return storable.Draw(rt, "text") }
	texts := func() []string {
		list := rapid.SliceOfN(storable, 0, 5).Draw(rt, "texts")
		return append([]string(nil), list...) // nil if empty
	}
	number := func() float64 { return rapid.Float64Range(0, 1).Draw(rt, "number") }
	count := func() int { return rapid.IntRange(0, 1<<31-1).Draw(rt, "count") }
	moment := func() (at time.Time) {
		if rapid.Bool().Draw(rt, "dated") {
			at = time.UnixMicro(rapid.Int64Range(-1<<55, 1<<55).Draw(rt, "time")).UTC()
		}
		return at
	}
	switch k {
	case memory.KindLongTerm, memory.KindEpisode:
		d.Episode = &memory.EpisodeDetails{Participants: texts(), Outcome: text(), EmotionalValence: -number()}
	case memory.KindSoul:
		d.Soul = &memory.SoulDetails{Type: rapid.SampledFrom(memory.SoulTypes()).Draw(rt, "type")}
	case memory.KindTriple:
		d.Triple = &memory.TripleDetails{Subject: text(), Predicate: text(), Object: text(), Confidence: number(), Origin: text(),
			Multi: rapid.Bool().Draw(rt, "multi")}
	case memory.KindProcedure:
		d.Procedure = &memory.ProcedureDetails{
			Name: text(), Description: text(), Prerequisites: texts(),
			SuccessCriteria: texts(), Executed: count(), Succeeded: count(), LastExecuted: moment(),
		}
		for range rapid.IntRange(0, 3).Draw(rt, "steps") {
			d.Procedure.Steps = append(d.Procedure.Steps,
				memory.ProcedureStep{Action: text(), ExpectedOutcome: text(), ErrorHandling: text()})
		}
	case memory.KindRelationship:
		d.Relationship = &memory.RelationshipDetails{
			Party: text(), Name: text(), Type: text(), Trust: number(), Tone: text(), Rationale: text(), Notes: text(),
			Interactions: count(), FirstMet: moment(), LastInteraction: moment(),
		}
	case memory.KindDiary:
		d.Diary = &memory.DiaryDetails{Date: "2026-03-01", Mood: text(), Location: text()}
		if rapid.Bool().Draw(rt, "data") {
			d.Diary.Data = json.RawMessage(asJSON(map[string]string{text(): text()}))
		}
	case memory.KindLearning:
		d.Learning = &memory.LearningDetails{Type: rapid.SampledFrom(memory.LearningTypes()).Draw(rt, "type"), Context: text(),
			Tool: text()}
	case memory.KindSummary:
		d.Summary = &memory.SummaryDetails{Of: "memories", Focus: text(), Covers: texts(), Count: count()}
	}
	return d
}

func detailsOnPages(t *testing.T, e *env) {
	var records []memory.Record
	for i := range 1203 {
		records = append(records, e.record(fmt.Sprint("harbour ", i), func(r *memory.Record) {
			if i%3 == 0 {
				r.Kind, r.Soul = memory.KindSoul, &memory.SoulDetails{Type: memory.SoulTypes()[i%4]}
			}
			if i%5 == 1 {
				r.Kind, r.KindDetails = memory.KindTriple,
					memory.KindDetails{Triple: &memory.TripleDetails{Subject: fmt.Sprint(i), Confidence: 1}}
			}
		}))
	}
	e.save(t, nil, records...)
	i := 0
	err := e.EachRecord(t.Context(), agent, func(r memory.Record) error {
		compare(t, "EachRecord", []memory.Record{r}, records[i:i+1])
		i++
		return nil
	})
	if err != nil || i != len(records) {
		t.Errorf("%d records, %v", i, err)
	}
}

// detailsChange updates a record from each of its kind's fullDetails to each other.
func detailsChange(t *testing.T, e *env) {
	for _, k := range memory.Kinds() {
		all := fullDetails(k)
		r := e.record("harbour of "+string(k), func(r *memory.Record) { r.Kind, r.KindDetails = k, all[0] })
		e.save(t, nil, r)
		for _, from := range all {
			for _, to := range all {
				for _, d := range []memory.KindDetails{from, to, to} {
					r.KindDetails = d
					e.write(t, func(tx memory.Tx) error { return tx.UpdateRecord(r) })
				}
				got, err := e.Records(t.Context(), agent, []string{r.ID})
				if err != nil {
					t.Fatal(err)
				}
				compare(t, "after an update", got, []memory.Record{r})
			}
		}
	}
}

func detailsErased(t *testing.T, e *env) {
	e.write(t, func(memory.Tx) error { return nil })
	before := bankState(t, e)
	records := detailed(e)
	e.save(t, towards(1), records...)
	e.write(t, func(tx memory.Tx) error {
		var errs []error
		for _, r := range records {
			if r.Kind == memory.KindProcedure {
				errs = append(errs, tx.InsertProcedureRun(memory.ProcedureRun{Procedure: r.ID, At: start}))
			}
			errs = append(errs, tx.EraseRecord(r.ID))
		}
		return errors.Join(errs...)
	})
	unchanged(t, e, before)

	// Records with the same ids must have none of the erased details.
	for i := range records {
		records[i].KindDetails = memory.KindDetails{}
	}
	e.save(t, towards(1), records...)
	for _, d := range misread(t, e, agent, records) {
		t.Error(d)
	}
	for _, r := range records {
		if runs, err := e.ProcedureRuns(t.Context(), agent, r.ID, 0); len(runs) != 0 || err != nil {
			t.Errorf("%s: runs %v, %v", r.Kind, runs, err)
		}
	}
}

func detailsStayInside(t *testing.T, e *env) {
	ann := detailed(e)
	bob := append([]memory.Record(nil), ann...)
	for i := range bob {
		bob[i].Agent = "bob"
		all := fullDetails(bob[i].Kind)
		bob[i].KindDetails = all[(i+1)%len(all)]
	}
	e.save(t, nil, ann...)
	e.save(t, nil, bob...)
	for who, records := range map[string][]memory.Record{agent: ann, "bob": bob} {
		for _, d := range misread(t, e, who, records) {
			t.Error(d)
		}
	}
	for i := range bob {
		bob[i].KindDetails = memory.KindDetails{}
	}
	err := e.Write(t.Context(), "bob", func(tx memory.Tx) error {
		for _, r := range bob {
			if err := tx.UpdateRecord(r); err != nil {
				return err
			}
		}
		return tx.EraseRecord(bob[0].ID)
	})
	if err != nil {
		t.Fatal(err)
	}
	for who, records := range map[string][]memory.Record{agent: ann, "bob": bob[1:]} {
		for _, d := range misread(t, e, who, records) {
			t.Error(d)
		}
	}
}

func detailsOfAnotherKind(t *testing.T, e *env) {
	there := e.record("harbour")
	e.save(t, towards(1), there)
	before := bankState(t, e)
	wrong := there
	wrong.Soul = &memory.SoulDetails{Type: memory.SoulFear}
	for name, fn := range map[string]func(memory.Tx) error{
		"update": func(tx memory.Tx) error { return tx.UpdateRecord(wrong) },
		"insert": func(tx memory.Tx) error {
			return tx.InsertRecord(e.record("another", func(r *memory.Record) { r.Kind, r.Soul = memory.KindDiary, wrong.Soul }), nil)
		},
	} {
		err := e.Write(t.Context(), agent, fn)
		if memory.CodeOf(err) != memory.CodeInternal {
			t.Errorf("%s: %v", name, err)
		}
		unchanged(t, e, before)
	}
}
