package memory

import "strings"

// Shorten returns a text of at most so many characters, which are at least one: all of it, or
// its beginning and an ellipsis.
func Shorten(text string, most int) string {
	n, end := 0, 0 // of what stays if there is more
	for i := range text {
		switch n++; {
		case n == most:
			end = i
		case n > most:
			return text[:end] + "…"
		}
	}
	return text
}

// OneLine is [Shorten] of a text in which all white space is single blanks.
func OneLine(text string, most int) string {
	return Shorten(strings.Join(strings.Fields(text), " "), most)
}
