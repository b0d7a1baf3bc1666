package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcp-memory/transfer/moving"
)

func TestCopyOfFiles(t *testing.T) {
	m := newMachine(t)
	m.ok("save", "The harbour is deep.")
	m.ok("--agent", "bob", "save", "The quay is long.")
	from, to := m.dataDir(), filepath.Join(t.TempDir(), "copy")
	var r moving.Report
	m.read(&r, "copy", "--from", from, "--to", to, "--agent", "bob")
	if r.Banks != 1 || r.Copied != 1 || r.Rows["records"] != 1 || r.SumFrom != r.SumTo {
		t.Errorf("%+v", r)
	}
	if text := m.ok("copy", "--from", "sqlite:"+filepath.Join(from, databaseName), "--to", to); !strings.HasPrefix(text,
		"Copied 1 bank to ") || !strings.Contains(text, "1 bank was there already") {
		t.Errorf("all of them: %q", text)
	}
	if text := m.ok("--data-dir", to, "recall", "harbour"); !strings.Contains(text, "The harbour is deep.") {
		t.Errorf("recalled %q", text)
	}
	m.fails(exitUsage, "--from URL and --to URL", "copy", "--from", from)
	m.fails(exitUsage, "same database", "copy", "--from", from, "--to", from)
	m.fails(exitFailed, "there is no memory", "copy", "--from", filepath.Join(to, "nothere"), "--to", from)
	m.fails(exitFailed, "no bank of agent", "copy", "--from", from, "--to", to, "--agent", "nobody")
	m.ok("--data-dir", to, "save", "The harbour is closed.")
	m.fails(exitFailed, "something else in the banks of: default", "copy", "--from", from, "--to", to)
}

// TestCopyOfWorkspaces copies to where there is no place for files, and from where one
// cannot be read: both are said, behind what was copied.
func TestCopyOfWorkspaces(t *testing.T) {
	m := newMachine(t)
	m.ok("save", "The harbour is deep.")
	beside := filepath.Join(t.TempDir(), "other.db")
	const why = "nobody knows where they belong in the copy: the database is in no data directory"
	if text := m.ok("copy", "--from", m.dataDir(), "--to", beside); !strings.HasPrefix(text, "Copied 1 bank to ") ||
		!strings.HasSuffix(text, "\nFiles of workspaces were left out, as "+why+".\n") {
		t.Errorf("to a file beside no workspaces: %q", text)
	}
	var r struct{ Files copiedFiles }
	if m.read(&r, "copy", "--from", m.dataDir(), "--to", beside); r.Files.LeftOut != why {
		t.Errorf("%+v", r)
	}
	if text := m.ok("copy", "--from", beside, "--to", filepath.Join(t.TempDir(), "back")); !strings.Contains(text,
		"left out, as nobody knows where the source has them") {
		t.Errorf("from a file beside no workspaces: %q", text)
	}
	to := filepath.Join(t.TempDir(), "copy")
	if text := m.ok("copy", "--from", m.dataDir(), "--to", to); !strings.Contains(text, "\nWith them ") {
		t.Errorf("to a data directory: %q", text)
	}
	files := filepath.Join(to, "workspaces", "default")
	if err := errors.Join(os.RemoveAll(files), os.WriteFile(files, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if got := m.run("", "copy", "--from", m.dataDir(), "--to", to); got.code != exitFailed ||
		!strings.Contains(got.stdout, "1 bank was there already") || !strings.Contains(got.stderr, "workspace of default: ") {
		t.Errorf("to where a file is in the way: %+v", got)
	}
}
