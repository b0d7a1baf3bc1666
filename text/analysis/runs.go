package analysis

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// class says how a character continues or ends a run.
type class int

const (
	separator class = iota
	spaced          // a letter or digit of a script that puts spaces between words
	unspaced        // a letter of a script that does not
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
// letters may be more than one word. Korean is included: it has spaces, but
// attaches particles to words, and pairs of characters match words with and
// without them.
func IsUnspaced(r rune) bool {
	switch {
	case r < 0x0E00: // before Thai, the first of them
		return false
	case r == 'ー', r == 'ｰ', r == 'ﾞ', r == 'ﾟ': // used by two scripts, so in no table of one
		return true
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// runs yields the runs of letters and digits of text as they are written. The
// second value says whether the run is of unspaced scripts; no run mixes both
// kinds. Unlike [Words], runs keeps marks with their letters: a word of Hindi
// cut at its vowels would be a list of consonants.
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
// unspaced script, or the character of a run that has only one. Marks are left
// out, because FTS5 would cut a pair at them.
func appendPairs(pairs []string, run string) []string {
	if strings.ContainsFunc(run, unicode.IsMark) {
		run = strings.Map(func(r rune) rune {
			if unicode.IsMark(r) {
				return -1
			}
			return r
		}, run)
	}
	first, second := 0, -1 // start of each of the last two characters
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

// maxName is how many bytes a run has at most that is taken for a name. A
// longer one is encoded data, and its pieces would be noise.
const maxName = 64

// appendPieces appends the pieces of a run in camelCase, in lower case and
// without stop words. It cuts before a capital after a small letter, and before
// the last of several capitals if a small letter follows. It appends nothing
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
