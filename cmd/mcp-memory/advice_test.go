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
	var names []string
	for _, spec := range new(Program).allTools().Specs() {
		names = append(names, spec.Name)
	}
	tool := regexp.MustCompile(strings.Join(append(names, "The argument"), "|"))
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
		{"calendar", "remove", "nosuch"}, {"soul", "remove", "nosuch", "--reason", "x"},
		{"procedures", "run", "nosuch", "--success"}, {"link", "share", "nosuch"},
		{"save", "The API runs on port 8080."}, {"save", "The API runs on port 8081."},
		{"save", "We deploy on Fridays."}, {"save", "We never deploy on Fridays."},
		{"recall", "When does the shop open?"}, {"forget", id, "--dry-run"}, {"forget", soul}, {"update", soul, "--content", "x"},
		{"context", "status", "nosuch"}, {"self-care", "--undo", "nosuch"},
		{"self-care", "--mode", "agent", "--summary", "x", "--batch-id", "y"}, {"forget", "--query", "Groningen"},
	} {
		r := m.run("", args...)
		if said := tool.FindString(r.stdout + r.stderr); said != "" {
			t.Errorf("%s speaks of %s: %s", strings.Join(args, " "), said, r.stdout+r.stderr)
		}
	}
}

// What somebody has saved is printed as he has written it.
func TestCommandsPrintTextsAsTheyAre(t *testing.T) {
	m := newMachine(t)
	const text = "An agent may call self_care; soul_list returns ids."
	m.ok("save", text)
	for _, args := range [][]string{{"recall", "self_care"}, {"forget", "--query", "soul_list", "--dry-run"}} {
		if printed := m.ok(args...); !strings.Contains(printed, text) {
			t.Errorf("%s prints %s", strings.Join(args, " "), printed)
		}
	}
}
