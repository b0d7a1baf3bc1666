package analysis

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// class says what a character does to a run.
type class int

const (
	separator class = iota
	spaced          // a letter or digit of a script that puts spaces between words
	unspaced        // a letter of one that does not
	mark            // belongs to the letter before it
)

func classOf(r rune) class {
	switch {
	case r < utf8.RuneSelf:
		if asciiWord[r] {
			return spaced
		}
		return separator
	case unicode.IsLetter(r):
		if IsUnspaced(r) {
			return unspaced
		}
		return spaced
	case unicode.IsDigit(r):
		return spaced
	case unicode.In(r, unicode.Mn, unicode.Mc) && !unicode.Is(unicode.Variation_Selector, r):
		return mark
	}
	return separator
}

// IsUnspaced reports whether the letter r is of a script in which a run of
// letters is more than a word. Korean has spaces but glues particles to its
// words, which pairs of characters get past as well.
func IsUnspaced(r rune) bool {
	switch {
	case r < 0x0E00: // before Thai, the first of them
		return false
	case r == 'ー', r == 'ｰ', r == 'ﾞ', r == 'ﾟ': // shared by two scripts, so listed as of neither
		return true
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// runs yields the runs of letters and digits of text as they are written. Each
// is wholly of spaced or wholly of unspaced scripts; the second value tells.
// Unlike [Words] it keeps marks with their letters: cut at its vowels, a word
// of Hindi would be a list of consonants.
func runs(text string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		current, start := separator, 0
		for i, r := range text {
			c := classOf(r)
			if c == mark {
				c = current
			}
			if c == current {
				continue
			}
			if current != separator && !yield(text[start:i], current == unspaced) {
				return
			}
			current, start = c, i
		}
		if current != separator {
			yield(text[start:], current == unspaced)
		}
	}
}

// appendPairs appends the overlapping pairs of characters of a run of an
// unspaced script; a single character stands for itself. Marks are left out:
// FTS5 would cut a pair at them.
func appendPairs(pairs []string, run string) []string {
	if strings.ContainsFunc(run, unicode.IsMark) {
		run = strings.Map(func(r rune) rune {
			if unicode.IsMark(r) {
				return -1
			}
			return r
		}, run)
	}
	first, second := 0, -1 // where the last two characters begin
	for i := range run {
		if second >= 0 {
			pairs = append(pairs, run[first:i])
			first = second
		}
		if i > 0 {
			second = i
		}
	}
	return append(pairs, run[first:])
}

// maxName is the length in bytes up to which a run is taken for a name: what
// is longer is encoded data, and its pieces would be noise.
const maxName = 64

// appendPieces appends the pieces of a run in camelCase, in lower case and
// without stop words: cut before a capital that follows a small letter, and
// before the last of several capitals where a small letter follows. Nothing
// for a run of one piece.
func appendPieces(pieces []string, run string) []string {
	if len(run) > maxName {
		return pieces
	}
	start := 0
	var previous, before rune // the last character and the one before it
	size := 0                 // of previous, in bytes
	for i, r := range run {
		cut := start
		switch {
		case unicode.IsUpper(r) && unicode.IsLower(previous):
			cut = i
		case unicode.IsLower(r) && unicode.IsUpper(previous) && unicode.IsUpper(before):
			cut = i - size
		}
		if cut > start {
			pieces = appendInformative(pieces, strings.ToLower(run[start:cut]))
			start = cut
		}
		before, previous, size = previous, r, utf8.RuneLen(r)
	}
	if start == 0 {
		return pieces
	}
	return appendInformative(pieces, strings.ToLower(run[start:]))
}

func appendInformative(words []string, word string) []string {
	if IsStop(word) {
		return words
	}
	return append(words, word)
}
