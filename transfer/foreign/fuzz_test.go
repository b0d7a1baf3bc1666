package foreign_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"mcp-memory/memory"
	"mcp-memory/transfer/foreign"
)

// FuzzRead gives every source a file, or a folder with a note, of arbitrary bytes:
// none panics, every error is for people, every item has a key of its own program,
// and reading again gives the same.
func FuzzRead(f *testing.F) {
	entries, err := filepath.Glob(filepath.Join("testdata", "*.json*"))
	if err != nil {
		f.Fatal(err)
	}
	notes, _ := filepath.Glob(filepath.Join("testdata", "*", "*", "*.md"))
	for _, name := range append(entries, notes...) {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, text := range []string{gptExport, claudeExport, claudeProjects, claudeMemories} {
		f.Add([]byte(text))
	}
	f.Add([]byte("SQLite format 3\x00 and then nothing"))
	f.Fuzz(readBytes)
}

// TestMutatedData is the same for data that was hit by a few bytes: a fuzzer gets
// nowhere fast with a whole SQLite in the test.
func TestMutatedData(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	names, err := filepath.Glob(filepath.Join("testdata", "*.json*"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no data: %v", err)
	}
	for range 150 {
		text, err := os.ReadFile(names[random.IntN(len(names))])
		if err != nil {
			t.Fatal(err)
		}
		for range 1 + random.IntN(4) {
			text[random.IntN(len(text))] = byte(random.IntN(256))
		}
		readBytes(t, text[:random.IntN(len(text)+1)])
		readBytes(t, text)
	}
}

func readBytes(t *testing.T, text []byte) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "data.json")
	folder := filepath.Join(dir, "memories")
	note := filepath.Join(folder, "MEMORY.md")
	claude := filepath.Join(dir, "projects", "-x", "memory", "note.md")
	err := errors.Join(os.WriteFile(file, text, 0o600), os.Mkdir(folder, 0o700), os.WriteFile(note, text, 0o600), os.MkdirAll(filepath.Dir(claude), 0o700), os.WriteFile(claude, text, 0o600))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := foreign.Look(t.Context(), file, open); err != nil && memory.CodeOf(err) == memory.CodeInternal {
		t.Errorf("look: %v", err)
	}
	for _, s := range foreign.Sources() {
		path := file
		switch s.Name {
		case "basic-memory", "markdown", "obsidian":
			path = folder
		case "claude-code", "codex":
			path = dir
		}
		options := foreign.Options{All: true, Prompts: true, Instructions: true}
		items, err := tryRead(t, s.Name, path, options)
		if err != nil && memory.CodeOf(err) == memory.CodeInternal {
			t.Errorf("%s: %v", s.Name, err)
		}
		again, _ := tryRead(t, s.Name, path, options)
		if len(again) != len(items) {
			t.Errorf("%s reads %d items, then %d", s.Name, len(items), len(again))
		}
		for i, item := range items {
			switch {
			case item.Bad == nil && (item.Key == "" || len(item.Key) > memory.MaxNameBytes || !utf8.ValidString(item.Key)):
				t.Errorf("%s has the key %q", s.Name, item.Key)
			case i < len(again) && item.Key != again[i].Key:
				t.Errorf("%s has the key %q, then %q", s.Name, item.Key, again[i].Key)
			}
		}
	}
}
