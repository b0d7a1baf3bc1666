package secrets

import (
	"testing"
	"time"

	"mcp-memory/memory"
)

// A secret in the details of a record is one; names of fields, times and numbers beside harmless words are none.
func TestDetails(t *testing.T) {
	for notes, want := range map[string]bool{
		"The root cause was found by her": false, "The password of her router is hunter2zz99": true, "She opens the archive at nine": false,
	} {
		now := time.Date(2026, 11, 28, 14, 22, 11, 123456000, time.UTC)
		r := memory.Record{Content: "Relationship to Ida: ally.", OccurredAt: now,
			KindDetails: memory.KindDetails{Relationship: &memory.RelationshipDetails{Notes: notes, FirstMet: now}}}
		if got := In(r) != ""; got != want {
			t.Errorf("%q: %v", notes, got)
		}
	}
}
