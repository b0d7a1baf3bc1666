package main

import (
	"regexp"
	"strings"
	"testing"
)

// A person at a terminal has commands, and no tools.
func TestCommandsNameNoTools(t *testing.T) {
	m := newMachine(t)
	m.ok("save", "I live in Groningen.")
	tool := regexp.MustCompile(`memory_\w+|self_care|neural_link|[a-z]+_todo|soul_list|check_calendar|find_procedure|The argument`)
	moved := m.ok("save", "I have moved to Maastricht.")
	undo := regexp.MustCompile(`mcp-memory undo ([0-9a-f-]{36})`).FindStringSubmatch(moved)
	if undo == nil {
		t.Fatalf("saving prints %q", moved)
	}
	m.ok("undo", undo[1])
	old := m.ok("list", "--json", "-n", "1")
	id := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`).FindString(old)
	m.ok("update", id, "--content", "I live in Groningen, in the north.")
	soul := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`).FindString(m.ok("soul", "add", "I keep promises."))
	m.ok("save", "The shop opens at nine.", "--project", "shop")
	for _, args := range [][]string{
		{"update", "nosuch", "--content", "x"}, {"save", "x", "--supersedes", "nosuch"}, {"forget", "nosuch"}, {"todo", "done", "nosuch"},
		{"calendar", "remove", "nosuch"}, {"soul", "remove", "nosuch", "--reason", "x"}, {"procedures", "run", "nosuch", "--success"}, {"link", "share", "nosuch"},
		{"save", "The API runs on port 8080."}, {"save", "The API runs on port 8081."}, {"save", "We deploy on Fridays."}, {"save", "We never deploy on Fridays."},
		{"recall", "When does the shop open?"}, {"forget", id, "--dry-run"}, {"forget", soul}, {"update", soul, "--content", "x"},
		{"context", "status", "nosuch"}, {"self-care", "--undo", "nosuch"}, {"self-care", "--mode", "agent", "--summary", "x", "--batch-id", "y"}, {"forget", "--query", "Groningen"},
	} {
		r := m.run("", args...)
		if said := tool.FindString(r.stdout + r.stderr); said != "" {
			t.Errorf("%s speaks of %s: %s", strings.Join(args, " "), said, r.stdout+r.stderr)
		}
	}
}
