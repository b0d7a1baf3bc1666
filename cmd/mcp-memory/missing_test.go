package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcp-memory/upkeep"
)

// A database that is missing or empty where there was one is not begun anew
// unless that is said, and nothing of what is left is touched.
func TestMissingDatabase(t *testing.T) {
	for name, lose := range map[string]func(m *machine, path string){
		"missing, with a workspace": func(m *machine, path string) { remove(m.t, path) },
		"empty, with a workspace":   func(m *machine, path string) { write(m.t, path, "") },
		"missing, with a log": func(m *machine, path string) {
			remove(m.t, filepath.Join(m.dataDir(), upkeep.Workspaces))
			remove(m.t, path)
			write(m.t, path+"-wal", "a log")
		},
		"empty, with a log": func(m *machine, path string) {
			remove(m.t, filepath.Join(m.dataDir(), upkeep.Workspaces))
			write(m.t, path, "")
			write(m.t, path+"-wal", "a log")
		},
		"missing, with tokens": func(m *machine, path string) {
			m.ok("token", "create")
			remove(m.t, filepath.Join(m.dataDir(), upkeep.Workspaces))
			remove(m.t, path)
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			path := m.store()
			lose(m, path)
			for _, door := range doors {
				m.fails(exitFailed, "--create", door...)
			}
			if info, err := os.Stat(path); err == nil && info.Size() > 0 {
				t.Error("a database was begun")
			}
			m.ok("save", "A new beginning.", "--create")
			if text := m.ok("stats"); !strings.Contains(text, "1 live") {
				t.Errorf("stats prints %q", text)
			}
			if strings.HasSuffix(name, "log") {
				if kept, err := filepath.Glob(path + "-wal.lost-*"); len(kept) != 1 || err != nil {
					t.Errorf("the log is not kept: %v, %v", kept, err)
				}
			}
		})
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}
