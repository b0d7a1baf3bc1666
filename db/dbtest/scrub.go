package dbtest

import (
	"encoding/json"
	"errors"
	"testing"

	"mcp-memory/memory"
)

var scrubTests = map[string]func(*testing.T, *env){
	"only what was erased is gone": scrub,
}

func scrub(t *testing.T, e *env) {
	secret, plain := e.record("The locker of the harbour opens with 4711."), e.record("The harbour has a ferry.")
	e.save(t, towards(1), secret, plain)
	for range 2 { // the second time there is nothing to do
		if err := e.Scrub(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	e.write(t, func(tx memory.Tx) error {
		return errors.Join(
			tx.KeepResult("save", "repeats", json.RawMessage(`{"similar":["The locker of the harbour opens with 4711."]}`)),
			tx.KeepResult("save", "names", json.RawMessage(`{"id":"`+secret.ID+`"}`)),
			tx.EraseRecord(secret.ID), tx.EraseTraces([]string{secret.Content}))
	})
	if err := e.Scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	e.write(t, func(tx memory.Tx) error {
		repeats, err := tx.Result("save", "repeats")
		names, err2 := tx.Result("save", "names")
		if repeats != nil || names == nil {
			t.Errorf("results %s and %s", repeats, names)
		}
		return errors.Join(err, err2)
	})
	filter := memory.Filter{Agent: agent}
	words, err := e.MatchWords(t.Context(), memory.Memories, filter, []string{"harbour"}, 10)
	near, err2 := e.NearestVectors(t.Context(), memory.Memories, filter, towards(1), 10)
	if err := errors.Join(err, err2); err != nil || len(words) != 1 || len(near) != 1 || words[0].Seq != near[0].Seq {
		t.Errorf("found %v and %v, %v", words, near, err)
	}
}
