package main

import (
	"strings"
	"testing"
	"time"
)

// TestClockJumps is a machine whose clock goes back a month, and then years ahead: what was saved is
// there, once, is found, corrected and taken back, and what is planned stays planned.
func TestClockJumps(t *testing.T) {
	m := newMachine(t)
	m.now = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	save := func(text string) string {
		t.Helper()
		return m.ok("save", text)
	}
	holds := func(when string, texts ...string) {
		t.Helper()
		list := m.ok("list", "--limit", "100")
		for _, text := range texts {
			if strings.Count(list, text) != 1 {
				t.Errorf("%s: %q is there %d times:\n%s", when, text, strings.Count(list, text), list)
			}
			if found := m.ok("recall", text); !strings.Contains(found, text) {
				t.Errorf("%s: %q is not found:\n%s", when, text, found)
			}
		}
	}
	save("The ferry to Elmford leaves at nine.")
	m.ok("todo", "add", "Paint the boat", "--due", "2026-03-06")
	for _, jump := range []time.Duration{-30 * 24 * time.Hour, -time.Hour, 0, 11 * 365 * 24 * time.Hour, -12 * 365 * 24 * time.Hour} {
		m.now = m.now.Add(jump)
		when := m.now.Format(time.DateOnly)
		save("On the day of " + when + " the well was full.")
		holds(when, "The ferry to Elmford leaves at nine.", "On the day of "+when+" the well was full.")
		save("A mistake of " + when + ".")
		if said := m.ok("undo", "--yes"); !strings.Contains(said, "1 ") {
			t.Errorf("%s: undo: %s", when, said)
		}
		if list := m.ok("list", "--limit", "100"); strings.Contains(list, "A mistake of "+when) ||
			!strings.Contains(list, "On the day of "+when) {
			t.Errorf("%s: undo took something else back:\n%s", when, list)
		}
		if todos := m.ok("todo", "list"); strings.Count(todos, "Paint the boat") != 1 {
			t.Errorf("%s: %s", when, todos)
		}
		if said := m.run("", "doctor").stdout; strings.Contains(said, "broken") {
			t.Errorf("%s: %s", when, said)
		}
	}
}
