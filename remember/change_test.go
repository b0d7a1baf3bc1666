package remember_test

import (
	"errors"
	"testing"

	"mcp-memory/embed"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

func TestChangeKeepsAllOrNothing(t *testing.T) {
	b := newBank(t)
	failed := errors.New("no")
	for _, last := range []error{failed, nil} {
		err := b.Change(t.Context(), anna, func(c *remember.Change) error {
			for _, content := range []string{"Ann is here.", "Ann is here."} {
				r, err := c.Put(remember.SaveRequest{Content: content})
				if err != nil || r.ID == "" || !r.CreatedAt.Equal(c.Now()) {
					t.Errorf("put %+v, %v", r, err)
				}
			}
			return last
		})
		if !errors.Is(err, last) {
			t.Errorf("error %v", err)
		}
		want := 2
		if last != nil {
			want = 0
		}
		if n := len(b.records()); n != want || len(b.dayLog()) != want {
			t.Errorf("%d records, want %d; the log: %q", n, want, b.dayLog())
		}
	}
	if found := b.search("here", memory.Filter{}); len(found) != 2 || b.queued.Load() != 0 {
		t.Errorf("found %q, queued %d", found, b.queued.Load())
	}
}

func TestChangeSupersedes(t *testing.T) {
	b := newBankWith(t, remote{embed.NewBuiltin()})
	old := b.save(remember.SaveRequest{Content: "Ann lives in Oslo.", Category: "identity"})
	before := b.queued.Load()
	b.later()
	var next memory.Record
	err := b.Change(t.Context(), anna, func(c *remember.Change) (err error) {
		next, err = c.Put(remember.SaveRequest{Content: "Ann lives in Oslo.", Supersedes: old.ID, Quiet: true})
		return err
	})
	if err != nil || next.Supersedes != old.ID || next.Category != "identity" || !next.ValidFrom.Equal(b.now) ||
		b.queued.Load() != before+1 {
		t.Errorf("next %+v, %v, queued %d", next, err, b.queued.Load())
	}
	if r := b.record(old.ID); r.SupersededBy != next.ID || !r.ValidUntil.Equal(b.now) {
		t.Errorf("old %+v", r)
	}
	err = b.Change(t.Context(), anna, func(c *remember.Change) error {
		_, err := c.Put(remember.SaveRequest{Content: "x", Supersedes: old.ID})
		return err
	})
	wantCode(t, err, memory.CodeConflict)
	err = b.Change(t.Context(), anna, func(c *remember.Change) error { return c.Confirm(next) })
	if r := b.record(next.ID); err != nil || r.Confirmations != 2 {
		t.Errorf("confirmed %+v, %v", r, err)
	}
}
