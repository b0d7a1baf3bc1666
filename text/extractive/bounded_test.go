package extractive_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"mcp-memory/memory"
)

// TestLongMessagesAreReadAtBothEnds says something before, in and behind a document.
func TestLongMessagesAreReadAtBothEnds(t *testing.T) {
	page := strings.Repeat("Lorem ipsum dolor sit amet, consectetur adipiscing elit. ", 5000)
	text := "I live in Oslo with two cats. " + page + "I work at Acme as an engineer. " + page + "I play the cello on Sundays."
	facts, err := newSummarizer().
		Extract(context.Background(),
			memory.ExtractRequest{Turns: []memory.Turn{{Role: memory.RoleUser, Content: text, SaidAt: noon},
				{Role: memory.RoleAssistant, Content: "Nice."}}})
	if err != nil {
		t.Fatal(err)
	}
	for part, want := range map[string]bool{"Oslo": true, "Acme": false, "cello": true} {
		if got := slices.ContainsFunc(facts, func(f memory.Extracted) bool { return strings.Contains(f.Content, part) }); got != want {
			t.Errorf("%s: %v", part, got)
		}
	}
}
