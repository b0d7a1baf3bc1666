package timex

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

func isDigit(c byte) bool       { return '0' <= c && c <= '9' }
func isUpper(c byte) bool       { return 'A' <= c && c <= 'Z' }
func isASCIILetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func lower(c byte) byte {
	if isUpper(c) {
		return c | 0x20
	}
	return c
}

// isLetter reports whether r continues a word. Combining marks and digits of
// other scripts do: the latter are not numbers here.
func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return isASCIILetter(byte(r))
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}

// plainMark returns the ASCII character for a typographic dash or apostrophe,
// and any other rune unchanged.
func plainMark(r rune) rune {
	switch r {
	case '‐', '‑', '‒', '–', '—', '−':
		return '-'
	case '’', '‘', 'ʼ':
		return '\''
	}
	return r
}

// apostrophe returns the number of bytes of the apostrophe at i, or 0 if there
// is none.
func apostrophe(text string, i int) int {
	switch {
	case i < len(text) && text[i] == '\'':
		return 1
	case strings.HasPrefix(text[min(i, len(text)):], "’"):
		return len("’")
	}
	return 0
}

// tied reports whether a word is part of an identifier, a path or the like:
// "may_fail", "docs/march", "sun.misc", "std::second", "@april".
func tied(text string, t token, lex *lexeme) bool {
	if t.start > 0 {
		switch c := text[t.start-1]; c {
		case '_', '/', '\\', '@', '#', '$', '=', '&':
			return true
		case '.', ':':
			if t.start > 1 && isAlphanumeric(text[t.start-2]) || t.start > 1 && text[t.start-2] == c {
				return true
			}
		default:
			if isDigit(c) && !lex.behindDigits {
				return true
			}
		}
	}
	if t.end < len(text) {
		switch c := text[t.end]; c {
		case '_', '/', '\\', '@', '=', '(':
			return true
		case '.', ':':
			return t.end+1 < len(text) && (isAlphanumeric(text[t.end+1]) || text[t.end+1] == ':')
		default:
			return isDigit(c) && !lex.beforeDigit
		}
	}
	return false
}

// tieBefore returns the character that ties the number at i to the text before
// it, as in token.before.
func tieBefore(text string, i int) byte {
	if i == 0 {
		return 0
	}
	c := text[i-1]
	switch {
	case isASCIILetter(c) || c >= utf8.RuneSelf && letterBefore(text, i):
		return 'a'
	case strings.IndexByte("_$#@=%+\\", c) >= 0:
		return c
	case strings.IndexByte(".,:/-", c) >= 0 && i > 1 && isDigit(text[i-2]):
		return c
	case strings.HasSuffix(text[:i], "€") || strings.HasSuffix(text[:i], "£"):
		return '$'
	}
	return 0
}

// tieAfter returns the character that ties a number that ends at i to the text
// after it, as in token.after.
func tieAfter(text string, i int) byte {
	if i >= len(text) {
		return 0
	}
	c := text[i]
	switch {
	case isASCIILetter(c):
		return 'a'
	case c >= utf8.RuneSelf:
		if r, _ := utf8.DecodeRuneInString(text[i:]); isLetter(r) {
			return 'a'
		}
	case c == '_' || c == '%' || c == '@' || c == '=':
		return c
	case strings.IndexByte(".,:/-", c) >= 0 && i+1 < len(text) && isDigit(text[i+1]):
		return c
	}
	return 0
}

func letterBefore(text string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(text[:i])
	return isLetter(r)
}

func isAlphanumeric(c byte) bool { return isDigit(c) || isASCIILetter(c) }
