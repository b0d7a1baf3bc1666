package memory

import "strings"

// Shorten returns a text if it has at most most characters, else its beginning and an ellipsis, most
// characters together; most is at least 1.
func Shorten(text string, most int) string {
	n, end := 0, 0 // characters seen; end in bytes of what stays if there are too many
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
