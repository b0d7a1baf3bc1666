package analysis_test

import (
	"slices"
	"testing"

	"mcp-memory/text/analysis"
)

func TestSentences(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                nil,
		" \n ":                            nil,
		"One":                             {"One"},
		"One. Two! Three? Four":           {"One.", "Two!", "Three?", "Four"},
		"Use v1.2.3 of a.b now. Yes":      {"Use v1.2.3 of a.b now.", "Yes"},
		"Ich kam am 3. Mai. Er ging.":     {"Ich kam am 3. Mai.", "Er ging."},
		"Version 3. It is new.":           {"Version 3.", "It is new."},
		"Six, incl. me. Two are new.":     {"Six, incl. me.", "Two are new."},
		"Dr. J. Smith came. He left.":     {"Dr. J. Smith came.", "He left."},
		"Hauptstr. 5, 12345 Berlin":       {"Hauptstr. 5, 12345 Berlin"},
		"Room nr. 12 is free. 13 is not.": {"Room nr. 12 is free.", "13 is not."},
		"8080? Ugh no. 8081 is.":          {"8080?", "Ugh no.", "8081 is."},
		"Tools, e.g. a saw. So do I. Ok":  {"Tools, e.g. a saw.", "So do I.", "Ok"},
		"He said \"stop.\" Then (so?) on": {"He said \"stop.\"", "Then (so?)", "on"},
		"Wait... what?! Really":           {"Wait...", "what?!", "Really"},
		"1. First\n2. Second":             {"1. First", "2. Second"},
		"- a\r\n- b":                      {"- a", "- b"},
		"猫が好き。犬も？「はい！」と":                  {"猫が好き。", "犬も？", "「はい！」", "と"},
		"bad\xff. Next":                   {"bad\uFFFD.", "Next"},
	} {
		if got := analysis.Sentences(text); !slices.Equal(got, want) {
			t.Errorf("Sentences(%q) = %q, want %q", text, got, want)
		}
	}
}
