package rows

import "unicode"

const (
	// maxPhraseWords and maxPhraseBytes bound one term. To a text index a term without a blank
	// in it ("a@a@a@…") is a phrase, and it compares the places of all words of a phrase in
	// each document.
	maxPhraseWords = 64
	maxPhraseBytes = 4 << 10
)

// Phrase returns the beginning of a term that is as long as a search takes.
func Phrase(term string) string {
	words, inside := 0, false
	for i, r := range term {
		word := unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
		if word && !inside {
			words++
		}
		if inside = word; words > maxPhraseWords || i >= maxPhraseBytes {
			return term[:i]
		}
	}
	return term
}
