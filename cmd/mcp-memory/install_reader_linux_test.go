package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A person at a terminal is asked who reads, of what is there; Enter leaves it to the rules.
func TestInstallAsksWhoReads(t *testing.T) {
	for answer, want := range map[string]string{"n\ny\nclaude": "claude -p", "n\ny\n": "", "n\ny\ncodex": ""} {
		m := newMachine(t)
		bin := t.TempDir()
		t.Setenv("PATH", bin)
		m.env["PATH"] = bin
		if err := os.WriteFile(filepath.Join(bin, "claude"), []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(m.home, ".cursor", "mcp.json"), "{}\n")
		m.env["MCP_MEMORY_DATA_DIR"] = filepath.Join(m.home, "data")
		r := m.answer(answer, "install") // Claude Code, which is there too, is not connected
		text, _ := os.ReadFile(filepath.Join(m.home, "data", "config.yaml"))
		if !strings.Contains(r.stdout, "rules on this machine, or claude, on your subscription?") ||
			strings.Contains(string(text), "llm.command") != (want != "") || !strings.Contains(string(text), want) {
			t.Errorf("%q: %+v, config.yaml has %s", answer, r, text)
		}
	}
}
