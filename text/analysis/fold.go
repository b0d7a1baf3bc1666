package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold returns text without the accents of Latin letters and in NFKC form, in
// which wide and narrow letters of East Asian keyboards, ligatures and the like
// become ordinary letters. Letter case is kept. Only Latin letters lose their
// marks: elsewhere a mark is often a letter of its own, as the vowels of Hindi,
// or makes another letter, as the dots that distinguish が from か. The marks
// removed are those that the tokenizer "unicode61 remove_diacritics 2" of FTS5
// removes.
func fold(text string) string {
	if isASCII(text) {
		return text
	}
	text = norm.NFKC.String(text)
	var out strings.Builder
	out.Grow(len(text))
	afterLatin := false
	for i, r := range text {
		switch {
		case r < utf8.RuneSelf:
			out.WriteByte(byte(r))
			afterLatin = isWordRune(r)
		case unicode.Is(unicode.Mn, r) && afterLatin:
			// Drop a mark for which Unicode has no composed letter.
		case unicode.Is(unicode.Latin, r):
			writeBase(&out, text[i:], r)
			afterLatin = true
		default:
			out.WriteRune(r)
			afterLatin = false
		}
	}
	return out.String()
}

// writeBase writes r, the first character of rest, without its marks.
func writeBase(out *strings.Builder, rest string, r rune) {
	parts := norm.NFD.PropertiesString(rest).Decomposition()
	if parts == nil {
		out.WriteRune(r)
		return
	}
	for len(parts) > 0 {
		part, size := utf8.DecodeRune(parts)
		if !unicode.Is(unicode.Mn, part) {
			out.WriteRune(part)
		}
		parts = parts[size:]
	}
}
