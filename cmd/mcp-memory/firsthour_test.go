package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcp-memory/hosts"
)

// TestUndoAndRedo goes back and forth by the commands.
func TestUndoAndRedo(t *testing.T) {
	m := newMachine(t)
	m.now = someDay
	m.ok("save", "The tram is line 17.")
	id := m.saved("The bridge is closed.")
	m.ok("undo")
	if text := m.ok("list"); strings.Contains(text, "bridge") {
		t.Errorf("after the undo: %s", text)
	}
	m.fails(exitFailed, "mcp-memory redo", "undo", id)
	if text := m.ok("redo"); !strings.Contains(text, "The bridge is closed.") || strings.Contains(text, "taken back") {
		t.Errorf("redo says %s", text)
	}
	if text := m.ok("list"); !strings.Contains(text, "bridge") {
		t.Errorf("after the redo: %s", text)
	}
	m.fails(exitFailed, "there is nothing to redo", "redo")
	m.ok("undo", id)
	m.ok("save", "The ferry is late.")
	m.fails(exitFailed, "there is nothing to redo", "redo")
	m.ok("redo", id)
	if text := m.ok("list"); !strings.Contains(text, "bridge") {
		t.Errorf("after the redo by its id: %s", text)
	}
}

// saved saves a memory and returns its id.
func (m *machine) saved(content string) string {
	var answer struct{ ID string }
	m.read(&answer, "save", content)
	return answer.ID
}

// TestSettingsAreChanged shows, sets and unsets one.
func TestSettingsAreChanged(t *testing.T) {
	m := newMachine(t)
	if text := m.ok("settings", "get", "web.idle"); !strings.HasPrefix(text, "30m  (from default)\n") {
		t.Error(text)
	}
	m.ok("settings", "set", "web.idle", "1h")
	if text := m.ok("settings", "get", "--", "--web-idle"); !strings.HasPrefix(text, "1h  (from config.yaml)\n") {
		t.Error(text)
	}
	m.fails(exitUsage, "30s or 720h", "settings", "set", "web.idle", "soon")
	m.fails(exitUsage, "did you mean web.idle?", "settings", "set", "web.idel", "1h")
	m.fails(exitFailed, "potion-base-99M is not here; there are builtin, table, encoder", "settings", "set", "embed.local", "potion-base-99M")
	m.ok("settings", "set", "embed.local", "table")
	m.ok("settings", "unset", "embed.local")
	m.fails(exitUsage, "--data-dir", "settings", "set", "data_dir", "/tmp")
	m.ok("settings", "unset", "web.idle")
	if text := m.ok("settings", "get", "web.idle"); !strings.HasPrefix(text, "30m  (from default)\n") {
		t.Error(text)
	}
}

// TestNamesThatPeopleTry calls commands and flags by the names that people try first.
func TestNamesThatPeopleTry(t *testing.T) {
	m := newMachine(t)
	m.ok("remember", "The tram is line 17.")
	m.ok("todo", "add", "Renew the certificate", "--due", "friday")
	m.ok("event", "add", "Dentist", "--at", "tomorrow 9am")
	m.ok("diary", "add", "A good day.")
	for _, c := range []struct {
		want string
		args []string
	}{
		{"line 17", []string{"ask", "Which line is the tram?"}},
		{"line 17", []string{"ls"}},
		{"due ", []string{"todos"}},
		{"Dentist", []string{"calendar", "check"}},
		{"A good day.", []string{"diary", "list", "today"}},
		{"No entries.", []string{"diary", "list", "yesterday"}},
		{"A good day.", []string{"diary", "today"}},
		{"No entries.", []string{"diary", "2020-11-01"}},
		{"No learnings.", []string{"learning", "list"}},
	} {
		if text := m.ok(c.args...); !strings.Contains(text, c.want) {
			t.Errorf("%q: %s", c.args, text)
		}
	}
}

// TestRestoreAsksFirst: what is there is not replaced by a slip.
func TestRestoreAsksFirst(t *testing.T) {
	m := newMachine(t)
	m.ok("save", "The tram is line 17.")
	file := filepath.Join(t.TempDir(), "b.tar.gz")
	m.ok("backup", file)
	m.ok("save", "The bridge is closed.")
	m.fails(exitFailed, "--yes", "restore", file)
	if text := m.ok("list"); !strings.Contains(text, "bridge") {
		t.Errorf("replaced without a word: %s", text)
	}
	m.ok("restore", "--yes", file)
	if text := m.ok("list"); strings.Contains(text, "bridge") {
		t.Errorf("not replaced: %s", text)
	}
}

// TestWhatIsSimilarHasCommands: the commands that a save names can be typed as they stand.
func TestWhatIsSimilarHasCommands(t *testing.T) {
	m := newMachine(t)
	old := m.saved("We use PostgreSQL for the invoices database")
	text := m.ok("save", "We use MySQL for the invoices database maybe")
	_, command, found := strings.Cut(text, "no longer holds: mcp-memory ")
	command, _, _ = strings.Cut(command, "\n")
	if !found || !strings.HasPrefix(command, `save "We use MySQL`) || !strings.HasSuffix(command, " --supersedes "+old) {
		t.Fatalf("%q", text)
	}
	parts := strings.Split(command, `"`)
	m.ok(append([]string{"save", parts[1]}, strings.Fields(parts[2])...)...)
	if text := m.ok("list"); strings.Contains(text, "PostgreSQL") {
		t.Errorf("it holds still: %s", text)
	}
	text = m.ok("save", `We use "MySQL" for the invoices database, $HOME`)
	if _, command, found = strings.Cut(text, "no longer holds: mcp-memory "); found && strings.HasPrefix(command, "save") {
		t.Errorf("not every shell reads %q as it is", command)
	}
}

// TestTheBareProgramSaysWhatIsConnected names hosts that are there and connected.
func TestTheBareProgramSaysWhatIsConnected(t *testing.T) {
	m := newMachine(t)
	p := Program{Env: func(name string) string { return m.env[name] }}
	if text := connectedText(hosts.Connected(p.machine())); !strings.Contains(text, "install --help") {
		t.Error(text)
	}
	dir := filepath.Join(m.home, ".cursor")
	program := filepath.Join(m.home, "mcp-memory")
	if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755)); err != nil {
		t.Fatal(err)
	}
	if text := connectedText(hosts.Connected(p.machine())); text != "No host is connected yet. Found and not connected: Cursor." {
		t.Error(text)
	}
	entry := fmt.Sprintf(`{"mcpServers":{"memory":{"command":%q,"args":["serve"]}}}`, program)
	if err := os.WriteFile(filepath.Join(dir, "mcp.json"), []byte(entry), 0o600); err != nil {
		t.Fatal(err)
	}
	if text := connectedText(hosts.Connected(p.machine())); text != "Connected: Cursor." {
		t.Error(text)
	}
}
