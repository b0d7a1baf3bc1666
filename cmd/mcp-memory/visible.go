package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// visible shows the characters of a text that would do something to a terminal
// instead of being seen: control characters but for tabs and the ends of lines,
// among them those of escape sequences, and what changes the direction of
// writing. Each becomes \u and four digits, which JSON reads as the same
// character, or of a byte that is not UTF-8 \x and two. Everything that may
// repeat a memory to a person goes through it.
func visible(text string) string {
	if strings.IndexFunc(text, dangerous) < 0 && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case strings.HasPrefix(text, "\r\n"):
		case dangerous(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	return b.String()
}

// visibleName is [visible] for a name or a title, which is one line also where an older version has
// stored several.
func visibleName(text string) string { return visible(strings.Join(strings.Fields(text), " ")) }

func dangerous(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}

// visibly writes text as [visible] shows it. A character must not be split
// between two calls of Write.
type visibly struct{ to io.Writer }

// Write implements [io.Writer].
func (v visibly) Write(p []byte) (int, error) {
	if _, err := io.WriteString(v.to, visible(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
