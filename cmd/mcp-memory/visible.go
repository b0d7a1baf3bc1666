package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// visible escapes the characters of a text that a terminal would act on instead of showing them:
// control characters other than tabs and line feeds, among them those of escape sequences, and
// characters that change the direction of writing. Each becomes \u and four digits, as in JSON. A
// byte that is not UTF-8 becomes \x and two digits. If anything has to be escaped, a carriage
// return before a line feed is removed. All output for people that may quote a memory goes through
// it.
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

// visibleName is [visible] for a name or a title. It makes one line of several, which an older
// version may have stored.
func visibleName(text string) string { return visible(strings.Join(strings.Fields(text), " ")) }

func dangerous(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}

// visibly writes text through [visible]. A character must not be split between two calls of Write.
type visibly struct{ to io.Writer }

// Write implements [io.Writer].
func (v visibly) Write(p []byte) (int, error) {
	if _, err := io.WriteString(v.to, visible(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
