package recall

import (
	"strings"

	"mcp-memory/text/analysis"
)

// unframed returns a question without its framing, the words by which it asks, as opposed to
// those for what it asks about: "what kind of tea did I mention?" is about tea. A text that has
// framing words in common with a question only looks like an answer to it. A question that has no
// other words stays as it is.
func unframed(text string) string {
	words := strings.Fields(text)
	var kept []string
	for i := range words {
		if !framing(words, i) {
			kept = append(kept, words[i])
		}
	}
	if len(kept) == len(words) {
		return text
	}
	if bare := strings.Join(kept, " "); len(analysis.Content(bare)) > 0 {
		return bare
	}
	return text
}

// framing reports whether the word at a place only frames a question: it asks for a kind of
// answer, for what was told, for a guess, for what was lately, or for what people have in
// common. Words that are also names of things ("talk", "type") do so only where their
// neighbours say so. Stop words are not listed. English only, like those.
func framing(words []string, i int) bool {
	switch plain(words, i) {
	case "say", "says", "said", "tell", "tells", "told", "mention", "mentions", "mentioned", "mentioning",
		"describe", "describes", "described", "discuss", "discusses", "discussed", "discussing", "explain", "explains", "explained",
		"likely", "probably", "possibly", "potentially", "perhaps", "maybe", "might",
		"recently", "lately", "currently",
		"together":
		return true
	case "common":
		return plain(words, i-1) == "in"
	case "considered":
		return plain(words, i-1) == "be"
	case "talk", "talks", "talked", "talking":
		next := plain(words, i+1)
		return next == "about" || next == "of" || next == "to"
	case "kind", "kinds", "type", "types", "sort", "sorts":
		return plain(words, i+1) == "of" && (asksWhich(plain(words, i-1)) || asksWhich(plain(words, i-2)))
	}
	return false
}

func asksWhich(word string) bool { return word == "what" || word == "which" }

// plain returns the word at a place in lower case and without the punctuation
// behind it; empty where there is none. What stands in quotes or belongs to a
// name ("say.go") stays different from a plain word.
func plain(words []string, i int) string {
	if i < 0 || i >= len(words) {
		return ""
	}
	return strings.ToLower(strings.TrimRight(words[i], ".,;:!?"))
}
