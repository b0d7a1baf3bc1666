package resources_test

import (
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
)

// TestEveryLineSaysWhy: the lines are those of the page, each with what it is about
// and a reason.
func TestEveryLineSaysWhy(t *testing.T) {
	b := newBank(t)
	pinned := b.keep(memory.KindFact, "The gate of the west barn sticks in frost.", func(r *memory.Record) { r.Pinned = true })
	said := b.keep(memory.KindFact, "Decided: the report goes out on Fridays.", func(r *memory.Record) { r.Pinned = false })
	b.soulEntry("Short answers are kind.")
	b.learning(memory.LearningCorrection, "Measure in litres.")
	b.todo("Order hay", memory.PriorityHigh, b.now.Add(time.Hour))
	c, err := b.Compose(t.Context(), ann)
	if err != nil {
		t.Fatal(err)
	}
	lines := c.Lines()
	if len(lines) != 5 {
		t.Fatalf("%d lines of\n%s\n%+v", len(lines), c.Page, lines)
	}
	about := map[string][]string{}
	for _, l := range lines {
		if !strings.Contains(c.Page, l.Text) || !strings.Contains(c.Page, "## "+l.Section+"\n") {
			t.Errorf("%q under %q is not on the page", l.Text, l.Section)
		}
		if l.Record == "" && l.Todo == "" || len(l.Why) == 0 {
			t.Errorf("of %q nothing is known: %+v", l.Text, l)
		}
		about[l.Record] = l.Why
	}
	if why := strings.Join(about[pinned.ID], "; "); !strings.Contains(why, "it is pinned") {
		t.Errorf("why of the pinned one: %q", why)
	}
	if why := strings.Join(about[said.ID], "; "); strings.Contains(why, "pinned") || !strings.Contains(why, "was decided") {
		t.Errorf("why of the decision: %q", why)
	}
	if c.Tokens == 0 || c.Tokens > c.Budget {
		t.Errorf("%d of %d tokens", c.Tokens, c.Budget)
	}
}
