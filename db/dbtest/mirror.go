package dbtest

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

var mirrorTests = map[string]func(*testing.T, *env){
	"counts changes":          countsChanges,
	"sees other handles":      changesOfOthers,
	"reads in order":          readsInOrder,
	"has every stem":          everyStem,
	"around turns":            aroundTurns,
	"around records":          aroundRecords,
	"selects nothing of none": selectsOfNone,
}

func (e *env) changes(t testing.TB, who string) memory.Changes {
	t.Helper()
	c, err := e.Changes(t.Context(), who)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// countsChanges tests that Writes of [memory.Changes] grows with each write to the bank and with
// nothing else, and Rewrites with those writes that make an index in memory wrong.
func countsChanges(t *testing.T, e *env) {
	if c := e.changes(t, "nobody"); c != (memory.Changes{}) {
		t.Errorf("without a bank: %+v", c)
	}
	r := e.record("harbour")
	steps := []struct {
		name             string
		do               func()
		writes, rewrites bool
	}{
		{"insert", func() { e.save(t, nil, r) }, true, false},
		{"update", func() { e.write(t, func(tx memory.Tx) error { r.Pinned = true; return tx.UpdateRecord(r) }) }, true, false},
		{"another category", func() { e.write(t, func(tx memory.Tx) error { r.Category = "goal"; return tx.UpdateRecord(r) }) },
			true, true},
		{"another time", func() {
			e.write(t, func(tx memory.Tx) error { r.OccurredAt = e.clock().AddDate(-1, 0, 0); return tx.UpdateRecord(r) })
		}, true, true},
		{"the time that it counted as before", func() {
			e.write(t, func(tx memory.Tx) error { r.ValidFrom = e.clock().AddDate(0, -1, 0); return tx.UpdateRecord(r) })
		}, true, false},
		{"a turn", func() { e.say(t, e.turn("harbour")) }, true, false},
		{"a vector", func() {
			jobs, err := e.VectorJobs(t.Context(), e.clock(), 1)
			if err == nil {
				err = e.FinishVectorJobs(t.Context(), jobs, [][]float32{towards(1)})
			}
			if err != nil {
				t.Fatal(err)
			}
		}, true, false},
		{"reading", func() { e.write(t, func(tx memory.Tx) error { _, err := tx.Record(r.ID); return err }) }, false, false},
		{"a failure", func() {
			err := e.Write(t.Context(), agent, func(tx memory.Tx) error {
				if err := tx.EraseRecord(r.ID); err != nil {
					return err
				}
				return errFails
			})
			if !errors.Is(err, errFails) {
				t.Fatal(err)
			}
		}, false, false},
		{"another bank", func() { e.save(t, nil, e.record("x", func(r *memory.Record) { r.Agent = "bob" })) }, false, false},
		{"erase", func() { e.write(t, func(tx memory.Tx) error { return tx.EraseRecord(r.ID) }) }, true, true},
	}
	for _, step := range steps {
		before := e.changes(t, agent)
		step.do()
		after := e.changes(t, agent)
		if (after.Writes > before.Writes) != step.writes || (after.Rewrites > before.Rewrites) != step.rewrites {
			t.Errorf("%s: from %+v to %+v", step.name, before, after)
		}
	}
}

func changesOfOthers(t *testing.T, e *env) {
	e.save(t, nil, e.record("harbour one"))
	before, other := e.changes(t, agent), e.another(t, Fingerprint)
	err := other.Write(t.Context(), agent, func(tx memory.Tx) error { return tx.InsertRecord(e.record("harbour two"), nil) })
	if err != nil {
		t.Fatal(err)
	}
	if after := e.changes(t, agent); after.Writes <= before.Writes || after.Rewrites != before.Rewrites {
		t.Errorf("from %+v to %+v", before, after)
	}
	if docs := e.after(t, memory.Memories, agent, 0, 10); len(docs) != 2 {
		t.Errorf("%d documents", len(docs))
	}
}

func (e *env) after(t testing.TB, c memory.Corpus, who string, seq int64, limit int) []memory.Document {
	t.Helper()
	docs, err := e.After(t.Context(), c, who, seq, limit)
	if err != nil {
		t.Fatal(err)
	}
	return docs
}

// readsInOrder reads all documents of a bank in pages by After, also archived and superseded ones.
func readsInOrder(t *testing.T, e *env) {
	if docs := e.after(t, memory.Memories, "nobody", 0, 10); len(docs) > 0 {
		t.Errorf("without a bank: %v", docs)
	}
	records := variedRecords(e)
	e.save(t, nil, e.record("harbour of bob", func(r *memory.Record) { r.Agent = "bob" }))
	turns := make([]memory.Turn, len(records))
	for i, r := range records {
		turns[i] = e.turn("said "+r.Content, func(t *memory.Turn) { t.Index, t.Speaker = i, "Bo" })
		e.save(t, nil, r)
		e.say(t, turns[i])
	}
	e.save(t, nil, e.record("harbour of bob again", func(r *memory.Record) { r.Agent = "bob" }))
	for _, c := range memory.Corpora() {
		for _, limit := range []int{1, 3, len(records), 1000} {
			var got []memory.Document
			for {
				last := int64(0)
				if len(got) > 0 {
					last = got[len(got)-1].Seq
				}
				page := e.after(t, c, agent, last, limit)
				if got = append(got, page...); len(page) < limit {
					break
				}
			}
			if len(got) != len(records) || !slices.IsSortedFunc(got, func(a, b memory.Document) int { return int(a.Seq - b.Seq) }) {
				t.Fatalf("%s, %d at a time: %d documents", c, limit, len(got))
			}
			for i, d := range got {
				if want := mirrored(records[i], turns[i], c); !reflect.DeepEqual(d, want(d.Seq)) {
					t.Errorf("got  %s\nwant %s", asJSON(d), asJSON(want(d.Seq)))
				}
			}
		}
	}
}

// mirrored returns the document that After returns for a record or its turn, given the sequence
// number.
func mirrored(r memory.Record, turn memory.Turn, c memory.Corpus) func(seq int64) memory.Document {
	return func(seq int64) memory.Document {
		d := memory.Document{Seq: seq, Corpus: c}
		if c == memory.Memories {
			d.Content, d.Category = r.Content, r.Category
			d.CreatedAt, d.OccurredAt, d.ValidFrom = r.CreatedAt, r.OccurredAt, r.ValidFrom
			return d
		}
		d.Content, d.CreatedAt, d.OccurredAt = turn.Content, turn.CreatedAt, turn.SaidAt
		d.Session, d.Index, d.Speaker, d.Role = turn.Session, turn.Index, turn.Speaker, turn.Role
		return d
	}
}

// everyStem makes random writes and compares Vocabulary with the stems of the documents that are
// left.
func everyStem(t *testing.T, e *env) {
	banks := 0
	rapid.Check(t, func(rt *rapid.T) {
		banks++
		who, held := fmt.Sprint("agent ", banks), map[string]string{}
		for range rapid.IntRange(1, 5).Draw(rt, "writes") {
			text := fmt.Sprint(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 6).Draw(rt, "text"))
			erase := len(held) > 0 && rapid.Bool().Draw(rt, "erase")
			err := e.Write(t.Context(), who, func(tx memory.Tx) error {
				if erase {
					id := slices.Min(slices.Collect(maps.Keys(held)))
					delete(held, id)
					return tx.EraseRecord(id)
				}
				r := e.record(text, func(r *memory.Record) { r.Agent = who })
				held[r.ID] = text
				return tx.InsertRecord(r, nil)
			})
			if err != nil {
				rt.Fatal(err)
			}
		}
		want := map[string]bool{}
		for _, text := range held {
			for _, stem := range analysis.Content(text) {
				want[stem] = true
			}
		}
		got, err := e.Vocabulary(t.Context(), memory.Memories, who)
		if slices.Sort(got); err != nil || !slices.Equal(got, slices.Sorted(maps.Keys(want))) {
			rt.Fatalf("got %q, %v; want %q", got, err, slices.Sorted(maps.Keys(want)))
		}
		if got, err := e.Vocabulary(t.Context(), memory.Conversations, who); len(got) > 0 || err != nil {
			rt.Fatalf("of no turns: %q, %v", got, err)
		}
	})
}

// around returns the contents of the documents that Around returns.
func (e *env) around(t testing.TB, c memory.Corpus, seqs []int64, radius int) (got []string) {
	t.Helper()
	docs, err := e.Around(t.Context(), c, agent, seqs, radius)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.IsSortedFunc(docs, func(a, b memory.Document) int { return int(a.Seq - b.Seq) }) {
		t.Errorf("not in order: %s", asJSON(docs))
	}
	for _, d := range docs {
		got = append(got, d.Content)
	}
	return got
}

func aroundTurns(t *testing.T, e *env) {
	for i := range 6 { // two sessions, taking turns
		for _, session := range []string{"a", "b"} {
			e.say(t, e.turn(fmt.Sprint(session, i), func(t *memory.Turn) { t.Session = session }))
		}
	}
	e.say(t, e.turn("bobs", func(t *memory.Turn) { t.Agent, t.Session = "bob", "a" }))
	seq := map[string]int64{}
	for _, d := range e.after(t, memory.Conversations, agent, 0, 100) {
		seq[d.Content] = d.Seq
	}
	bobs := e.after(t, memory.Conversations, "bob", 0, 1)[0].Seq
	for _, c := range []struct {
		seqs   []int64
		radius int
		want   []string
	}{
		{[]int64{seq["a2"]}, 0, []string{"a2"}},
		{[]int64{seq["a2"]}, 1, []string{"a1", "a2", "a3"}},
		{[]int64{seq["a0"]}, 2, []string{"a0", "a1", "a2"}},
		{[]int64{seq["b5"]}, 4, []string{"b1", "b2", "b3", "b4", "b5"}},
		{[]int64{seq["a2"], seq["a3"], seq["a2"]}, 1, []string{"a1", "a2", "a3", "a4"}},
		{[]int64{seq["a0"], seq["b0"]}, 1, []string{"a0", "b0", "a1", "b1"}},
		{[]int64{bobs, 12345}, 3, nil},
		{nil, 3, nil},
	} {
		if got := e.around(t, memory.Conversations, c.seqs, c.radius); !slices.Equal(got, c.want) {
			t.Errorf("%d places around %v: %q, want %q", c.radius, c.seqs, got, c.want)
		}
	}
}

func aroundRecords(t *testing.T, e *env) {
	for i, day := range []func(*memory.Record){
		on(1), on(1), on(1), on(2), on(1), never, never,
	} {
		e.save(t, nil, e.record(fmt.Sprint("r", i), day))
	}
	seq := map[string]int64{}
	for _, d := range e.after(t, memory.Memories, agent, 0, 100) {
		seq[d.Content] = d.Seq
	}
	for _, c := range []struct {
		of     string
		radius int
		want   []string
	}{
		{"r1", 0, []string{"r1"}},
		{"r1", 1, []string{"r0", "r1", "r2"}},
		{"r2", 2, []string{"r0", "r1", "r2", "r4"}},
		{"r3", 2, []string{"r3"}}, // its neighbours have another time
		{"r5", 2, []string{"r5"}}, // no time does not count as the same time
	} {
		if got := e.around(t, memory.Memories, []int64{seq[c.of]}, c.radius); !slices.Equal(got, c.want) {
			t.Errorf("%d places around %s: %q, want %q", c.radius, c.of, got, c.want)
		}
	}
}

func on(n int) func(*memory.Record) {
	return func(r *memory.Record) { r.OccurredAt = day(n) }
}

func never(*memory.Record) {}

func selectsOfNone(t *testing.T, e *env) {
	e.save(t, nil, e.record("harbour"))
	for _, c := range memory.Corpora() {
		if seqs, err := e.Select(t.Context(), c, memory.Filter{Agent: "nobody"}); len(seqs) > 0 || err != nil {
			t.Errorf("%s: %v, %v", c, seqs, err)
		}
	}
}
