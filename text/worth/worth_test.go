package worth_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"mcp-memory/text/worth"
)

var said = time.Date(2026, 6, 1, 9, 0, 0, 0, time.UTC)

type sample struct{ sort, text string }

func samples(t testing.TB) (all []sample) {
	t.Helper()
	file, err := os.ReadFile("testdata/sentences.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(file)) {
		if sort, text, ok := strings.Cut(strings.TrimSpace(line), "|"); ok && line[0] != '#' {
			all = append(all, sample{sort, text})
		}
	}
	return all
}

// TestSentences: nine of ten sentences are of the sort that a person gave them,
// and as many are shown or left out as they should be.
func TestSentences(t *testing.T) {
	all := samples(t)
	right, placed := 0, 0
	for _, s := range all {
		j := worth.Of(s.text, said)
		if j.Sort.String() == s.sort {
			right++
		} else {
			t.Logf("%s: %s, not %s", s.text, j.Sort, s.sort)
		}
		low := s.sort == "plain" || s.sort == "trivia" || s.sort == "event" || s.sort == "tentative"
		if low == (j.Worth < worth.Shown) {
			placed++
		}
	}
	t.Logf("%d of %d right, %d on the right side", right, len(all), placed)
	if 10*right < 9*len(all) || 100*placed < 95*len(all) {
		t.Error("too few")
	}
}
