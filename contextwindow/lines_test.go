package contextwindow

import "testing"

func TestShortenLines(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{
		{"One\tline.", 50, "One line."}, {"List:\n\n- a\n## b", 50, "List:\n  - a\n  b"},
		{"List:\n- first\n- second", 12, "List:\n  - fi..."}, {"A long title\n- a", 6, "A long..."},
	} {
		if got := shortenLines(c.text, c.limit); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.text, c.limit, got, c.want)
		}
	}
}
