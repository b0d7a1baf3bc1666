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

// What a hook asks before a tool is used: a few lines, or nothing at all.
func TestLearningsAboutATool(t *testing.T) {
	m := newMachine(t)
	asked := func(want string, args ...string) {
		t.Helper()
		if got := m.ok(append([]string{"learnings"}, args...)...); got != want {
			t.Errorf("%v prints %q, want %q", args, got, want)
		}
	}
	asked("", "--tool", "git") // before anything was saved
	asked("{\n  \"items\": [],\n  \"total\": 0\n}\n", "--tool", "git", "--json")
	m.fails(exitFailed, "there is no memory", "learnings")
	m.ok("save", "The cat is black.")
	asked("", "--tool", "git")
	asked("No learnings.\n")
	m.ok("learnings", "record", "The first push needs -u.", "--kind", "error", "--tool", "Bash: git push")
	m.ok("learnings", "record", "The first push needs -u", "--kind", "error")
	m.ok("learnings", "record", "Commits are in the imperative.", "--kind", "correction", "--tool", "git")
	asked("- correction: Commits are in the imperative.\n- error, 2 times: The first push needs -u.\n", "--tool", "Bash: GIT pull")
	asked("", "list", "--tool", "make")
	for _, name := range []string{"one", "two", "three", "four", "five", "six"} {
		m.ok("learnings", "record", "The remote "+name+" is slow.", "--kind", "error", "--tool", "git")
	}
	if got := m.ok("learnings", "--tool", "git"); strings.Count(got, "\n") != 5 || !strings.HasPrefix(got, "- correction: ") {
		t.Errorf("prints %q", got)
	}
	var found struct {
		Items []struct{ Tool string }
		Total int
	}
	if m.read(&found, "learnings", "--tool", "git"); found.Total != 8 || len(found.Items) != 8 {
		t.Errorf("found %+v", found)
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

// A time without an offset is UTC whatever the time zone: who meant the other
// one sees it at once.
func TestCalendarOnTheCommandLine(t *testing.T) {
	m := newMachine(t)
	out := m.ok("calendar", "add", "Regatta", "--starts-at", "2026-07-01T09:00", "--time-zone", "Europe/Berlin", "--recurrence", "FREQ=DAILY;UNTIL=20260702")
	if !strings.HasSuffix(out, " for 2026-07-01 09:00 UTC (11:00 in Europe/Berlin).\n") {
		t.Errorf("added %q", out)
	}
	if out := m.ok("calendar", "add", "Vote", "--starts-at", "2026-07-02T12:00Z"); !strings.HasSuffix(out, " for 2026-07-02 12:00 UTC.\n") {
		t.Errorf("added %q", out)
	}
	out = m.ok("calendar", "show", "--from", "2026-07-01", "--to", "2026-07-31")
	if strings.Count(out, "Regatta") != 2 || strings.Count(out, "Vote") != 1 {
		t.Errorf("shown\n%s", out)
	}
	m.ok("calendar", "add", "Roll call", "--starts-at", "2027-01-01T08:00", "--recurrence", "FREQ=DAILY")
	out = m.ok("calendar", "show", "--from", "2027-01-01", "--to", "2028-01-01")
	if strings.Count(out, "Roll call") != 100 || !strings.Contains(out, "100 of 365 events.\n") {
		t.Errorf("a year ends with %q", out[max(0, len(out)-100):])
	}
	m.fails(exitUsage, "COUNT", "calendar", "add", "x", "--starts-at", "2026-07-01", "--recurrence", "FREQ=DAILY;COUNT=0")
}
