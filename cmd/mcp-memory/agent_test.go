package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// traces returns the files of the data directory that have a word in them, in
// any case.
func (m *machine) traces(word string) (names []string) {
	m.t.Helper()
	err := filepath.WalkDir(m.dataDir(), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if bytes.Contains(bytes.ToLower(content), []byte(strings.ToLower(word))) {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		m.t.Fatal(err)
	}
	return names
}

// Of an agent that was erased no word is left, in the database or a file, and
// of others none is missing.
func TestEraseAnAgent(t *testing.T) {
	const word = "Zyqolumbrava" // not one that is cut to a stem
	m := newMachine(t)
	m.ok("save", "The harbour closes at nine.", "--agent", "bob")
	transcript := filepath.Join(t.TempDir(), "said.jsonl")
	if err := os.WriteFile(transcript, []byte(`{"role":"user","content":"I keep Zyqolumbrava in the shed, remember that."}`+"\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"save", "Ann grows " + word + " in the shed.", "--tags", word, "--external-id", word, "--idempotency-key", word},
		{"save", "Ann sells " + word + " now.", "--project", word, "--metadata", `{"a":"` + word + `"}`},
		{"soul", "add", "I am " + word + "."}, {"episode", "save", "A feast of " + word + "."},
		{"triples", "save", "--subject", "Ann", "--predicate", "grows", "--object", word},
		{"procedures", "save", word, "--steps", `[{"action":"Water ` + word + `"}]`},
		{"procedures", "run", word, "--success", "--notes", word},
		{"people", "update", word, "--notes", word}, {"learnings", "record", "Never sell " + word + ".", "--kind", "error"},
		{"diary", "write", "Saw " + word + " today."}, {"todo", "add", "Water " + word},
		{"calendar", "add", word, "--starts-at", "2026-04-01"},
		{"context", transcript, "--session", word}, {"link", "request", "bob", "--message", word},
		{"forget", "--query", "sells " + word, "--reason", word},
	} {
		m.ok(append(args, "--agent", "ann")...)
	}
	own := filepath.Join(m.dataDir(), "workspaces", "ann", "notes", "mine.md")
	if err := os.MkdirAll(filepath.Dir(own), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, []byte("My own note of "+word), 0o600); err != nil {
		t.Fatal(err)
	}
	m.ok("token", "create", "--agent", "ann")
	if found := m.traces(word); len(found) < 5 {
		t.Fatalf("before: only in %q", found)
	}
	m.fails(exitUsage, "needs --confirm", "agent", "erase", "ann")
	m.fails(exitFailed, `no agent "eve"`, "agent", "erase", "eve", "--confirm")
	if text := m.ok("agent", "list"); !strings.Contains(text, "ann  ") || !strings.Contains(text, "bob  1 memory") {
		t.Errorf("list:\n%s", text)
	}
	// On a slow machine the last bytes go when the program ends, which it says.
	if text := m.ok("agent", "erase", "ann", "--confirm"); !strings.HasPrefix(text, "Erased everything of ann.") {
		t.Error(text)
	}
	// Pieces of it as well: the indexes have those.
	for _, piece := range []string{word, word[:7], word[5:]} {
		if found := m.traces(piece); len(found) > 0 {
			t.Errorf("%q is still in %q", piece, found)
		}
	}
	if _, err := os.Stat(filepath.Join(m.dataDir(), "workspaces", "ann")); !os.IsNotExist(err) {
		t.Errorf("the workspace is there: %v", err)
	}
	if text := m.ok("agent", "list"); strings.Contains(text, "ann") || !strings.Contains(text, "bob  1 memory") {
		t.Errorf("list:\n%s", text)
	}
	if text := m.ok("token", "list", "--agent", "ann"); !strings.Contains(text, "revoked") {
		t.Errorf("tokens: %s", text)
	}
	if text := m.ok("recall", "When does the harbour close?", "--agent", "bob"); !strings.Contains(text, "closes at nine") {
		t.Errorf("bob: %s", text)
	}
	m.ok("save", "Ann is back.", "--agent", "ann")
	if text := m.ok("recall", "Ann", "--agent", "ann"); !strings.Contains(text, "Ann is back.") {
		t.Errorf("anew: %s", text)
	}
}
