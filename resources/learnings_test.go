package resources_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/resources"
)

// TestLearningsInOrder: corrections first, then what failed most often, also if that
// was long ago, then what is new; on the page of a new session as in the instructions.
func TestLearningsInOrder(t *testing.T) {
	b := newBank(t)
	learned := func(kind memory.LearningType, content, tool string, times, days int) {
		b.keep(memory.KindLearning, content, func(r *memory.Record) {
			r.Learning, r.Confirmations, r.CreatedAt,
				r.Pinned = &memory.LearningDetails{Type: kind, Tool: tool}, times, b.now.AddDate(0, 0, -days), false
		})
	}
	learned(memory.LearningError, "The pump stalls below zero.", "pump", 4, 200)
	learned(memory.LearningCorrection, "Measure in litres.", "", 1, 100)
	learned(memory.LearningError, "The valve sticks.", "valve", 1, 2)
	learned(memory.LearningCorrection, "The barn is north.", "", 1, 3)
	for i := range 60 {
		learned(memory.LearningError, fmt.Sprintf("Sensor %d drifts.", i), "", 1, 5)
	}
	want := []string{"The barn is north.", "Measure in litres.", "The pump stalls below zero.", "The valve sticks."}
	page := b.page(resources.SessionStart)
	for name, text := range map[string]string{"the page": page, "the briefing": b.briefing(600)} {
		last := -1
		for _, one := range want {
			at := strings.Index(text, one)
			if at <= last {
				t.Errorf("%s has %q at %d, after %d:\n%s", name, one, at, last, text)
			}
			last = at
		}
	}
	for _, line := range []string{"- correction: The barn is north.\n", "- error: The pump stalls below zero. (pump, 4 times)\n",
		"- error: The valve sticks. (valve)\n"} {
		if !strings.Contains(page, line) {
			t.Errorf("the page lacks %q:\n%s", line, page)
		}
	}
	b.now = b.now.Add(time.Hour)
	for i := range 200 {
		learned(memory.LearningError, fmt.Sprintf("Gauge %d is off.", i), "", 1, 0)
	}
	if page := b.page(resources.SessionStart); !strings.Contains(page, "learning_list, and older ones") ||
		!strings.Contains(page, "Measure in litres.") {
		t.Errorf("the page is\n%s", page)
	}
}

// TestALearningThatIsOverIsNotShown: of which a later memory says that it no longer holds.
func TestALearningThatIsOverIsNotShown(t *testing.T) {
	b := newBank(t)
	for _, one := range []string{"You must not push to main.", "Measure in litres."} {
		b.keep(memory.KindLearning, one, func(r *memory.Record) {
			r.Learning, r.Confirmations, r.Pinned = &memory.LearningDetails{Type: memory.LearningCorrection}, 1, false
		})
	}
	b.now = b.now.Add(time.Hour)
	b.keep(memory.KindFact, "The user allows the assistant to push to main again.", func(r *memory.Record) { r.CreatedAt = b.now })
	if page := b.page(resources.SessionStart); strings.Contains(page, "must not push") || !strings.Contains(page, "Measure in litres.") {
		t.Errorf("the page is\n%s", page)
	}
}

// TestFailuresOnThePage: a command that failed is told once, if it failed again and again and nothing worked since.
func TestFailuresOnThePage(t *testing.T) {
	b := newTalks(t, time.UTC, 0)
	n := 0
	fail := func(session, command, says string) {
		t.Helper()
		n++
		b.work(barn, session, "- "+command+" => "+says)
		err := b.window.Failed(t.Context(), barn, session, memory.ToolCall{
			ID: fmt.Sprint("call", n), Name: "Bash", Arguments: json.RawMessage(fmt.Sprintf(`{"command":%q}`, command)), Error: says,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	page := func() string {
		t.Helper()
		p, err := b.pages.Read(t.Context(), barn, resources.SessionStart)
		if err != nil {
			t.Fatal(err)
		}
		return p.Text
	}
	const says = "sh: 1: eslint: not found"
	fail("s1", "npm run lint", says)
	fail("s2", "make ship", "ssh: connection refused")
	if text := page(); strings.Contains(text, "eslint") || strings.Count(text, "connection refused") != 1 {
		t.Errorf("of what failed once the page says\n%s", text)
	}
	fail("s3", "npm run lint", says)
	if text := page(); strings.Count(text, "eslint") != 1 || !strings.Contains(text, "- Open: `npm run lint` fails") {
		t.Errorf("of what failed again in the last session the page says\n%s", text)
	}
	b.work(barn, "s4", "+ make docs")
	if text := page(); strings.Count(text, "eslint") != 1 || !strings.Contains(text, "- error: Bash: npm failed: Error: "+says) {
		t.Errorf("of what failed in two sessions the page says\n%s", text)
	}
	b.work(barn, "s5", "+ npm run lint")
	if text := page(); strings.Contains(text, "eslint") {
		t.Errorf("of what worked since the page says\n%s", text)
	}
}

// TestCorrectionOnce: what is learned and known is on the page once.
func TestCorrectionOnce(t *testing.T) {
	b := newBank(t)
	for _, kind := range []memory.Kind{memory.KindFact, memory.KindLearning} {
		b.keep(kind, "The migration is number 0044.", func(r *memory.Record) {
			if kind == memory.KindLearning {
				r.Learning = &memory.LearningDetails{Type: memory.LearningCorrection}
			}
		})
	}
	if page := b.page(resources.SessionStart); strings.Count(page, "0044") != 1 {
		t.Errorf("the page is\n%s", page)
	}
}
