package screen

import (
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		name, text string
		width      int
		want       []string
	}{
		{"by words", "one two three four five six", 20, []string{"one two three four", "five six"}},
		{"own breaks stay", "one\n\ntwo", 20, []string{"one", "", "two"}},
		{"code stays", "Run:\n```sh\nmake a-very-long-target-name OPTION=1\n```\nand then wait for the end of it", 20,
			[]string{"Run:", "```sh", "make a-very-long-target-name OPTION=1", "```", "and then wait for", "the end of it"}},
		{"indented code stays", "    make a-very-long-target-name", 20, []string{"    make a-very-long-target-name"}},
		{"items", "- a first item of some words", 20, []string{"- a first item of", "  some words"}},
		{"a long word", strings.Repeat("x", 45), 20, []string{strings.Repeat("x", 20), strings.Repeat("x", 20), "xxxxx"}},
		{"wide characters", "東京は日本の首都であり最大の都市である", 20, []string{"東京は日本の首都であ", "り最大の都市である"}},
		{"emoji of several code points", strings.Repeat("👩‍👩‍👧 ", 8), 20, []string{"👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧", "👩‍👩‍👧"}},
		{"too narrow", "one two three four five six", 3, []string{"one two three four", "five six"}},
		{"no end", strings.Repeat("word ", 40) + "end", 0, []string{strings.Repeat("word ", 40) + "end"}},
	} {
		got := Screen{Width: c.width}.Wrap(c.text)
		if strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestNothingIsLost compares what is shown with what was given, but for blanks.
func TestNothingIsLost(t *testing.T) {
	text := "A line with words, 東京 and 👩‍👩‍👧‍👦, a-long-name/with/slashes?and=more&" + strings.Repeat("z", 70) + " e\u0301 end."
	bare := func(s string) string { return strings.Join(strings.Fields(s), "") }
	for width := 1; width < 130; width++ {
		lines := Screen{Width: width}.Wrap(text)
		if got := bare(strings.Join(lines, "")); got != bare(text) {
			t.Fatalf("at %d columns: %q", width, got)
		}
		for _, line := range lines {
			if Width(line) > max(width, MinWidth) {
				t.Errorf("at %d columns there is a line of %d: %q", width, Width(line), line)
			}
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{{"short", 10, "short"}, {"rather long", 7, "rather…"}, {"東京都庁", 5, "東京…"}, {"anything", 0, "anything"}} {
		if got := Cut(c.text, c.width); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestTable(t *testing.T) {
	rows := [][]string{{"ok", "日本", "one two three four five six seven"}, {}, {"", "", "more"}, {"warning", "x", ""}}
	for width, want := range map[int]string{
		0:  "ok       日本  one two three four five six seven\n               more\nwarning  x",
		36: "ok       日本  one two three four\n               five six seven\n               more\nwarning  x",
		3:  "ok       日本  one two three four\n               five six seven\n               more\nwarning  x", // a last column of less says nothing
	} {
		if got := (Screen{Width: width}).Table(rows); got != want {
			t.Errorf("at %d columns:\n%s\nwant\n%s", width, got, want)
		}
	}
}
