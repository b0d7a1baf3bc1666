package main

import (
	"strings"
	"testing"
)

// --agent says whose bank it is, also where a tool has an argument of that name.
func TestAgentOfFamilies(t *testing.T) {
	m := newMachine(t)
	m.ok("people", "update", "boris", "--agent", "anna", "--trust-level", "0.8", "--type", "ally")
	m.ok("people", "update", "anna", "--agent", "boris")
	for _, args := range [][]string{{"people", "--agent", "anna"}, {"people", "list", "--type", "ally", "--agent", "anna"}} {
		if out := m.ok(args...); !strings.Contains(out, "boris") || strings.Count(out, "\n") != 2 {
			t.Errorf("%v: %q", args, out)
		}
	}
	m.env["MCP_MEMORY_AGENT"] = "anna"
	m.ok("link", "request", "boris")
	if out := m.ok("link", "pending", "--agent", "boris"); !strings.Contains(out, "anna asks boris") {
		t.Errorf("pending %q", out)
	}
}

func TestProcedureOnTheCommandLine(t *testing.T) {
	m := newMachine(t)
	m.ok("procedures", "save", "deploy", "--steps", `[{"action":"Run tests","expected_outcome":"They pass, all"},{"action":"Push"}]`, "--prerequisites", "a key,a tag")
	m.ok("procedures", "run", "deploy", "--success")
	var found struct {
		Items []struct {
			Steps         []map[string]any
			Prerequisites []string
			SuccessRate   float64 `json:"success_rate"`
		}
	}
	m.read(&found, "procedures", "find", "deploy")
	if len(found.Items) != 1 || len(found.Items[0].Steps) != 2 || len(found.Items[0].Prerequisites) != 2 || found.Items[0].SuccessRate != 1 {
		t.Errorf("found %+v", found)
	}
	m.fails(exitUsage, "JSON", "procedures", "save", "x", "--steps", "nonsense")
	m.fails(exitUsage, "steps", "procedures", "save", "x", "--steps", "{}")
	m.fails(exitUsage, "steps", "procedures", "save", "x", "--steps", "[]")
	m.fails(exitUsage, "unknown command", "procedures", "nope")
}
