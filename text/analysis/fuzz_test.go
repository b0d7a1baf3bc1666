package analysis_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"mcp-memory/text/analysis"
)

var listFunctions = map[string]func(string) []string{
	"Words": analysis.Words, "Stems": analysis.Stems, "Content": analysis.Content,
	"QueryWords": analysis.QueryWords, "Substrings": analysis.Substrings, "Sentences": analysis.Sentences,
	"IndexText": func(text string) []string { return []string{analysis.IndexText(text)} },
}

func FuzzAnalysis(f *testing.F) {
	for _, seed := range []string{
		twentyWords, "isFeatureEnabled HTTPServer", "café cafe\u0301 naïve", "東京タワー 회의는 ที่นี่ မြန်မာ",
		"see ~/a.b/c_d-1 (#12), \"x@y.zz\"...", "Dr. X. \"Yes!\" No。「は！」", "\xff\xc3(\xe6\x9d", "İı ǅ ß ﬁ 1\ufe0f\u20e3",
		"yyyying eed ies sses ation", "\u0301\u0301a\u0301\u0301 \u3099か\u3099",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for name, function := range listFunctions {
			first := function(text)
			if !reflect.DeepEqual(first, function(text)) {
				t.Errorf("%s is not deterministic", name)
			}
			for _, item := range first {
				if !utf8.ValidString(item) {
					t.Errorf("%s gave invalid UTF-8 %q", name, item)
				}
				if item == "" && text != "" {
					t.Errorf("%s gave an empty item", name)
				}
			}
		}
		if got, want := analysis.Words(text), definition(text); !slices.Equal(got, want) {
			t.Errorf("Words = %q, want %q", got, want)
		}
		checkSentences(t, text)
		checkQueryFindsIndex(t, text)
	})
}

// checkSentences: nothing but blanks is lost.
func checkSentences(t *testing.T, text string) {
	t.Helper()
	dense := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) {
				return -1
			}
			return r
		}, s)
	}
	got := dense(strings.Join(analysis.Sentences(text), ""))
	if want := dense(strings.ToValidUTF8(text, "\uFFFD")); got != want {
		t.Errorf("Sentences kept %q of %q", got, want)
	}
}

// checkQueryFindsIndex: what a text is asked for by its own words, the stems
// of that text hold.
func checkQueryFindsIndex(t *testing.T, text string) {
	t.Helper()
	stems := analysis.Content(text)
	if stems == nil {
		return
	}
	for _, word := range analysis.QueryWords(text) {
		if !slices.Contains(stems, analysis.Stem(word)) {
			t.Errorf("query word %q is not among the stems %q", word, stems)
		}
	}
}
