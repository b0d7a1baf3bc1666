package passages

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// shownOf are the passages of a text as "line heading|text|record".
func shownOf(name, text string) (list []string) {
	_, parts := passages(name, text)
	for _, p := range parts {
		list = append(list, fmt.Sprintf("%d %s|%s|%s", p.line, p.heading,
			strings.ReplaceAll(visible(text[p.from:p.to]), "\n", "⏎"), p.record))
	}
	return list
}

func TestPassages(t *testing.T) {
	for what, c := range map[string]struct {
		text string
		want []string
	}{
		"nothing":     {"", nil},
		"blank":       {"\n\n  \n", nil},
		"a paragraph": {"The ferry leaves at six.", []string{"1 |The ferry leaves at six.|"}},
		"short ones":  {"One.\n\nTwo.\n", []string{"1 |One.⏎⏎Two.|"}},
		"headings": {"# Boat\nIntro.\n\n## Engine\nOil.\n# House\nRoof.\n",
			[]string{"2 Boat|Intro.|", "5 Boat › Engine|Oil.|", "7 House|Roof.|"}},
		"heading alone":   {"# Call the dentist\n# Other\ntext\n", []string{"1 |# Call the dentist|", "3 Other|text|"}},
		"heading at end":  {"text\n\n# Call the dentist", []string{"1 |text|", "3 |# Call the dentist|"}},
		"line ends":       {"# Boat\r\nOne.\r\nTwo.\r\n", []string{"2 Boat|One.⏎Two.|"}},
		"not a heading":   {"#tag first\n", []string{"1 |#tag first|"}},
		"code":            {"```\n# no heading\n\nx = 1\n```\n# Yes\nb", []string{"1 |```⏎# no heading⏎⏎x = 1⏎```|", "7 Yes|b|"}},
		"stray fence":     {"```\nopen\n\n# Head\ntext", []string{"1 |```⏎open|", "5 Head|text|"}},
		"comment":         {"One.\n\n<!--\nhidden\n\n# no\n-->\nTwo.\n", []string{"1 |One.|", "8 |Two.|"}},
		"aside":           {"Ask %%not really%% Tom.\n\n%%\nhidden\n%%\n\nEnd. ^ref-1\n", []string{"1 |Ask  Tom.|", "7 |End.|"}},
		"percent in code": {"```\nprintf(\"%%d %%s\")\n```\n", []string{"1 |```⏎printf(\"%%d %%s\")⏎```|"}},
		"a record":        {"Mine.\n- Tea. <!-- id-1 50 0123abcd -->\n- Own.\n", []string{"1 |Mine.|", "2 |- Tea.|id-1", "3 |- Own.|"}},
		"nested in it":    {"- Tea. <!-- id-1 -->\n  - green\n- Own.\n", []string{"1 |- Tea.⏎  - green|id-1", "3 |- Own.|"}},
		"a record below":  {"- Tea. <!-- id-1 -->\n  - green <!-- id-2 -->\n", []string{"1 |- Tea.|id-1", "2 |- green|id-2"}},
		"a learning": {"## 2026\nDo not.\n\nContext: x <!-- id-3 100 0123abcd -->\n## Next\nother\n",
			[]string{"2 2026|Do not.⏎⏎Context: x|id-3", "6 Next|other|"}},
		"front matter":     {"---\ntitle: A\n---\ntext\n", []string{"4 |text|"}},
		"told in it":       {"---\ntitle: A\nauthor: Ann\n---\ntext\n", []string{"2 |title: A⏎author: Ann|", "5 |text|"}},
		"no front matter":  {"---\ntitle: A\n", []string{"1 |---⏎title: A|"}},
		"other characters": {"# Überblick\n雨が降る。\n", []string{"2 Überblick|雨が降る。|"}},
	} {
		if got := shownOf("x.md", c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", what, got, c.want)
		}
	}
}

// Everything that is visible is in some passage, none is longer than it may be, and
// no character is torn.
func TestLongTextsAreCut(t *testing.T) {
	for name, text := range map[string]string{
		"sentences": strings.Repeat("The rain in Bergen does not end. ", 300),
		"one word":  strings.Repeat("雨", 3000),
		"lines":     strings.Repeat("- item of a list\n", 500),
		"code":      "```\n" + strings.Repeat("line of code\n", 400) + "```\n",
	} {
		_, parts := passages("x.md", text)
		var b strings.Builder
		for i, p := range parts {
			if p.to-p.from > maxPassage || !strings.Contains(text, text[p.from:p.to]) || strings.ContainsRune(text[p.from:p.to], '\uFFFD') {
				t.Errorf("%s: passage %d has %d bytes", name, i, p.to-p.from)
			}
			if want := 1 + strings.Count(text[:p.from], "\n"); p.line != want {
				t.Errorf("%s: passage %d is said to begin in line %d, not %d", name, i, p.line, want)
			}
			b.WriteString(text[p.from:p.to])
		}
		if b.String() != text || len(parts) < 3 {
			t.Errorf("%s: %d passages have %d of %d bytes", name, len(parts), b.Len(), len(text))
		}
	}
}

func TestMatter(t *testing.T) {
	for _, c := range []struct{ name, text, about, date string }{
		{"memory/2026-02-03.md", "x", "2026-02-03", "2026-02-03"},
		{"Trip 2025-07-01 Turin.md", "x", "Trip 2025-07-01 Turin", "2025-07-01"},
		{"a.md", "---\ndate: 2024-05-06\ntags:\n  - garden\n  - \"#roses\"\naliases: [Bed, \"Long one\"]\n---\n",
			"a garden roses Bed, Long one", "2024-05-06"},
		{"2020-01-01.md", "---\ndate: 2024-05-06T10:00\n---\n", "2020-01-01", "2024-05-06"},
		{"2020-01-01.md", "---\ncreated: 2024-05-06\n---\n", "2020-01-01", "2020-01-01"},
		{"a.md", "---\r\ncreated: 2024-05-06\r\n---\r\n", "a", "2024-05-06"},
		{"12024-05-061.md", "", "12024-05-061", ""},
		{"2024-13-40.md", "", "2024-13-40", ""},
	} {
		m := matterOf(c.name, c.text)
		date := ""
		if !m.date.IsZero() {
			date = m.date.Format("2006-01-02")
		}
		if m.about != c.about || date != c.date {
			t.Errorf("%s %q: %q of %q, want %q of %q", c.name, c.text, m.about, date, c.about, c.date)
		}
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"see [[Oslo trip]]":                           "see Oslo trip",
		"see [[Oslo trip#Food|the list]]":             "see the list",
		"![[photo.png]]":                              "photo.png",
		"> [!tip]- Advice\n> Sleep.":                  ">  Advice\n> Sleep.",
		"[the shop](https://a.example/b \"t\") opens": "[the shop] opens",
		"#garden stays":                               "#garden stays",
	} {
		if got := plain(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzPassages(f *testing.F) {
	for _, seed := range []string{"# a\n\nb\n", "---\na: b\n---\n- c <!-- d -->\n  - e\n", "```\n%%\n```", "%%\n\n%%\nx", "\r\n# \r\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, parts := passages("2026-01-01.md", text)
		for _, p := range parts {
			if p.from < 0 || p.from >= p.to || p.to > len(text) || p.line < 1 || p.line > 1+strings.Count(text, "\n") {
				t.Fatalf("%q: %+v", text, p)
			}
			plain(visible(text[p.from:p.to]))
		}
	})
}
