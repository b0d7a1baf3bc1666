package memory_test

import (
	"testing"

	"mcp-memory/memory"
)

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"", 1, ""},
		{"a", 1, "a"},
		{"ab", 1, "…"},
		{"abcd", 4, "abcd"},
		{"abcde", 4, "abc…"},
		{"blåbærgrød", 10, "blåbærgrød"},
		{"blåbærgrød", 9, "blåbærgr…"},
		{"a \n b", 5, "a \n b"},
		{"日本語", 2, "日…"},
	} {
		if got := memory.Shorten(c.text, c.most); got != c.want {
			t.Errorf("%q to %d: %q, want %q", c.text, c.most, got, c.want)
		}
	}
	if got := memory.OneLine(" a\n\n  b\tc ", 4); got != "a b…" {
		t.Errorf("%q", got)
	}
}
