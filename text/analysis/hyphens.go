package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestJoined is the number of bytes, with hyphens, of the longest hyphenated
// word that is also taken as one word. Longer ones are phrases, or not words at
// all.
const longestJoined = 32

// joined returns the hyphenated words of a folded text, written together and in
// lower case: "email" for "e-mail", because some write a hyphen and some do
// not. They have letters only: a hyphen between digits separates.
func joined(text string) []string {
	if strings.IndexByte(text, '-') < 0 {
		return nil
	}
	var words []string
	for _, token := range strings.FieldsFunc(text, func(r rune) bool { return r != '-' && !unicode.IsLetter(r) }) {
		token = strings.Trim(token, "-")
		if len(token) > longestJoined || strings.IndexByte(token, '-') < 0 || strings.Contains(token, "--") {
			continue
		}
		if r, _ := utf8.DecodeRuneInString(token); IsUnspaced(r) {
			continue
		}
		words = append(words, strings.ToLower(strings.ReplaceAll(token, "-", "")))
	}
	return words
}
