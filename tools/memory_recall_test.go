package tools

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall"
)

// The schema can only hold a literal.
func TestRecallHasTheFloorAsDefault(t *testing.T) {
	for _, r := range memoryFleet(t).rows {
		for _, f := range r.in.fields {
			if r.Name != "memory_recall" || f.name != "min_score" {
				continue
			}
			var def float64
			if err := json.Unmarshal(f.absent, &def); err != nil || def != recall.Floor {
				t.Errorf("min_score has the default %s, want %v", f.absent, recall.Floor)
			}
		}
	}
}

// The text says what is outdated, whether a date is when it happened, and how
// sure the answer is; line breaks stay.
func TestRecallText(t *testing.T) {
	day := time.Date(2026, 4, 2, 0, 0, 0, 0, time.UTC)
	out := recallOutput{Confidence: recall.Low, Results: []recallResult{
		{ID: "b", Kind: memory.KindFact, Category: "technical", Content: "Run:\nmake all", CreatedAt: day, Score: 0.5},
		{ID: "a", Kind: memory.KindFact, Category: "technical", Content: "Run make", CreatedAt: day, OccurredAt: day.AddDate(-1, 0, 0), Score: 0.4, OutdatedBy: "b"},
	}}
	want := "Confidence is low: these may not answer the question.\n" +
		"1. Run:\n   make all [fact, technical, saved 2026-04-02, score 0.50, id b]\n" +
		"2. Run make [fact, technical, happened 2025-04-02, score 0.40, id a, outdated by b]"
	if got := recallText(memory.Scope{}, out); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	out.Confidence = recall.High
	if got := recallText(memory.Scope{}, out); strings.Contains(got, "Confidence") {
		t.Errorf("sure of it: %s", got)
	}
}
