package resources_test

import (
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
			r.Learning, r.Confirmations, r.CreatedAt, r.Pinned = &memory.LearningDetails{Type: kind, Tool: tool}, times, b.now.AddDate(0, 0, -days), false
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
	for _, line := range []string{"- correction: The barn is north.\n", "- error: The pump stalls below zero. (pump, 4 times)\n", "- error: The valve sticks. (valve)\n"} {
		if !strings.Contains(page, line) {
			t.Errorf("the page lacks %q:\n%s", line, page)
		}
	}
	b.now = b.now.Add(time.Hour)
	for i := range 200 {
		learned(memory.LearningError, fmt.Sprintf("Gauge %d is off.", i), "", 1, 0)
	}
	if page := b.page(resources.SessionStart); !strings.Contains(page, "learning_list, and older ones") || !strings.Contains(page, "Measure in litres.") {
		t.Errorf("the page is\n%s", page)
	}
}
