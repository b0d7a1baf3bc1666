package dbtest

import (
	"testing"

	"mcp-memory/memory"
)

var erasedTests = map[string]func(*testing.T, *env){
	"archived by content": archivedByContent,
	"erased":              erased,
}

func archivedByContent(t *testing.T, e *env) {
	first, second := e.record("The harbour is deep."), e.record("the  harbour is deep.")
	other := e.record("The harbour is deep.")
	other.Project = "garden"
	e.save(t, nil, first, second, other)
	find := func(project, content string) (id string) {
		e.write(t, func(tx memory.Tx) error {
			r, err := tx.ArchivedByContent(project, memory.KindFact, content)
			if r != nil {
				id = r.ID
			}
			return err
		})
		return id
	}
	if id := find("", "The harbour is deep."); id != "" {
		t.Errorf("of live records: %s", id)
	}
	for i, r := range []memory.Record{first, second} {
		r.ArchivedAt = day(i + 1)
		e.write(t, func(tx memory.Tx) error { return tx.UpdateRecord(r) })
		if id := find("", "The harbour  is deep."); id != r.ID {
			t.Errorf("archived last: %s, want %s", id, r.ID)
		}
	}
	if find("garden", "The harbour is deep.") != "" || find("", "The harbour is shallow.") != "" {
		t.Error("another project or content")
	}
}

func erased(t *testing.T, e *env) {
	r := e.record("The harbour is deep.")
	e.write(t, func(tx memory.Tx) error { return tx.NoteErased(r, day(1)) })
	e.write(t, func(tx memory.Tx) error { return tx.NoteErased(r, day(2)) })
	e.reopen(t, Fingerprint)
	e.write(t, func(tx memory.Tx) error {
		for _, c := range []struct {
			project string
			kind    memory.Kind
			content string
			there   bool
		}{
			{"", memory.KindFact, "The harbour is deep.", true}, {"", memory.KindFact, " the harbour  is deep. ", true},
			{"x", memory.KindFact, r.Content, false}, {"", memory.KindDiary, r.Content, false}, {"", memory.KindFact, "The harbour", false},
		} {
			at, err := tx.Erased(c.project, c.kind, c.content)
			if err != nil || at.Equal(day(2)) != c.there || at.IsZero() == c.there {
				t.Errorf("%+v: %v, %v", c, at, err)
			}
		}
		return nil
	})
	err := e.Write(t.Context(), "bob", func(tx memory.Tx) error {
		if at, err := tx.Erased("", memory.KindFact, r.Content); !at.IsZero() || err != nil {
			t.Errorf("another's: %v, %v", at, err)
		}
		return tx.NoteErased(r, day(1))
	})
	if err == nil {
		t.Error("a bank notes what another has erased")
	}
}
