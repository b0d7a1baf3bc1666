package tokens

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

const (
	pieceBytes = 4096 // of text at once
	runBytes   = 256  // of one run of letters, of blanks or of other characters
)

// class is a coarse form of the classes in the patterns: what the encodings
// match as a unit is one run of a class, with at most one character or line
// ends around it.
type class byte

const (
	none class = iota
	letter
	number
	blank
	other
)

// pieces yields text in parts that are cheap to count. See the package
// document for where it cuts.
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

// cut returns the length of the first piece of text, at least one character:
// up to the first safe place if words are wanted, which come again and again in a long
// text; else up to the last one in the first pieceBytes. Where there is none it is up to
// the end of those, or to where a run gets too long.
func cut(text string, words bool) int {
	safe, runStart := 0, 0
	before, run := none, none
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		c := classOf(r, run)
		// Both patterns start anew at a blank behind a letter or number: nothing in them
		// has one behind these, or looks back.
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

// classOf returns the class of r in a run of class current. Marks continue
// the run that they are in, and line ends one of other characters, as they do
// in one pattern or the other.
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
