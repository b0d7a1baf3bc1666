package analysis_test

import (
	"slices"
	"testing"
	"unicode"

	"mcp-memory/text/analysis"
)

func TestWords(t *testing.T) {
	for text, want := range map[string][]string{
		"":                       nil,
		" ...":                   nil,
		"don't":                  {"don", "t"},
		"v1.2":                   {"v1", "2"},
		"user_id":                {"user", "id"},
		"Naïve CAFÉ":             {"naïve", "café"},
		"東京 Tower":               {"東京", "tower"},
		"a\xffb":                 {"a", "b"},
		"isFeatureEnabled twice": {"isfeatureenabled", "twice"},
		"the the":                {"the", "the"},
	} {
		if got := analysis.Words(text); !slices.Equal(got, want) {
			t.Errorf("Words(%q) = %q, want %q", text, got, want)
		}
	}
}

// definition is rule 1 of the table's format, slow and literal.
func definition(text string) []string {
	var words []string
	var word []rune
	for _, r := range text + " " {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			word = append(word, unicode.ToLower(r))
		} else if len(word) > 0 {
			words = append(words, string(word))
			word = nil
		}
	}
	return words
}

func TestWordsOfEveryCharacter(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		text := "a" + string(r) + "B"
		if got, want := analysis.Words(text), definition(text); !slices.Equal(got, want) {
			t.Fatalf("Words(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestStems(t *testing.T) {
	got := analysis.Stems("The doctors are motoring")
	if want := []string{"the", "doctor", "ar", "motor"}; !slices.Equal(got, want) {
		t.Errorf("Stems = %q, want %q", got, want)
	}
}

func TestIsStop(t *testing.T) {
	for word, want := range map[string]bool{
		"a": true, "yourselves": true, "couldn": true, "cannot": true, "ought": true,
		"": false, "The": false, "get": false, "us": false, "yes": false, "doctor": false,
	} {
		if analysis.IsStop(word) != want {
			t.Errorf("IsStop(%q) = %t", word, !want)
		}
	}
}
