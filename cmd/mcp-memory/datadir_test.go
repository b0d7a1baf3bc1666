package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcp-memory/db"
	"mcp-memory/db/sqlite"
	"mcp-memory/embed"
	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
)

// doors are the commands that open the database in different ways.
var doors = [][]string{nil, {"serve"}, {"save", "x"}, {"recall", "x"}, {"stats", "--json"}}

func TestUnusableDataDir(t *testing.T) {
	m := newMachine(t)
	file := filepath.Join(m.home, "file")
	write(t, file, "something else\n")
	occupied := filepath.Join(m.home, "occupied")
	if err := os.MkdirAll(filepath.Join(occupied, databaseName), 0o700); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		file:                                  "cannot be made: not a directory (choose another with --data-dir or MCP_MEMORY_DATA_DIR)",
		filepath.Join(file, "below"):          "cannot be made: not a directory",
		filepath.Join(file, "below", "below"): "cannot be made: not a directory",
		occupied:                              "the database cannot be opened (is a directory)",
	} {
		for _, door := range doors {
			m.fails(exitFailed, want, append([]string{"--data-dir", dir}, door...)...)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "something else\n" {
		t.Errorf("the file is %q, %v", text, err)
	}
}

// store makes a database with a memory in it and returns its path.
func (m *machine) store() string {
	m.t.Helper()
	m.ok("save", "The harbour closes at nine.")
	return filepath.Join(m.dataDir(), databaseName)
}

// raw runs SQL in a database file, without the rest of the program.
func raw(t *testing.T, path, statement string) {
	t.Helper()
	handle, err := testbank.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = handle.Exec(statement)
	if closing := handle.Close(); err != nil || closing != nil {
		t.Fatal(err, closing)
	}
}

// A file that is no database of ours is left as it is, and the reason is said.
func TestUnusableDatabase(t *testing.T) {
	for name, test := range map[string]struct {
		damage func(t *testing.T, path string)
		want   string
	}{
		"text":  {func(t *testing.T, path string) { write(t, path, "Dear diary,\n") }, "not a database"},
		"zeros": {func(t *testing.T, path string) { write(t, path, strings.Repeat("\x00", 8192)) }, "not a database"},
		"truncated": {func(t *testing.T, path string) {
			if err := os.Truncate(path, 20_000); err != nil {
				t.Fatal(err)
			}
		}, "the database is damaged: the file has 20000 bytes"},
		"a page overwritten": {func(t *testing.T, path string) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			copy(text[100:], bytes.Repeat([]byte{0xff}, 3000)) // the schema
			write(t, path, string(text))
		}, "the database is damaged (`mcp-memory doctor` says where"},
		"newer": {func(t *testing.T, path string) {
			raw(t, path, fmt.Sprintf("PRAGMA user_version = %d", sqlite.SchemaVersion()+1))
		}, "newer than this program's"},
		"of another program": {func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			raw(t, path, "CREATE TABLE songs (title TEXT)")
		}, "a database of another program (choose another data directory)"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			path := m.store()
			test.damage(t, path)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, door := range doors {
				m.fails(exitFailed, test.want, door...)
			}
			after, err := os.ReadFile(path)
			if err != nil || !bytes.Equal(before, after) {
				t.Errorf("the file was changed, %v", err)
			}
		})
	}
}

// An empty file is what a crash before the first commit leaves behind.
func TestEmptyDatabase(t *testing.T) {
	m := newMachine(t)
	write(t, filepath.Join(m.dataDir(), databaseName), "")
	m.ok("save", "The harbour closes at nine.")
	if text := m.ok("recall", "harbour"); !strings.Contains(text, "nine") {
		t.Errorf("recall prints %q", text)
	}
}

// While another handle keeps the write lock, reading goes on, and a write
// fails with the reason. The store waits long for the lock; test/process has
// the whole program do so.
func TestLockedDatabase(t *testing.T) {
	m := newMachine(t)
	path := m.store()
	first := openStore(t, path, time.Second)
	second := openStore(t, path, 20*time.Millisecond)
	err := first.Write(t.Context(), "ann", func(memory.Tx) error {
		if text := m.ok("stats"); !strings.Contains(text, "1 live") {
			t.Errorf("stats prints %q", text)
		}
		err := second.Write(context.Background(), "bob", func(memory.Tx) error { return nil })
		if exitCodes[memory.CodeOf(err)] != exitFailed || !strings.Contains(message(err), "locked by another process") {
			t.Errorf("a write got %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	m.ok("save", "The lock is gone.")
}

func openStore(t *testing.T, path string, busy time.Duration) memory.Store {
	t.Helper()
	s, err := db.Open(t.Context(), path, db.Options{Embedder: embed.NewBuiltin().Fingerprint(), Clock: time.Now, BusyTimeout: busy})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}
