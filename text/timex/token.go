package timex

import (
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	mark   tokenKind = iota // one character that is neither letter, digit nor blank
	word                    // letters, without "'s" at the end
	number                  // digits, with st, nd, rd, th or s after them
)

// token is a piece of the text, as the rules see it.
type token struct {
	start, end int
	lex        *lexeme // of a word; nil if it is unknown, or part of an identifier
	value      int     // of a number; of a mark its character, see plainMark
	kind       tokenKind
	digits     uint8 // number of digits
	suffix     byte  // of a number: 'o' for an ordinal, 's' for a decade, or 0
	capital    bool  // of a word: "May", not "may" or "MAY"
	// before and after are the characters that tie a number to what surrounds
	// it, such as '.' in "2.0.23", '$', or 'a' for any letter; 0 if it is free.
	before, after byte
}

// maxDigits is the number of digits of the longest number that is read. Longer
// ones cannot be dates.
const maxDigits = 9

// appendTokens adds the tokens of text. Bytes that are not UTF-8 are marks.
func appendTokens(tokens []token, text string) []token {
	words := lexicon()
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			i++
		case isASCIILetter(c):
			t, next := readWord(words, text, i)
			tokens = append(tokens, t)
			i = next
		case isDigit(c):
			t := readNumber(text, i)
			tokens = append(tokens, t)
			i = t.end
		default:
			r, size := utf8.DecodeRuneInString(text[i:])
			if !isLetter(r) {
				if !unicode.IsSpace(r) {
					tokens = append(tokens, token{start: i, end: i + size, value: int(plainMark(r))})
				}
				i += size
				continue
			}
			t, next := readWord(words, text, i)
			tokens = append(tokens, t)
			i = next
		}
	}
	return tokens
}

// readWord reads letters, with apostrophes inside them ("don't"). It also
// returns where the text goes on: after a genitive's "'s", so that
// "yesterday's" is found as "yesterday".
func readWord(words *dictionary, text string, start int) (token, int) {
	end := lettersEnd(text, start)
	t := token{start: start, end: end, kind: word}
	next := end
	for {
		quote := apostrophe(text, next)
		rest := lettersEnd(text, next+quote)
		if quote == 0 || rest == next+quote {
			break
		}
		if rest == next+quote+1 && lower(text[rest-1]) == 's' {
			next = rest
			break
		}
		t.end, next = rest, rest
	}
	t.capital = isUpper(text[start]) && (start+1 >= t.end || !isUpper(text[start+1]))
	if lex := words.lookUp(text[t.start:t.end]); lex != nil && !tied(text, t, lex) {
		t.lex = lex
	}
	return t, next
}

// readNumber reads digits and the suffix that may belong to them.
func readNumber(text string, start int) token {
	t := token{start: start, end: start, kind: number}
	for t.end < len(text) && isDigit(text[t.end]) {
		if t.end-start < maxDigits {
			t.value = 10*t.value + int(text[t.end]-'0')
		}
		t.end++
	}
	t.digits = uint8(min(t.end-start, maxDigits+1))
	quote := apostrophe(text, t.end) // "1990's"
	letters := lettersEnd(text, t.end+quote)
	switch suffix := text[t.end+quote : letters]; {
	case len(suffix) == 1 && lower(suffix[0]) == 's':
		t.suffix, t.end = 's', letters
	case quote == 0 && isOrdinalSuffix(suffix):
		t.suffix, t.end = 'o', letters
	}
	t.before, t.after = tieBefore(text, start), tieAfter(text, t.end)
	return t
}

func isOrdinalSuffix(s string) bool {
	if len(s) != 2 {
		return false
	}
	switch [2]byte{lower(s[0]), lower(s[1])} {
	case [2]byte{'s', 't'}, [2]byte{'n', 'd'}, [2]byte{'r', 'd'}, [2]byte{'t', 'h'}:
		return true
	}
	return false
}

// lettersEnd returns the end of the letters that start at i.
func lettersEnd(text string, i int) int {
	for i < len(text) {
		if c := text[i]; c < utf8.RuneSelf {
			if !isASCIILetter(c) {
				return i
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isLetter(r) {
			return i
		}
		i += size
	}
	return i
}
