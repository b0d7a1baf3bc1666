package analysis

import (
	"slices"
	"testing"
)

func TestLines(t *testing.T) {
	for text, want := range map[string][]string{
		"": nil, " \n\t\n": nil, "One line.": {"One line."}, "# Title\n\n- a\n  - b \r\n": {"# Title", "- a", "- b"},
		"List:\n## Heading\n> said\n#": {"List:", "Heading", "said"},
	} {
		if got := Lines(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
