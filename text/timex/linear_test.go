package timex_test

import (
	"strings"
	"testing"
	"time"

	"mcp-memory/text/timex"
)

// TestLinear feeds what nests or repeats, where careless rules take time that
// grows with the square of the text. The bound is a hundred times the usual.
func TestLinear(t *testing.T) {
	for _, piece := range []string{
		"the end of ", "the week before ", "first half of ", "last ", "before ", "2 days after ", "a ", "1-", "May ", "'", "a'", "3 to ",
		"between 3 and ", "from May to ", "2023-05-07T", "Monday, ", "٣", "\xff", "in a year and a half ", "999999999", "mid-",
	} {
		text := strings.Repeat(piece, 50_000/len(piece))
		start := time.Now()
		timex.Find(text, now)
		timex.Mentions(text)
		timex.Question(text)
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("%q took %v", piece, took)
		}
	}
}
