package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestExportAndImport(t *testing.T) {
	m := newMachine(t)
	m.ok("save", "Anna plays the oboe.")
	m.ok("todo", "add", "Water the plants")
	m.ok("todo", "add", "Buy reeds")
	m.ok("calendar", "add", "Lesson", "--starts-at", "2026-03-01T09:30:00Z", "--recurrence", "FREQ=WEEKLY")
	file := filepath.Join(t.TempDir(), "bank.jsonl")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"export", file}, "Exported 1 record, 0 turns, 2 to-dos and 1 event.\n"},
		{[]string{"--agent", "boris", "import", file}, "Imported 1 record, 0 turns, 2 to-dos and 1 event.\n"},
		{[]string{"--agent", "boris", "import", file}, "Imported 0 records, 0 turns, 0 to-dos and 0 events. 4 were there already.\n"},
	} {
		if got := m.ok(c.args...); got != c.want {
			t.Errorf("%v prints %q, want %q", c.args, got, c.want)
		}
	}
	if list := m.ok("--agent", "boris", "todo", "list"); !strings.Contains(list, "Water the plants") || !strings.Contains(list, "Buy reeds") {
		t.Errorf("to do: %q", list)
	}
	r := m.run(`{"session":"s","text":"Hm."}`+"\nbroken\n", "import", "-", "--skip-bad")
	if want := "Imported 0 records and 1 turn. 1 broken line was skipped.\n"; r.stdout != want || !strings.HasPrefix(r.stderr, "line 2: ") {
		t.Errorf("printed %q and %q, want %q", r.stdout, r.stderr, want)
	}
}
