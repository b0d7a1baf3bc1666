package tools

import (
	"encoding/json"
	"testing"

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
