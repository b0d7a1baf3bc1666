package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/upkeep"
)

// backups makes a store and a backup of it.
func (m *machine) backup() (file string) {
	m.t.Helper()
	m.store()
	write(m.t, filepath.Join(m.dataDir(), upkeep.Config), "memory_window: 40\n")
	file = filepath.Join(m.home, "a backup.tar.gz")
	if text := m.ok("backup", file); !strings.HasPrefix(text, "Backed up 1 memory and 0 messages of 1 bank, read again and checked: ") {
		m.t.Errorf("backup prints %q", text)
	}
	return file
}

func TestBackupAndRestore(t *testing.T) {
	m := newMachine(t)
	m.ok("token", "create")
	file := m.backup()
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	m.fails(exitFailed, "exists", "backup", file)
	m.ok("backup", file, "--force")
	m.ok("save", "What came later.")
	write(t, filepath.Join(m.dataDir(), upkeep.Config), "memory_window: 30\n")

	var restored struct{ Before string }
	m.read(&restored, "restore", "--yes", file)
	if text := m.ok("stats"); !strings.Contains(text, "1 live") {
		t.Errorf("stats prints %q", text)
	}
	if text := m.ok("recall", "harbour"); !strings.Contains(text, "nine") {
		t.Errorf("recall prints %q", text)
	}
	if value, _ := m.setting("memory_window"); value != "40" {
		t.Errorf("memory_window is %q", value)
	}
	logs, err := filepath.Glob(filepath.Join(m.dataDir(), upkeep.Workspaces, "*", "memory", "*.md"))
	if err != nil || len(logs) != 1 {
		t.Fatalf("%v, %v", logs, err)
	}
	if text, err := os.ReadFile(logs[0]); err != nil || !strings.Contains(string(text), "harbour") ||
		strings.Contains(string(text), "later") {
		t.Errorf("the log of the day is %q, %v", text, err)
	}
	if text := m.ok("stats", "--data-dir", filepath.Join(m.dataDir(), restored.Before)); !strings.Contains(text, "2 live") {
		t.Errorf("before, there was %q", text)
	}
	entries, err := os.ReadDir(m.dataDir())
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || e.Name() == "exchange.json" {
			t.Errorf("%s is left", e.Name())
		}
	}
	if err != nil || !upkeep.TokensNoted(m.dataDir()) {
		t.Errorf("the note of tokens is gone, %v", err)
	}
	// To a machine that has nothing.
	other := newMachine(t)
	if text := other.ok("restore", file); strings.Contains(text, "before") {
		t.Errorf("restore prints %q", text)
	}
	if text := other.ok("recall", "harbour"); !strings.Contains(text, "nine") || !upkeep.TokensNoted(other.dataDir()) {
		t.Errorf("recall prints %q", text)
	}
}

// A backup that is not what was written is refused, and nothing is changed.
func TestRestoreOfDamagedBackup(t *testing.T) {
	m := newMachine(t)
	file := m.backup()
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m.ok("save", "What came later.")
	before := tree(t, m.dataDir())
	for name, text := range map[string][]byte{
		"empty": nil, "text": []byte("Dear diary,\n"), "half": good[:len(good)/2], "without its end": good[:len(good)-20],
		"a byte changed": changed(good, len(good)/2), "a late byte changed": changed(good, len(good)-100),
	} {
		write(t, file, string(text))
		m.fails(exitFailed, "backup", "restore", "--yes", file)
		if after := tree(t, m.dataDir()); after != before {
			t.Errorf("%s: changed from\n%s\nto\n%s", name, before, after)
		}
	}
	m.fails(exitFailed, "cannot be read", "restore", "--yes", file+".missing")
}

func changed(text []byte, at int) []byte {
	text = bytes.Clone(text)
	text[at] ^= 0x10
	return text
}

// tree lists a directory with the sizes of its files.
func tree(t *testing.T, dir string) string {
	t.Helper()
	sizes := map[string]int64{}
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			sizes[path] = info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(sizes, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestBackupsAreRotated(t *testing.T) {
	m := newMachine(t)
	m.store()
	dir := filepath.Join(m.home, "backups")
	other := filepath.Join(dir, "mcp-memory-notes.tar.gz")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, other, "x")
	for _, day := range []string{"01", "02", "03"} {
		write(t, filepath.Join(dir, "mcp-memory-202602"+day+"-120000.tar.gz"), "x")
	}
	m.ok("backup", dir, "--keep", "2")
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) != 3 || filepath.Base(left[0]) != "mcp-memory-20260203-120000.tar.gz" || left[2] != other {
		t.Errorf("left: %v, %v", left, err)
	}
	m.ok("restore", "--yes", left[1])
	if r := m.run("", "backup", filepath.Join(m.home, "x.tar.gz"), "--keep", "2"); r.code != exitUsage {
		t.Errorf("--keep with a file: %+v", r)
	}
}

// A restore does not pull the directory away from under a process.
func TestRestoreWhileInUse(t *testing.T) {
	m := newMachine(t)
	file := m.backup()
	user, err := upkeep.Enter(t.Context(), m.dataDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	m.fails(exitFailed, "in use by another process", "restore", "--yes", file)
	m.ok("stats")
	if err := user.Leave(); err != nil {
		t.Fatal(err)
	}
	m.ok("restore", "--yes", file)
}

// A text that is not what was saved is copied as it is, and told of by doctor: a
// backup with it is worth more than none.
func TestBackupOfChangedText(t *testing.T) {
	m := newMachine(t)
	path := m.store()
	bySQL(`UPDATE records SET content = 'The harbour closes at ten.'`)(m, path)
	file := filepath.Join(t.TempDir(), "backup.tar.gz")
	m.ok("backup", file)
	remove(t, path)
	m.ok("restore", "--yes", file)
	if f := m.findings(exitFailed)["contents"]; f.Condition != memory.ConditionBroken {
		t.Errorf("%+v", f)
	}
}
