package main

import (
	"regexp"
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
	m.ok("procedures", "save", "deploy", "--steps", `[{"action":"Run tests","expected_outcome":"They pass, all"},{"action":"Push"}]`,
		"--prerequisites", "a key,a tag")
	m.ok("procedures", "run", "deploy", "--success")
	var found struct {
		Items []struct {
			Steps         []map[string]any
			Prerequisites []string
			SuccessRate   float64 `json:"success_rate"`
		}
	}
	m.read(&found, "procedures", "find", "deploy")
	if len(found.Items) != 1 || len(found.Items[0].Steps) != 2 || len(found.Items[0].Prerequisites) != 2 ||
		found.Items[0].SuccessRate != 1 {
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
	out := m.ok("calendar", "add", "Regatta", "--starts-at", "2026-07-01T09:00", "--time-zone", "Europe/Berlin", "--recurrence",
		"FREQ=DAILY;UNTIL=20260702")
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

// TestEventsKeepTheHour: what comes again comes at the same hour of the user's clocks, also when
// they were set forward meanwhile (on 29 March 2026), if no other zone was named.
func TestEventsKeepTheHour(t *testing.T) {
	m := newMachine(t)
	m.env["MCP_MEMORY_TIME_ZONE"] = "Europe/Oslo"
	m.ok("calendar", "add", "Rowing", "--starts-at", "2026-03-23 18:00", "--recurrence", "FREQ=WEEKLY;COUNT=2")
	m.ok("calendar", "add", "Call with the yard", "--starts-at", "2026-03-23 17:00", "--recurrence", "FREQ=WEEKLY;COUNT=2",
		"--time-zone", "UTC")
	out := m.ok("calendar", "list", "--from", "2026-03-20", "--to", "2026-04-10")
	for _, want := range []string{"2026-03-23 18:00", "2026-03-30 18:00", "2026-03-23 17:00", "2026-03-30 18:00"} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is missing in\n%s", want, out)
		}
	}
	if strings.Contains(out, "2026-03-30 19:00") {
		t.Errorf("an hour late:\n%s", out)
	}
}

// TestListsOfFamilies shows what belongs to families as list shows memories: with short
// ids, which every command takes, and by the user's clocks.
func TestListsOfFamilies(t *testing.T) {
	m := newMachine(t)
	m.now = someDay // 10:30 in Oslo
	m.env["MCP_MEMORY_TIME_ZONE"] = "Europe/Oslo"
	m.ok("soul", "add", "I keep my word.", "--kind", "value")
	m.ok("triples", "add", "--subject", "anna", "--predicate", "lives_in", "--object", "oslo", "--confidence", "0.5", "--valid-from",
		"2025-05-01")
	m.ok("learnings", "add", "The first push needs -u.", "--kind", "error")
	m.ok("people", "add", "boris", "--trust-level", "0.8")
	m.ok("people", "add", "boris", "--trust-level", "0.9")
	m.ok("todo", "add", "Water the plants", "--due-at", "today 9am", "--description", "all of them")
	m.ok("todo", "add", "Sweep the deck", "--due-at", "today")
	if out := m.ok("calendar", "add", "Choir", "--starts-at", "tomorrow 19:00", "--location", "Town hall", "--time-zone", "Asia/Tokyo",
		"--recurrence", "FREQ=DAILY;COUNT=2"); !strings.HasSuffix(out, " for 2026-03-02 19:00 CET (03:00 in Asia/Tokyo).\n") {
		t.Errorf("added %q", out)
	}
	short := regexp.MustCompile(`(?m)^  (0[0-9a-f-]{7,34}) · `)
	ago := regexp.MustCompile(` · (just now|\d+ \w+ ago)`)
	for _, test := range []struct{ command, want string }{
		{"soul list", "I keep my word.\n  ID · soul · identity · saved 2026-03-01 · from agent · value · pinned\n"},
		{"triples list", "confidence 0.5 · true from 2025-05-01\n"},
		{"learnings list", "The first push needs -u.\n  ID · learning · "},
		{"people list --history", "  2026-03-01 10:30 changed trust_level\n  2026-03-01 10:30 changed trust_level\n  ID · relationship · "},
		{"todo list", "Water the plants\n  all of them\n  ID · normal · due 2026-03-01 09:00 · overdue\n"},
		{"todo list", "Sweep the deck\n  ID · normal · due 2026-03-01 · today\n"},
		{"calendar list", "Choir @ Town hall\n  ID · 2026-03-02 19:00 · 03:00 in Asia/Tokyo · in 1 day · recurring\n"},
	} {
		got := m.ok(strings.Fields(test.command)...)
		if bare := ago.ReplaceAllString(short.ReplaceAllString(got, "  ID · "), ""); !strings.Contains(bare, test.want) {
			t.Errorf("%s shows\n%swant\n%s", test.command, bare, test.want)
		}
	}
	for command, want := range map[string]string{"todo done": "\tWater the plants\n", "calendar remove": "\tChoir\n"} {
		if r := m.run("", append(append([]string{"__complete"}, strings.Fields(command)...), "01")...); strings.Count(r.stdout, want) != 1 {
			t.Errorf("%s is completed by %+v", command, r)
		}
	}
	for _, way := range [][2]string{{"soul list", "soul show"}, {"triples list", "triples show"}, {"people list", "people show"},
		{"todo list", "todo done"}, {"calendar list", "calendar remove"}} {
		id := short.FindStringSubmatch(m.ok(strings.Fields(way[0])...))
		if id == nil {
			t.Fatalf("%s shows no short id", way[0])
		}
		m.ok(append(strings.Fields(way[1]), id[1])...)
	}
	if got := m.ok("todo", "list", "--status", "completed"); !strings.Contains(got, " · done 2026-03-01 10:") {
		t.Errorf("what is done: %q", got)
	}
	m.fails(exitFailed, "there is no event", "calendar", "remove", "ffffffff")

	m.ok("save", "Anna has a boat.", "--agent", "anna")
	m.ok("link", "request", "anna", "--message", "about boats")
	waiting := m.ok("link", "list", "--agent", "anna")
	id := short.FindStringSubmatch(waiting)
	if id == nil || !strings.HasPrefix(waiting, "default asks anna\n  about boats\n  ") ||
		!strings.Contains(waiting, " · until 2026-03-01 10:") {
		t.Fatalf("a request is %q", waiting)
	}
	if got := m.ok("link", "show", id[1]); !strings.HasPrefix(got, "anna is asked to share its memory with default until 2026-03-01 10:") {
		t.Errorf("link show: %q", got)
	}
	m.ok("link", "decline", id[1], "--agent", "anna")
}

// TestShortIDsOfNeighbours saves memories in one moment, whose ids begin alike.
func TestShortIDsOfNeighbours(t *testing.T) {
	m := newMachine(t) // whose clock stands still
	for _, name := range []string{"one", "two", "three", "four", "five"} {
		m.ok("todo", "add", name)
	}
	for range 5 {
		shown := m.ok("todo", "list", "--limit", "1")
		m.ok("todo", "done", regexp.MustCompile(`(?m)^  (\S+) · `).FindStringSubmatch(shown)[1])
	}
	if got := m.ok("todo", "list"); got != "No to-dos.\n" {
		t.Errorf("left is %q", got)
	}
}

// A flag that a command cannot use is none of it.
func TestCommandsHaveFlagsOfTheirOwn(t *testing.T) {
	m := newMachine(t)
	for _, args := range [][]string{
		{"episode", "remove", "x", "--query", "y"}, {"triples", "remove", "x", "--undo", "y"}, {"people", "remove", "x", "--session", "y"},
		{"link", "list", "--note", "y"}, {"link", "request", "bob", "--link-id", "y"}, {"link", "revoke", "x", "--message", "y"},
	} {
		m.fails(exitUsage, "unknown flag: "+args[len(args)-2], args...)
	}
	m.fails(exitFailed, "none of the ids is there", "episode", "remove", "x", "--permanent", "--confirm")
}
