package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words returns the words of text in order, with repeats: runs of Unicode
// letters and digits, each character mapped to lower case. Every other
// character separates, so "don't" gives "don" and "t", and "v1.2" gives "v1"
// and "2". Nil if there is no word.
func Words(text string) []string {
	// Lower-casing the whole text first costs at most one allocation. It turns
	// no letter into another character, or back, so the runs stay the same.
	text = strings.ToLower(text)
	var words []string
	start := -1
	for i, r := range text {
		if isWordRune(r) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			words = appendSized(words, text[start:i], len(text))
			start = -1
		}
	}
	if start >= 0 {
		words = appendSized(words, text[start:], len(text))
	}
	return words
}

// Stems returns the stem of every word of text in order, with stop words and
// repeats. The vector of a text is made from these.
func Stems(text string) []string {
	stems := Words(text)
	for i, word := range stems {
		stems[i] = Stem(word)
	}
	return stems
}

// appendSized is like append. At the first word it makes room for a text of
// size bytes: English has about one word in six bytes.
func appendSized(words []string, word string, size int) []string {
	if words == nil {
		words = make([]string, 0, size/6+1)
	}
	return append(words, word)
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return asciiWord[r]
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// asciiWord has true for ASCII letters and digits.
var asciiWord = func() (table [utf8.RuneSelf]bool) {
	for c := range table {
		table[c] = 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
	}
	return table
}()

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
