// Package fuzz fuzzes the readers of other programs' data without a database: with
// SQLite in the test a fuzzer measures the coverage of all of it, and gets nowhere.
package fuzz

import (
	"context"
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
	entries, err := filepath.Glob(filepath.Join("..", "testdata", "*.json*"))
	if err != nil {
		f.Fatal(err)
	}
	notes, _ := filepath.Glob(filepath.Join("..", "testdata", "*", "*", "*.md"))
	for _, name := range append(entries, notes...) {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, text := range exports {
		f.Add([]byte(text))
	}
	f.Add([]byte("SQLite format 3\x00 and then nothing"))
	f.Fuzz(readBytes)
}

// exports are small ones of chats.
var exports = []string{
	`[{"title":"t","create_time":1.5,"current_node":"b","mapping":{"a":{"id":"a","message":null,"children":["b"]},"b":{"id":"b","parent":"a","children":[],` +
		`"message":{"id":"b","author":{"role":"user"},"create_time":2,"content":{"content_type":"text","parts":["Hello"]}}}}}]`,
	`[{"uuid":"u","name":"n","created_at":"2026-01-02T03:04:05Z","updated_at":"2026-01-02T03:04:05Z","account":{"uuid":"x"},` +
		`"chat_messages":[{"uuid":"m","sender":"human","text":"","content":[{"type":"text","text":"Hi"}],"created_at":"2026-01-02T03:04:05Z"}]}]`,
	`[{"conversations_memory":"# Work\n- Ann likes tea","project_memories":{"p":"Uses Go."},"account_uuid":"x"}]`,
	`[{"uuid":"p","name":"Shop","description":"d","prompt_template":"t","docs":[{"uuid":"d","filename":"f","content":"c"}]}]`,
	`{"mem:memories":{"mem_1":{"id":"mem_1","content":"The queue is NATS."}}}`,
}

// noDatabase stands for a database that cannot be opened.
func noDatabase(context.Context, string) (foreign.Database, error) {
	return nil, memory.Errorf(memory.CodeUnavailable, "there is no database here")
}

// TestMutatedData is the same for data that was hit by a few bytes.
func TestMutatedData(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	names, err := filepath.Glob(filepath.Join("..", "testdata", "*.json*"))
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
	err := errors.Join(os.WriteFile(file, text, 0o600), os.Mkdir(folder, 0o700), os.WriteFile(note, text, 0o600),
		os.MkdirAll(filepath.Dir(claude), 0o700), os.WriteFile(claude, text, 0o600))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := foreign.Look(t.Context(), file, noDatabase); err != nil && memory.CodeOf(err) == memory.CodeInternal {
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
		items, err := read(t, s, path, options)
		if err != nil && memory.CodeOf(err) == memory.CodeInternal {
			t.Errorf("%s: %v", s.Name, err)
		}
		again, _ := read(t, s, path, options)
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

func read(t *testing.T, s foreign.Source, path string, o foreign.Options) (items []foreign.Item, err error) {
	t.Helper()
	err = foreign.Read(t.Context(), []foreign.Target{{Source: s, Path: path}}, foreign.Input{Open: noDatabase, Options: o},
		func(i foreign.Item) error { items = append(items, i); return nil })
	return items, err
}
