package tokens

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

const (
	pieceBytes = 4096 // bytes of text in a piece
	runBytes   = 256  // bytes of one run of letters, of blanks or of other characters in a piece
)

// class is a simplified form of the character classes in the patterns. What an
// encoding matches as a unit is one run of a class, with at most one other
// character, or line ends, around it.
type class byte

const (
	none class = iota
	letter
	number
	blank
	other
)

// pieces yields text in pieces that are cheap to count. The package document
// says where it cuts.
func pieces(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		words := len(text) > pieceBytes
		for len(text) > 0 {
			n := cut(text, words)
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}

// cut returns the length of the first piece of text, at least one character. A
// place is safe if the encodings never join its two sides. If words is true,
// the piece ends at the first safe place: the words of a long text repeat, and
// then each is counted once. Otherwise it ends at the last safe place in the
// first pieceBytes. If there is none, it ends after pieceBytes, or where a run
// gets too long.
func cut(text string, words bool) int {
	safe, runStart := 0, 0
	before, run := none, none
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		c := classOf(r, run)
		// A blank after a letter or number is a safe place: neither pattern
		// matches a blank after these as part of one unit, or looks back.
		if c == blank && (before == letter || before == number) {
			if safe = i; words {
				return i
			}
		}
		if c != run {
			run, runStart = c, i
		}
		tooLong := c != number && i+size-runStart > runBytes
		if tooLong || i+size > pieceBytes {
			if safe > 0 {
				return safe
			}
			return max(i, size)
		}
		before = c
		i += size
	}
	return len(text)
}

// classOf returns the class of r after a run of class current. Marks continue a
// run of letters, and line ends a run of other characters, as in at least one
// of the patterns.
func classOf(r rune, current class) class {
	switch {
	case unicode.IsLetter(r):
		return letter
	case unicode.IsNumber(r):
		return number
	case (r == '\n' || r == '\r') && current == other:
		return other
	case unicode.IsSpace(r):
		return blank
	case unicode.IsMark(r) && current == letter:
		return letter
	}
	return other
}
