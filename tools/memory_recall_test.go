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

// A search for nothing lists what passes the filters, the newest first.
func TestSearchForNothingLists(t *testing.T) {
	r := newRig(t)
	first := r.save("The harbour closes at nine.")
	second := r.save("Ann prefers dark mode.")
	for _, arguments := range []string{`{"query":""}`, `{"query":" \n"}`, `{"query":"","kinds":["fact"]}`} {
		var out searchOutput
		r.must("memory_search", arguments, &out)
		if len(out.Results) != 2 || out.Results[0].ID != second || out.Results[1].ID != first {
			t.Errorf("%s: %+v", arguments, out.Results)
		}
	}
	var none searchOutput
	if r.must("memory_search", `{"query":"","kinds":["diary"]}`, &none); len(none.Results) > 0 {
		t.Errorf("of another kind: %+v", none)
	}
}
