package rows

import "unicode"

const (
	// maxPhraseWords and maxPhraseBytes bound one search term. A text index splits even a term
	// without blanks ("a@a@a@…") into words and searches them as a phrase, for which it compares
	// the places of all these words in each document.
	maxPhraseWords = 64
	maxPhraseBytes = 4 << 10
)

// Phrase returns a search term, cut to at most 64 words and about 4 KiB.
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
