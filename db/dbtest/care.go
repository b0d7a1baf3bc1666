package dbtest

import (
	"os"
	"path/filepath"
	"testing"

	"mcp-memory/memory"
)

var careTests = map[string]func(*testing.T, *env){
	"a new store is well":       careHealth,
	"a copy is whole and alone": careCopy,
	"a mark of damage is kept":  careDamaged,
}

func careHealth(t *testing.T, e *env) {
	e.save(t, towards(1), e.record("The harbour has a ferry."))
	if h := e.Health(); h.Broken() || len(h.Problems) > 0 {
		t.Errorf("%+v", h)
	}
}

// careDamaged tests that a record and a turn saved as damaged are read as damaged.
func careDamaged(t *testing.T, e *env) {
	r, sound := e.record("The harbour closes at ten."), e.record("The harbour has a ferry.")
	r.Damaged = true
	e.save(t, towards(1), r)
	e.save(t, towards(1), sound)
	for id, want := range map[string]bool{r.ID: true, sound.ID: false} {
		if got, err := e.Records(t.Context(), agent, []string{id}); err != nil || len(got) != 1 || got[0].Damaged != want {
			t.Errorf("%+v, %v", got, err)
		}
	}
	e.say(t, e.turn("The ferry is red.", func(turn *memory.Turn) { turn.Damaged = true }))
	if err := e.EachTurn(t.Context(), agent, func(got memory.Turn) error {
		if !got.Damaged {
			t.Errorf("%+v", got)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

func careCopy(t *testing.T, e *env) {
	r := e.record("The harbour has a ferry.")
	e.save(t, towards(1), r)
	path := filepath.Join(t.TempDir(), "copy")
	if err := e.CopyTo(t.Context(), path, func(done, total int64) {
		if done > total {
			t.Errorf("%d of %d bytes", done, total)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() == 0 || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("%v, %v", info, err)
	}
	if err := e.CopyTo(t.Context(), path, nil); memory.CodeOf(err) != memory.CodeConflict {
		t.Errorf("over another file: %v", err)
	}
	if err := e.CopyTo(t.Context(), filepath.Join(path, "below"), nil); memory.CodeOf(err) != memory.CodeUnavailable {
		t.Errorf("where nothing can be: %v", err)
	}
	if got, err := e.Records(t.Context(), agent, []string{r.ID}); err != nil || len(got) != 1 || got[0].Damaged {
		t.Errorf("%+v, %v", got, err)
	}
}
