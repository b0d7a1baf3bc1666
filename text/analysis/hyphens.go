package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestJoined is the length in bytes up to which a hyphenated word is also
// taken as one: longer ones are phrases, or not words at all.
const longestJoined = 32

// joined returns the hyphenated words of a folded text written together, in
// lower case: "email" for "e-mail", which some write with a hyphen and some
// without. Letters only: hyphens between digits separate.
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
