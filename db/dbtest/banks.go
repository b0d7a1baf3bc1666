package dbtest

import (
	"encoding/json"
	"testing"

	"mcp-memory/memory"
)

var bankTests = map[string]func(*testing.T, *env){
	"reads stay inside":  readsStayInside,
	"writes stay inside": writesStayInside,
	"no bank":            noBank,
}

// twoBanks saves a record and a turn in the banks of ann and bob, with the same ids, names and
// keys, and returns the record and the sequence numbers of ann's documents.
func twoBanks(t *testing.T, e *env) (memory.Record, map[memory.Corpus][]int64) {
	r := e.record("The harbour of ann.", func(r *memory.Record) { r.ExternalID = "name" })
	said := e.turn("A harbour, said ann.", func(t *memory.Turn) { t.ExternalID = "m1" })
	seqs := map[memory.Corpus][]int64{}
	for _, who := range []string{agent, "bob"} {
		r, said := r, said
		r.Agent, said.Agent = who, who
		if who != agent {
			r.Content, said.Content = "The harbour of bob.", "A harbour, said bob."
		}
		err := e.Write(t.Context(), who, func(tx memory.Tx) error {
			if err := tx.InsertRecord(r, towards(1)); err != nil {
				return err
			}
			if err := tx.KeepResult("tool", "key", json.RawMessage(`"of `+who+`"`)); err != nil {
				return err
			}
			if err := tx.KeepUndo(memory.Undo{ID: "u", Action: who, Records: []string{r.ID}, At: start}); err != nil {
				return err
			}
			n, err := tx.InsertTurns([]memory.Turn{said}, [][]float32{towards(1)})
			if n != 1 {
				t.Errorf("%s: %d turns stored", who, n)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range memory.Corpora() {
		hits, err := searches["words"](t.Context(), e, c, memory.Filter{Agent: agent}, 10)
		if err != nil || len(hits) != 1 {
			t.Fatalf("%s: %v, %v", c, hits, err)
		}
		seqs[c] = []int64{hits[0].Seq}
	}
	return r, seqs
}

func readsStayInside(t *testing.T, e *env) {
	r, seqs := twoBanks(t, e)
	ctx := t.Context()
	for _, who := range []string{agent, "bob"} {
		want := map[memory.Corpus]string{memory.Memories: "The harbour of " + who + ".",
			memory.Conversations: "A harbour, said " + who + "."}
		for _, c := range memory.Corpora() {
			for name, search := range searches {
				hits, err := search(ctx, e, c, memory.Filter{Agent: who}, 10)
				if got := e.names(t, c, who, hits, err); len(got) != 1 || got[0] != want[c] {
					t.Errorf("%s in %s by %s: %q", name, c, who, got)
				}
			}
			stats, err := e.Statistics(ctx, who, c, []string{"harbour"})
			if err != nil || stats.Documents != 1 || stats.Frequency["harbour"] != 1 {
				t.Errorf("statistics of %s in %s: %+v, %v", who, c, stats, err)
			}
		}
		got, err := e.Records(ctx, who, []string{r.ID})
		if err != nil || len(got) != 1 || got[0].Content != want[memory.Memories] {
			t.Errorf("records of %s: %v, %v", who, got, err)
		}
		stats, err := e.Stats(ctx, who)
		if err != nil || stats.Records != 1 || stats.Turns != 1 || stats.Sessions != 1 || stats.Vectors != 2 {
			t.Errorf("stats of %s: %+v, %v", who, stats, err)
		}
	}
	for _, c := range memory.Corpora() { // bob asks for ann's numbers
		docs, err := e.Documents(ctx, c, memory.Filter{Agent: "bob"}, seqs[c])
		if len(docs) != 0 || err != nil {
			t.Errorf("documents: %v, %v", docs, err)
		}
		vectors, err := e.Vectors(ctx, "bob", c, seqs[c])
		if len(vectors) != 0 || err != nil {
			t.Errorf("vectors: %v, %v", vectors, err)
		}
	}
}

func writesStayInside(t *testing.T, e *env) {
	r, _ := twoBanks(t, e)
	own := e.record("only ann has this", func(r *memory.Record) { r.ExternalID = "own" })
	e.save(t, nil, own)
	before := bankState(t, e)
	foreign := own
	foreign.Agent = "bob"
	for name, fn := range map[string]func(memory.Tx) error{
		"Record":       func(tx memory.Tx) error { _, err := tx.Record(own.ID); return err },
		"UpdateRecord": func(tx memory.Tx) error { return tx.UpdateRecord(foreign) },
		"EraseRecord":  func(tx memory.Tx) error { return tx.EraseRecord(own.ID) },
		"NameRecord":   func(tx memory.Tx) error { return tx.NameRecord("mine now", own.ID) },
	} {
		if err := e.Write(t.Context(), "bob", fn); memory.CodeOf(err) != memory.CodeNotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	err := e.Write(t.Context(), "bob", func(tx memory.Tx) error {
		if found, err := tx.RecordByExternalID("own"); found != nil || err != nil {
			t.Errorf("by external id: %v, %v", found, err)
		}
		if found, err := tx.RecordByContent("", own.Kind, own.Content); found != nil || err != nil {
			t.Errorf("by content: %v, %v", found, err)
		}
		if result, err := tx.Result("tool", "key"); string(result) != `"of bob"` || err != nil {
			t.Errorf("result: %s, %v", result, err)
		}
		if u, err := tx.Undo("u"); u.Action != "bob" || err != nil {
			t.Errorf("undo: %+v, %v", u, err)
		}
		if err := tx.MarkUndone("u", start); err != nil {
			return err
		}
		return tx.EraseRecord(r.ID) // bob's record of that id
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Reinforce(t.Context(), "bob", "s", []string{own.ID, r.ID}, start); err != nil {
		t.Error(err)
	}
	for name, read := range map[string]func() ([]memory.Record, error){
		"Records": func() ([]memory.Record, error) { return e.Records(t.Context(), "bob", []string{own.ID, r.ID}) },
		"History": func() ([]memory.Record, error) { return e.History(t.Context(), "bob", own.ID) },
		"Salient": func() ([]memory.Record, error) {
			return e.Salient(t.Context(), memory.Scope{Agent: "bob", Project: memory.AllProjects}, start, 10)
		},
		"EachRecord": func() (all []memory.Record, err error) {
			err = e.EachRecord(t.Context(), "bob", func(r memory.Record) error { all = append(all, r); return nil })
			return all, err
		},
	} {
		if found, err := read(); len(found) != 0 || err != nil {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
	if after := bankState(t, e); after != before {
		t.Errorf("ann's bank changed\n from %s\n   to %s", before, after)
	}
	e.write(t, func(tx memory.Tx) error {
		u, err := tx.Undo("u")
		if !u.UndoneAt.IsZero() {
			t.Error("bob undid what ann did")
		}
		return err
	})
}

func noBank(t *testing.T, e *env) {
	e.save(t, towards(1), e.record("harbour"))
	ctx := t.Context()
	for name, search := range searches {
		if hits, err := search(ctx, e, memory.Memories, memory.Filter{Agent: "nobody"}, 10); len(hits) != 0 || err != nil {
			t.Errorf("%s: %v, %v", name, hits, err)
		}
	}
	stats, err := e.Statistics(ctx, "nobody", memory.Memories, []string{"harbour"})
	if err != nil || stats.Documents != 0 || len(stats.Frequency) != 0 || stats.AverageLength < 1 {
		t.Errorf("statistics: %+v, %v", stats, err)
	}
	if n, err := e.CountRecords(ctx, "nobody", memory.KindFact); n != 0 || err != nil {
		t.Errorf("count: %d, %v", n, err)
	}
	if err := e.EachTurn(ctx, "nobody", func(memory.Turn) error { t.Error("a turn"); return nil }); err != nil {
		t.Error(err)
	}
}
