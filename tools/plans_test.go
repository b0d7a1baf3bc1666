package tools

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// TestPlansBesideMemories: who asks about a time is told of to-dos and events of that time,
// and that there is nothing only where there is none of them either.
func TestPlansBesideMemories(t *testing.T) {
	r := newFullRig(t)
	do := func(tool string, args map[string]any) (out recallOutput, text string) {
		given, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		result := r.call(tool, string(given))
		if result.IsError {
			t.Fatal(textOf(result))
		}
		if tool == recallSpec.Name {
			err = json.Unmarshal(r.structured(result), &out)
		}
		if err != nil {
			t.Fatal(err)
		}
		return out, textOf(result)
	}
	now := r.bank.Clock.Now()
	day := func(n int) string { return now.AddDate(0, 0, n).UTC().Format(time.DateOnly) }
	r.save("Ann's aunt keeps goats.")
	for _, call := range []struct {
		tool string
		args map[string]any
	}{
		{"add_todo", map[string]any{"title": "Renew the passport", "due_at": day(2)}},
		{"add_todo", map[string]any{"title": "Buy milk"}},
		{"add_todo", map[string]any{"title": "The PIN for the alarm is 9921", "due_at": day(2)}},
		{"add_to_calendar", map[string]any{"title": "Dentist", "starts_at": day(1) + "T10:00:00Z"}},
		{"add_to_calendar", map[string]any{"title": "Stand-up", "starts_at": day(-3) + "T08:00:00Z", "recurrence": "FREQ=DAILY;COUNT=10"}},
	} {
		do(call.tool, call.args)
	}
	for query, want := range map[string]string{
		"What do I have tomorrow?":                  "Stand-up, Dentist",
		"What is on my calendar on " + day(2) + "?": "Renew the passport, Stand-up",
		"What is due on " + day(2) + "?":            "Renew the passport, Stand-up",
		"What do I have to do?":                     "Renew the passport, Buy milk",
		"What does Ann's aunt keep?":                "",
		"When is my dentist appointment?":           "Dentist",
		"When do I see the dentist?":                "Dentist",
		"What is the deadline for the passport?":    "Renew the passport",
		"When is the stand-up?":                     "Stand-up",
		"When did Ann's aunt buy goats?":            "",
		"When is the PIN for the alarm changed?":    "",
		"Who kept goats on " + day(1) + "?":         "",
	} {
		out, text := do("memory_recall", map[string]any{"query": query})
		var titles []string
		for _, p := range out.Plans {
			titles = append(titles, p.Title)
		}
		if got := strings.Join(titles, ", "); got != want || (want != "") != strings.Contains(text, "Planned:") ||
			strings.Contains(text, "Nothing on") {
			t.Errorf("%s: %s, want %s\n%s", query, got, want, text)
		}
	}
	if _, text := do("memory_recall", map[string]any{"query": "What is due on " + day(40) + "?"}); !strings.HasPrefix(text,
		"Nothing on "+day(40)) {
		t.Error(text)
	}
}
