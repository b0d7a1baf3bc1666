package extractive_test

import (
	"slices"
	"testing"

	"mcp-memory/memory"
)

// What somebody asks to leave for the moment is no rule; what they ask to leave is.
func TestNotYet(t *testing.T) {
	for order, rule := range map[string]bool{
		"Don't merge the branch yet, wait for the review.": false,
		"Do not deploy version 2 yet.":                     false,
		"Don't change the schema, it is generated.":        true,
	} {
		facts := extract(t, memory.ExtractRequest{Max: 20, Turns: []memory.Turn{{Role: memory.RoleUser, Content: order, SaidAt: noon}}})
		if (len(facts) > 0) != rule {
			t.Errorf("%s: %q", order, contents(facts))
		}
	}
}

// A value that is denied never takes the place of the one that was said.
func TestDeniedValue(t *testing.T) {
	for answer, want := range map[string]string{
		"no, 6379, not 6380": "The cache port is 6379.",
		"no, 6381, not 6379": "The cache port is 6381.",
	} {
		facts := extract(t, memory.ExtractRequest{Max: 20, Turns: []memory.Turn{
			{Index: 0, Role: memory.RoleUser, Content: "The cache port is 6379.", SaidAt: noon},
			{Index: 1, Role: memory.RoleAssistant, Content: "The cache is on 6380, right?", SaidAt: noon},
			{Index: 2, Role: memory.RoleUser, Content: answer, SaidAt: noon},
		}})
		if got := contents(facts); !slices.Contains(got, want) || slices.Contains(got, "The cache port is 6380.") {
			t.Errorf("%s: %q", answer, got)
		}
	}
}
