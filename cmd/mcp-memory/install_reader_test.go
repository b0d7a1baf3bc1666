package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Who reads conversations is nobody but the rules until that is chosen, by a flag.
func TestInstallReader(t *testing.T) {
	m := newMachine(t)
	t.Setenv("PATH", t.TempDir())
	write(t, filepath.Join(m.home, ".cursor", "mcp.json"), "{}\n")
	config := filepath.Join(m.home, ".local", "share", "mcp-memory", "config.yaml")
	m.env["MCP_MEMORY_DATA_DIR"] = filepath.Dir(config)
	m.run("", "install", "cursor")
	if text, err := os.ReadFile(config); err == nil {
		t.Errorf("without being asked it wrote %s", text)
	}
	if r := m.run("", "install", "cursor", "--reader", "claude", "--dry-run"); !strings.Contains(r.stdout, "would write llm.command") {
		t.Errorf("%+v", r)
	}
	if _, err := os.ReadFile(config); err == nil {
		t.Error("the dry run has written")
	}
	if out := m.run("", "install", "cursor", "--reader", "claude").stdout; !strings.Contains(out, "read by claude") {
		t.Errorf("it says %s", out)
	}
	if text, _ := os.ReadFile(config); string(text) != "llm.command: \"claude -p --model haiku\"\n" {
		t.Errorf("config.yaml has %s", text)
	}
	if out := m.run("", "doctor").stdout; !strings.Contains(out, "asked 0 of at most 200 times today") {
		t.Errorf("doctor says %s", out)
	}
	m.env["MCP_MEMORY_ANSWERING"] = "1" // what claude would start
	if r := m.run("{}", "serve"); r.code == exitDone || !strings.Contains(r.stderr, "MCP_MEMORY_ANSWERING") {
		t.Errorf("%+v", r)
	}
	delete(m.env, "MCP_MEMORY_ANSWERING")
	if out := m.run("", "install", "cursor", "--reader", "rules").stdout; !strings.Contains(out, "rules on this machine") {
		t.Errorf("it says %s", out)
	}
	if text, _ := os.ReadFile(config); strings.Contains(string(text), "llm") {
		t.Errorf("config.yaml has %s", text)
	}
	if r := m.run("", "install", "cursor", "--reader", "nobody"); r.code != exitUsage ||
		!strings.Contains(r.stderr, "claude, codex, gemini") {
		t.Errorf("%+v", r)
	}
}
