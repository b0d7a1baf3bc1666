package analysis

import (
	"strings"
	"unicode"
)

// particles are the Japanese particles of one character. They stand after a
// word.
const particles = "のはがをにでとへもや"

// WithoutParticles replaces with a space each Japanese particle that stands
// alone between words of other scripts, or after such a word at its end. In a
// question such as 東京の桜 the pairs of characters with the particle mean nothing,
// and would leave too few meaningful pairs in a short question.
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
