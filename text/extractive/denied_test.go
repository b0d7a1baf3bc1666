package extractive_test

import (
	"slices"
	"testing"

	"mcp-memory/memory"
)

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
