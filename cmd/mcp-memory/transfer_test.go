package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mcp-memory/upkeep"
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
		{[]string{"export", file}, "Exported 1 memory, 2 to-dos and 1 event.\n"},
		{[]string{"--agent", "boris", "import", file}, "Imported 1 memory, 2 to-dos and 1 event.\n"},
		{[]string{"--agent", "boris", "import", file}, "Imported nothing new. 4 were there already.\n"},
	} {
		if got := m.ok(c.args...); got != c.want {
			t.Errorf("%v prints %q, want %q", c.args, got, c.want)
		}
	}
	if list := m.ok("--agent", "boris", "todo", "list"); !strings.Contains(list, "Water the plants") ||
		!strings.Contains(list, "Buy reeds") {
		t.Errorf("to do: %q", list)
	}
	r := m.run(`{"session":"s","text":"Hm."}`+"\nbroken\n", "import", "-", "--skip-bad")
	if want := "Imported 1 message. 1 broken line was skipped.\nTo take that back: mcp-memory undo "; !strings.HasPrefix(r.stdout, want) ||
		!strings.HasPrefix(r.stderr, "line 2: ") {
		t.Errorf("printed %q and %q, want %q", r.stdout, r.stderr, want)
	}
}

func TestImportTellsWhatItSuperseded(t *testing.T) {
	m := newMachine(t)
	m.run(`{"content":"I live in Groningen.","ts":"2024-01-01"}`, "import", "-")
	r := m.run(`{"content":"I have moved to Maastricht.","ts":"2025-01-01"}`, "import", "-")
	told := regexp.MustCompile(`^Imported 1 memory\. 1 corrected an earlier one\.
1 memory was superseded, and stays as history: ([0-9a-f-]{36})\.
To take that back: mcp-memory undo ([0-9a-f-]{36})\n$`).FindStringSubmatch(r.stdout)
	if told == nil {
		t.Fatalf("printed %q and %q", r.stdout, r.stderr)
	}
	if got := m.ok("get", told[1]); !strings.Contains(got, "I live in Groningen.") {
		t.Errorf("superseded is %s", got)
	}
	if got := m.ok("undo", told[2]); !strings.HasSuffix(got, "\n1 memory was set aside, 1 memory is as before.\n") {
		t.Errorf("undo: %q", got)
	}
	var report struct {
		Superseded []string
		UndoID     string `json:"undo_id"`
	}
	r = m.run(`{"content":"I have moved to Hasselt.","ts":"2026-01-01"}`, "import", "-", "--json")
	if err := json.Unmarshal([]byte(r.stdout), &report); err != nil || len(report.Superseded) != 1 || report.UndoID == "" {
		t.Errorf("%v: %s", err, r.stdout)
	}
}

// TestImportWritesMEMORY: what an import adds and supersedes is in MEMORY.md when it has ended.
func TestImportWritesMEMORY(t *testing.T) {
	m := newMachine(t)
	m.ok("save", "My name is Clara.")
	m.run(`{"content":"I live in Groningen.","ts":"2024-01-01","importance":0.9}
{"content":"I never eat fish.","ts":"2024-01-01","importance":0.9}`, "import", "-")
	m.run(`{"content":"I have moved to Maastricht.","ts":"2025-01-01","importance":0.9}`, "import", "-")
	content, err := os.ReadFile(filepath.Join(m.dataDir(), upkeep.Workspaces, "default", "MEMORY.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(content)
	for _, want := range []string{"My name is Clara.", "I never eat fish.", "I have moved to Maastricht."} {
		if !strings.Contains(page, want) {
			t.Errorf("MEMORY.md lacks %q:\n%s", want, page)
		}
	}
	if strings.Contains(page, "Groningen") {
		t.Errorf("MEMORY.md has what was superseded:\n%s", page)
	}
}

// TestExportNamesDamage: what is not what was saved is named by an export, wherever it goes, and by the import, which keeps
// the mark; a correction ends it.
func TestExportNamesDamage(t *testing.T) {
	m := newMachine(t)
	path := m.store()
	m.run(`{"session":"s","text":"The ferry is blue."}`, "import", "-", "--format", "turns")
	m.ok("save", "Anna plays the oboe.")
	raw(t, path,
		`UPDATE records SET content = 'The harbour closes at ten.' WHERE content LIKE '%harbour%'; UPDATE turns SET content = 'The ferry is red.'`)
	file := filepath.Join(t.TempDir(), "bank.jsonl")
	named := regexp.MustCompile(`^damaged: record ([0-9a-f-]{36}) is not what was saved
damaged: turn [0-9a-f-]{36} is not what was saved\n`)
	toFile, toStdout := m.run("", "export", file), m.run("", "export", "-")
	for _, r := range []ran{toFile, toStdout} {
		if !named.MatchString(r.stderr) || r.code != exitFailed || !strings.Contains(r.stderr, "2 parts of what was exported") {
			t.Errorf("%+v", r)
		}
	}
	if strings.Count(toStdout.stdout, `"damaged":true`) != 2 || strings.Count(toStdout.stdout, "\n") != 5 {
		t.Errorf("exported %s", toStdout.stdout)
	}
	imported := m.run("", "import", file, "--agent", "bob")
	if !named.MatchString(imported.stderr) || imported.code != exitDone {
		t.Fatalf("%+v", imported)
	}
	id := named.FindStringSubmatch(imported.stderr)[1]
	if got := m.ok("get", id, "--agent", "bob"); !strings.Contains(got, "damaged") {
		t.Errorf("get prints %s", got)
	}
	if f := m.findings(exitFailed)["contents"]; strings.Count(f.Detail, "of bob is not what was saved") != 2 {
		t.Errorf("%+v", f)
	}
	m.ok("update", id, "--content", "The harbour closes at nine.", "--agent", "bob")
	if f := m.findings(exitFailed)["contents"]; strings.Count(f.Detail, "record") != 2 { // the former state of it is still there
		t.Errorf("%+v", f)
	}
}
