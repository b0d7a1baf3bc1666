package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcp-memory/memory"
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

// Before anything was saved nothing is broken: that is what a new user's doctor says.
func TestDoctorBeforeTheFirstSave(t *testing.T) {
	m := newMachine(t)
	if f := m.findings(exitDone)["directory"]; f.Condition != memory.ConditionWarning ||
		!strings.Contains(f.Detail, "nothing has been saved yet") {
		t.Errorf("%+v", f)
	}
	if _, err := os.Stat(m.dataDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the directory was made, %v", err)
	}
	m.ok("save", "A beginning.")
	if f := m.findings(exitDone)["directory"]; f.Condition != memory.ConditionOK {
		t.Errorf("%+v", f)
	}
}

// What only reads begins no memory in a directory that was named by mistake, and backs up none.
func TestReadersBeginNothing(t *testing.T) {
	m := newMachine(t)
	m.store()
	file := filepath.Join(m.home, "copy")
	empty := filepath.Join(m.home, "empty")
	mkdir(t, empty)
	for _, args := range [][]string{
		{"backup", file}, {"export", file}, {"export", "-"}, {"stats"}, {"recall", "harbour"}, {"search", "harbour"}, {"get", "x"},
		{"agent", "list"}, {"agent", "erase", "ann", "--confirm"}, {"token", "list"}, {"token", "revoke", "x"}, {"project", "list"},
		{"project", "merge", "a", "b"}, {"todo", "list"}, {"diary", "read"}, {"doctor", "--repair"},
	} {
		for _, dir := range []string{empty, filepath.Join(m.home, "mistyped")} {
			m.fails(exitFailed, "there is no memory in "+dir, append(args, "--data-dir", dir)...)
		}
	}
	if _, err := os.Stat(filepath.Join(m.home, "mistyped")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the directory was made, %v", err)
	}
	if left, err := os.ReadDir(empty); len(left) > 0 || err != nil {
		t.Errorf("%v was made, %v", left, err)
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a copy was made, %v", err)
	}
	for _, dir := range []string{empty, filepath.Join(m.home, "mistyped")} {
		found := m.findings(exitFailed, "--data-dir", dir)
		if f := found["file"]; f.Detail != "there is no memory in "+dir || !strings.Contains(f.Advice, "--data-dir") ||
			strings.Contains(f.Advice, "--create") {
			t.Errorf("%+v", f)
		}
	}
	m.ok("save", "A beginning.", "--data-dir", empty)
	if text := m.ok("stats", "--data-dir", empty); !strings.Contains(text, "1 live") {
		t.Errorf("stats prints %q", text)
	}
}
