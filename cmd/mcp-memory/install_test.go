package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestInstall(t *testing.T) {
	m := newMachine(t)
	t.Setenv("PATH", t.TempDir()) // no host's command
	if out := m.ok("install"); !strings.Contains(out, "None of the known hosts") || !strings.Contains(out, "claude-code") {
		t.Errorf("install prints %q", out)
	}
	path := filepath.Join(m.home, ".cursor", "mcp.json")
	write(t, path, "{\n  // mine\n  \"other\": 1\n}\n")
	if out := m.ok("install"); !strings.Contains(out, "mcp-memory install cursor") {
		t.Errorf("install prints %q", out)
	}
	if r := m.run("", "install", "--dry-run"); r.code != exitDone ||
		!strings.HasPrefix(r.stdout, "Cursor\n  would write the server:\n--- ") {
		t.Errorf("a dry run of what is found prints %q and %q", r.stdout, r.stderr)
	}
	out := m.run("", "install", "cursor", "--dry-run", "--agent", "anna").stdout
	if !strings.Contains(out, "\n+  \"mcpServers\": {\n") || !strings.Contains(out, `"--agent"`) ||
		!strings.Contains(out, "hook --host cursor --agent anna") {
		t.Errorf("the dry run prints %s", out)
	}
	if text, _ := os.ReadFile(path); string(text) != "{\n  // mine\n  \"other\": 1\n}\n" {
		t.Errorf("the dry run has written %s", text)
	}
	if r := m.run("", "install", "cursor"); r.code != exitDone || !strings.Contains(r.stdout, "wrote the hooks") {
		t.Errorf("%+v", r)
	}
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), "// mine") {
		t.Errorf("%s, %v", text, err)
	}
	if r := m.run("", "install", "cursor"); r.code != exitDone || !strings.Contains(r.stdout, "nothing was changed") {
		t.Errorf("%+v", r)
	}
	m.ok("uninstall", "cursor")
	if text, _ := os.ReadFile(path); string(text) != "{\n  // mine\n  \"other\": 1\n}\n" {
		t.Errorf("left %s", text)
	}
}

// TestInstallSaysWhatToDo covers what is refused, and how it is said.
func TestInstallSaysWhatToDo(t *testing.T) {
	m := newMachine(t)
	t.Setenv("PATH", t.TempDir())
	write(t, filepath.Join(m.home, ".cursor", "mcp.json"), "{")
	for _, c := range []struct {
		args         string
		code         int
		says, stdout string
	}{
		{"install nothing", exitUsage, "one of claude-code", ""},
		{"install cursor --scope all", exitUsage, "user or project", ""},
		{"install claude-desktop --scope project", exitUsage, "--scope user", ""},
		{"install cursor --http file:///x", exitUsage, "such as https://", ""},
		{"install cursor --http https://user:pw@x/", exitUsage, "such as https://", ""},
		{"install cursor --token x", exitUsage, "--http URL", ""},
		{"install cursor --name workspace", exitUsage, "letters, digits", ""},
		{"install cursor --http https://x/mcp --token x --scope project", exitUsage, "shared", ""},
		{"install cursor", exitFailed, "it is not JSON: line 1", `"mcpServers"`},
		{"install claude-code", exitFailed, "its command claude is not on the PATH",
			"the rest is to be done by hand:\n\nclaude mcp add --scope user memory -- "},
		{"install claude-code --no-hooks", exitFailed, "its command claude is not on the PATH",
			"nothing was changed; to do it by hand:\n\nclaude mcp add --scope user memory -- "},
		{"uninstall", exitUsage, "mcp-memory uninstall HOST; mcp-memory doctor shows which", ""},
	} {
		r := m.run("", strings.Fields(c.args)...)
		if r.code != c.code || !strings.Contains(r.stderr, c.says) || !strings.Contains(r.stdout, c.stdout) {
			t.Errorf("%s: %+v", c.args, r)
		}
	}
	earlier := filepath.Join(m.home, ".claude", "projects")
	mkdir(t, filepath.Join(earlier, "-home-anna"))
	if err := os.Remove(filepath.Join(m.home, ".claude", "settings.json")); err != nil {
		t.Fatal(err)
	}
	if r := m.run("", "install", "claude-code"); r.code != exitFailed || !strings.Contains(r.stdout, "→ Earlier sessions are in "+earlier) {
		t.Errorf("without the host's command nothing is said of earlier sessions: %+v", r)
	}
	mkdir(t, filepath.Join(m.home, "project", ".git"))
	t.Chdir(filepath.Join(m.home, "project"))
	if r := m.run("", "install", "gemini", "--scope", "project", "--dry-run"); r.code != exitDone ||
		!strings.Contains(r.stderr, "is a path of this machine") {
		t.Errorf("a path in a shared file: %+v", r)
	}
	if r := m.run("", "install", "gemini", "--dry-run"); strings.Contains(r.stderr, "is a path of this machine") {
		t.Errorf("a path in a file of one's own: %+v", r)
	}
	var shown []struct {
		Changes []struct{ What, Path, Diff string }
	}
	if r := m.run("", "install", "kiro", "--dry-run", "--json"); json.Unmarshal([]byte(r.stdout), &shown) != nil || len(shown) != 1 ||
		len(shown[0].Changes) != 1 || shown[0].Changes[0].What != "server" || !strings.Contains(r.stdout, `"diff": "--- `) {
		t.Errorf("%+v", r)
	}
	var results []struct{ Host, Error, Snippet string }
	r := m.run("", "install", "cursor", "--json")
	if err := json.Unmarshal([]byte(r.stdout), &results); err != nil || len(results) != 1 || results[0].Host != "cursor" ||
		results[0].Error == "" || results[0].Snippet == "" {
		t.Errorf("%+v: %v", r, err)
	}
}

// TestInstallPassesWhereTheMemoryIs wants a host to start the memory that the person sees.
func TestInstallPassesWhereTheMemoryIs(t *testing.T) {
	m := newMachine(t)
	t.Setenv("PATH", t.TempDir())
	m.env["MCP_MEMORY_DATA_DIR"], m.env["MCP_MEMORY_LOG_LEVEL"] = "elsewhere", "error"
	m.run("", "install", "cursor", "--tools", "core,todo")
	text, err := os.ReadFile(filepath.Join(m.home, ".cursor", "mcp.json"))
	working, _ := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"--data-dir"`, filepath.Join(working, "elsewhere"), `"--tools"`, `"core,todo"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
	if strings.Contains(string(text), "log-level") {
		t.Errorf("a passing setting is in %s", text)
	}
}
