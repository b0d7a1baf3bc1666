package secrets

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// plain returns a text in plain letters and digits, without characters that
// nobody sees, and whether that changed it.
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

// digit is the plain form of a decimal digit of any script. The digits of a
// script follow each other in Unicode, from 0.
func digit(r rune) rune {
	zero := r
	for zero > r-9 && unicode.Is(unicode.Nd, zero-1) {
		zero--
	}
	return '0' + (r - zero)
}

// minSpelled is how many characters have to stand alone in a row.
const minSpelled = 5

// spelledOut returns a text in which characters that stand alone, one behind
// the other, are put together, and whether there were any. "p a s s : x" is
// "pass : x".
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

// standAlone reports whether so many characters of a text stand alone in a row.
func standAlone(text string) bool {
	row, length := 0, 0 // characters that stood alone; characters of this word
	for _, r := range text {
		switch {
		case !unicode.IsSpace(r):
			if length++; length > 1 {
				row = 0
			} else if row+1 >= minSpelled {
				return true // at least so far, which is all that this is for
			}
		case length == 1:
			row, length = row+1, 0
		default:
			length = 0
		}
	}
	return false
}
