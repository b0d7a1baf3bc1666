package analysis

import (
	"strings"
	"unicode"
)

// particles are what Japanese puts behind a word, as far as it is one character.
const particles = "のはがをにでとへもや"

// WithoutParticles puts a space for each Japanese particle that stands alone between words of
// other scripts, or at the end of one. In a question such as 東京の桜 the pairs of characters on
// both sides of it say nothing, and what is left of a short one would be too little.
func WithoutParticles(text string) string {
	if !strings.ContainsAny(text, particles) {
		return text
	}
	letters := []rune(text)
	word := func(i int) bool {
		return i >= 0 && i < len(letters) &&
			(unicode.In(letters[i], unicode.Han, unicode.Katakana, unicode.Latin, unicode.Nd) || letters[i] == 'ー')
	}
	ended := func(i int) bool { return i >= len(letters) || !unicode.IsLetter(letters[i]) }
	for i, r := range letters {
		if strings.ContainsRune(particles, r) && word(i-1) && (word(i+1) || ended(i+1)) {
			letters[i] = ' '
		}
	}
	return string(letters)
}
