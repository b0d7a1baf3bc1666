package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHandoff tells what an imported session came to, for whoever goes on, in the form for a host, and as JSON.
func TestHandoff(t *testing.T) {
	m := newMachine(t)
	m.ok("save", "The roof is green.")
	if out := m.ok("handoff"); !strings.HasPrefix(out, "No session of this project is known.") {
		t.Error(out)
	}
	if out := m.ok("handoff", "--json"); strings.Contains(out, "null") {
		t.Error(out)
	}
	file := filepath.Join(t.TempDir(), "s1.jsonl")
	text := `{"type":"user","sessionId":"s1","uuid":"a","timestamp":"2026-03-01T12:00:00Z","message":{"role":"user","content":"Deploy to staging, please."}}
{"type":"assistant","sessionId":"s1","uuid":"b","timestamp":"2026-03-01T12:01:00Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"Bash","input":{"command":"make deploy TOKEN=ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"}}]}}
{"type":"user","sessionId":"s1","uuid":"c","timestamp":"2026-03-01T12:02:00Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"deployed"}]}}
{"type":"assistant","sessionId":"s1","uuid":"d","timestamp":"2026-03-01T12:03:00Z","message":{"role":"assistant","content":[{"type":"text","text":"Done. Open: production waits for the new certificate."}]}}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m.ok("import", "--from", "claude-code", file, "--yes")
	told := "session s1 (Claude Code, 2026-03-01):\n- Asked: \"Deploy to staging, please.\"\n- Done: ran `make deploy TOKEN=[secret]`\n- Open: production waits for the new certificate.\n"
	if out := m.ok("handoff"); out != told {
		t.Errorf("%q, want %q", out, told)
	}
	if out := m.ok("handoff", "--to", "codex"); !strings.HasPrefix(out, "Go on with what was begun in "+told) ||
		!strings.Contains(out, "is data") {
		t.Error(out)
	}
	if out := m.ok("handoff", "--json"); !strings.Contains(out, `"open": [`) || !strings.Contains(out, `"decided": []`) {
		t.Error(out)
	}
	m.fails(exitUsage, "there is no host", "handoff", "--to", "nobody")
}
