package secrets

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// plain returns a text with plain letters, digits, dashes and spaces, without
// invisible characters and combining marks, and whether that changed it.
func plain(text string) (string, bool) {
	ascii := true
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		return text, false
	}
	clean := strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Mn, r):
			return -1
		case unicode.Is(unicode.Pd, r):
			return '-'
		case unicode.Is(unicode.Zs, r):
			return ' '
		case unicode.Is(unicode.Nd, r) && r >= utf8.RuneSelf:
			return digit(r)
		}
		return r
	}, norm.NFKC.String(text))
	return clean, clean != text
}

// digit returns the ASCII digit for a decimal digit of any script. In Unicode,
// the ten digits of a script follow each other, from 0.
func digit(r rune) rune {
	zero := r
	for zero > r-9 && unicode.Is(unicode.Nd, zero-1) {
		zero--
	}
	return '0' + (r - zero)
}

// minSpelled is the least number of single characters in a row that are put
// together.
const minSpelled = 5

// spelledOut returns a text in which rows of at least minSpelled single
// characters are put together, and whether there were any: "p a s s : x"
// becomes "pass:x".
func spelledOut(text string) (string, bool) {
	if !standAlone(text) {
		return text, false
	}
	fields := strings.Fields(text)
	var out []string
	changed := false
	for i := 0; i < len(fields); {
		j := i
		for j < len(fields) && utf8.RuneCountInString(fields[j]) == 1 {
			j++
		}
		if j-i >= minSpelled {
			out, changed, i = append(out, strings.Join(fields[i:j], "")), true, j
			continue
		}
		out = append(out, fields[i:max(j, i+1)]...)
		i = max(j, i+1)
	}
	return strings.Join(out, " "), changed
}

// standAlone reports whether a text may have at least minSpelled single
// characters in a row. If it is false, the text does not.
func standAlone(text string) bool {
	row, length := 0, 0 // single characters so far in the row; characters of the current word
	for _, r := range text {
		switch {
		case !unicode.IsSpace(r):
			if length++; length > 1 {
				row = 0
			} else if row+1 >= minSpelled {
				return true // the row may still be shorter, which does no harm
			}
		case length == 1:
			row, length = row+1, 0
		default:
			length = 0
		}
	}
	return false
}
