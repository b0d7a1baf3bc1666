package upkeep

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"mcp-memory/memory"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), dirPerm); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), filePerm); err != nil {
		t.Fatal(err)
	}
}

// content is what a file says, "" if there is none.
func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if absent(err) != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestExchangeInterrupted stops an exchange after each of its moves, as a crash
// does. Who comes then finds the whole new state, and the whole old one aside.
func TestExchangeInterrupted(t *testing.T) {
	workspace := filepath.Join(Workspaces, "ann", "MEMORY.md")
	type move struct{ from, to string }
	moves := []move{
		{Database + "-wal", "old/" + Database + "-wal"}, {Database, "old/" + Database}, {"new/" + Database, Database},
		{Workspaces, "old/" + Workspaces}, {"new/" + Workspaces, Workspaces},
		{Config, "old/" + Config}, {"new/" + Config, Config}, {"new", ""},
	}
	for done := range len(moves) + 1 {
		dir := t.TempDir()
		for _, name := range []string{Database, workspace, Config} {
			write(t, filepath.Join(dir, name), "old")
			write(t, filepath.Join(dir, "new", name), "new")
		}
		write(t, filepath.Join(dir, Database+"-wal"), "old")
		if err := os.Mkdir(filepath.Join(dir, "old"), dirPerm); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(note{New: "new", Old: "old", Items: []string{Database, Workspaces, Config, Tokens}})
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, noteName), string(text))
		for _, m := range moves[:done] {
			var err error
			if m.to == "" {
				err = os.RemoveAll(filepath.Join(dir, m.from))
			} else {
				err = os.Rename(filepath.Join(dir, m.from), filepath.Join(dir, m.to))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		d, err := Enter(t.Context(), dir, false)
		if err != nil {
			t.Fatalf("after %d moves: %v", done, err)
		}
		for _, name := range []string{Database, workspace, Config} {
			if now, before := content(t, filepath.Join(dir, name)), content(t, filepath.Join(dir, "old", name)); now != "new" ||
				before != "old" {
				t.Errorf("after %d moves: %s says %q, before %q", done, name, now, before)
			}
		}
		if content(t, filepath.Join(dir, Database+"-wal")) != "" || interrupted(dir) ||
			content(t, filepath.Join(dir, "old", Database+"-wal")) != "old" {
			t.Errorf("after %d moves: not all is done", done)
		}
		if err := d.Leave(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestExchangeThatCannotBegin leaves everything as it was.
func TestExchangeThatCannotBegin(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, Database), "old")
	d, err := EnterAlone(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Leave()
	if _, err := d.Exchange(filepath.Join(dir, "gone"), "test", Database); memory.CodeOf(err) != memory.CodeUnavailable {
		t.Error(err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "before-*"))
	if err != nil || len(left) > 0 || interrupted(dir) || content(t, filepath.Join(dir, Database)) != "old" {
		t.Errorf("left: %v, %v", left, err)
	}
}

// A note that leads elsewhere is not followed.
func TestForeignNote(t *testing.T) {
	for _, text := range []string{"x", `{"new":"../x","old":"y"}`, `{"new":"x","old":"y","items":["../z"]}`, `{"new":"x/y","old":"z"}`} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, noteName), text)
		if _, err := Enter(t.Context(), dir, false); memory.CodeOf(err) != memory.CodeUnavailable {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestAlone: who exchanges files waits for nobody, and nobody comes in meanwhile.
func TestAlone(t *testing.T) {
	dir := t.TempDir()
	first, err := Enter(t.Context(), dir, false)
	second, err2 := Enter(t.Context(), dir, false)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	if _, err := EnterAlone(t.Context(), dir); memory.CodeOf(err) != memory.CodeConflict {
		t.Errorf("alone beside others: %v", err)
	}
	if err := errors.Join(first.Leave(), second.Leave()); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, stagePrefix+"1", Database), "half of it")
	alone, err := EnterAlone(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if content(t, filepath.Join(dir, stagePrefix+"1", Database)) != "" {
		t.Error("what a killed restore has left is still there")
	}
	if _, err := EnterAlone(t.Context(), dir); memory.CodeOf(err) != memory.CodeConflict {
		t.Errorf("two alone: %v", err)
	}
	if err := alone.Leave(); err != nil {
		t.Fatal(err)
	}
}
