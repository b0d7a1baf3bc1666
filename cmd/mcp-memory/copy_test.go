package main

import (
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
	if text := m.ok("copy", "--from", "sqlite:"+filepath.Join(from, databaseName), "--to", to); !strings.HasPrefix(text, "Copied 1 bank to ") || !strings.Contains(text, "1 bank was there already") {
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
