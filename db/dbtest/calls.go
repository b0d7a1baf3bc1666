package dbtest

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"mcp-memory/memory"
)

var callTests = map[string]func(*testing.T, *env){
	"results":   keptResults,
	"undo":      undo,
	"reinforce": reinforce,
}

func keptResults(t *testing.T, e *env) {
	want := json.RawMessage(`{"id": "x", "n": [1, null]}`)
	e.write(t, func(tx memory.Tx) error {
		if got, err := tx.Result("save", "k"); got != nil || err != nil {
			t.Errorf("before: %s, %v", got, err)
		}
		return tx.KeepResult("save", "k", want)
	})
	e.reopen(t, Fingerprint)
	e.write(t, func(tx memory.Tx) error {
		for _, c := range []struct {
			tool, key string
			want      json.RawMessage
		}{{"save", "k", want}, {"save", "K", nil}, {"erase", "k", nil}, {"save", "", nil}} {
			got, err := tx.Result(c.tool, c.key)
			if !reflect.DeepEqual(got, c.want) || err != nil {
				t.Errorf("%s %q: %s, %v", c.tool, c.key, got, err)
			}
		}
		return nil
	})
	if err := e.Write(t.Context(), agent, func(tx memory.Tx) error { return tx.KeepResult("save", "k", want) }); err == nil {
		t.Error("a kept result was replaced")
	}
}

func undo(t *testing.T, e *env) {
	want := memory.Undo{ID: "u", Action: "self_care", Records: []string{"a", "b"}, Data: json.RawMessage(`{"turns": [1]}`), At: start}
	e.write(t, func(tx memory.Tx) error { return tx.KeepUndo(want) })
	e.reopen(t, Fingerprint)
	e.write(t, func(tx memory.Tx) error {
		got, err := tx.Undo("u")
		if !reflect.DeepEqual(got, want) {
			t.Errorf("kept %+v", got)
		}
		if err != nil {
			return err
		}
		return tx.MarkUndone("u", day(1))
	})
	err := e.Write(t.Context(), agent, func(tx memory.Tx) error {
		got, err := tx.Undo("u")
		if err != nil || !got.UndoneAt.Equal(day(1)) {
			t.Errorf("after: %+v, %v", got, err)
		}
		return tx.MarkUndone("u", day(2))
	})
	wantCode(t, err, memory.CodeConflict)
	e.write(t, func(tx memory.Tx) error { return tx.MarkUndone("u", time.Time{}) })
	e.write(t, func(tx memory.Tx) error {
		if got, err := tx.Undo("u"); err != nil || !got.UndoneAt.IsZero() {
			t.Errorf("undone, and done again: %+v, %v", got, err)
		}
		return nil
	})
	undoneSupersede(t, e)
	wantCode(t, e.Write(t.Context(), agent, func(tx memory.Tx) error { _, err := tx.Undo("v"); return err }), memory.CodeNotFound)
}

// undoneSupersede tests that Apart returns the pairs of undone supersede changes, but not those of
// changes that were not undone, of other actions or of other banks.
func undoneSupersede(t *testing.T, e *env) {
	e.write(t, func(tx memory.Tx) error {
		for _, u := range []memory.Undo{
			{ID: "new", Action: memory.ActionSupersede, Records: []string{"old", "older", "new"}, At: start},
			{ID: "of an import", Action: memory.PartOfImport + memory.ActionSupersede, Records: []string{"old", "of an import"}, At: start},
			{ID: "kept", Action: memory.ActionSupersede, Records: []string{"old", "kept"}, At: start},
			{ID: "forgot", Action: "forget", Records: []string{"old"}, At: start},
		} {
			if err := tx.KeepUndo(u); err != nil {
				return err
			}
			if u.ID != "kept" {
				if err := tx.MarkUndone(u.ID, day(1)); err != nil {
					return err
				}
			}
		}
		return nil
	})
	for _, c := range []struct {
		agent string
		ids   []string
		want  int
	}{{agent, []string{"old", "new", "kept", "forgot"}, 2},
		{agent, []string{"old", "new", "of an import"}, 3},
		{agent, []string{"old", "kept", "forgot"}, 0}, {"somebody", []string{"new"}, 0}, {agent, nil, 0}} {
		got, err := e.Apart(t.Context(), c.agent, c.ids)
		if err != nil || len(got) != c.want ||
			c.want > 0 && !(got.Has("old", "new") && got.Has("new", "older") && !got.Has("old", "older")) {
			t.Errorf("%s, %q: %v apart, %v", c.agent, c.ids, got, err)
		}
	}
}

func reinforce(t *testing.T, e *env) {
	a, b := e.record("a"), e.record("b")
	e.save(t, nil, a, b)
	for _, c := range []struct {
		session string
		ids     []string
		day     int
	}{
		{"s1", []string{a.ID, "unknown", a.ID}, 1},
		{"s1", []string{a.ID}, 2}, // the same session again
		{"s2", []string{a.ID, b.ID}, 3},
		{"s3", []string{a.ID}, 2}, // earlier than the last access
		{"s4", nil, 9},
	} {
		if err := e.Reinforce(t.Context(), agent, c.session, c.ids, day(c.day)); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Reinforce(t.Context(), "nobody", "s", []string{a.ID}, day(9)); err != nil {
		t.Error(err)
	}
	a.AccessCount, a.LastAccessedAt, b.AccessCount, b.LastAccessedAt = 3, day(3), 1, day(3)
	got, err := e.Records(t.Context(), agent, []string{a.ID, b.ID})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "Records", got, []memory.Record{a, b})
}
