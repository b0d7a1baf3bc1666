package index

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"mcp-memory/text/analysis"
)

const (
	typoSim       = 0.8 // similarity of a stem at a small edit distance
	prefixSim     = 0.7 // similarity of a stem that begins with the question's
	pairSim       = 0.8 // similarity of a pair of characters that contains the question's single one
	shortestTypo  = 4   // letters of a stem that may be mistyped
	shortestCut   = 5   // letters of a stem of the bank that is compared with the beginning of the word
	longTypo      = 8   // letters from which two errors are forgiven
	longestTypo   = 64  // letters up to which errors are looked for
	maxCandidates = 16  // corrections of one stem
	maxPairs      = 64  // pairs of one character
)

// corrected is a candidate for a correction, with its number of edits.
type corrected struct {
	similar
	edits int
}

// corrections finds the bank's stems that an unknown one, made of some word, may
// have meant: within a small edit distance of the stem or of the word without
// its ending, or starting with the stem; of the same first letter, unless there
// is none. Those with the fewest edits count, of many the shortest, equals by
// name: which they are must not depend on the order in which the bank has
// learnt them.
func (ix *Index) corrections(stem, word string) []similar {
	v := &ix.terms
	t := newTypo(stem, word)
	if t == nil {
		return nil
	}
	var found []corrected
	for _, n := range v.initials[t.stem[0]] {
		if c, ok := t.correct(v.names[n], v.letters[n]); ok {
			found = append(found, corrected{similar{n, c.sim}, c.edits})
		}
	}
	if len(found) == 0 && len(t.stem) > shortestTypo {
		t.allowed = 1
		for n, name := range v.names {
			if bits.OnesCount32(t.letters^v.letters[n]) <= 2 && t.near(name) {
				found = append(found, corrected{similar{uint32(n), typoSim}, 1})
			}
		}
	}
	slices.SortFunc(found, func(a, b corrected) int {
		x, y := v.names[a.term], v.names[b.term]
		return cmp.Or(cmp.Compare(b.sim, a.sim), cmp.Compare(a.edits, b.edits), cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
	})
	list := make([]similar, 0, min(len(found), maxCandidates))
	for _, c := range head(found, maxCandidates) {
		list = append(list, c.similar)
	}
	return list
}

// typo is a stem of a question that the bank does not know, and the word it was made of.
type typo struct {
	stem, word []rune
	letters    uint32 // letters of stem, see lettersOf
	inWord     uint32 // letters of word
	allowed    int    // how many edits are forgiven
	endings    []int  // for each place i of word: edits that make word[i:] an ending, see endingEdits
}

// newTypo returns nil for what is too short or too long to be corrected.
func newTypo(stem, word string) *typo {
	t := &typo{stem: []rune(stem), word: []rune(word), allowed: 1}
	if len(t.stem) < shortestTypo || len(t.stem) > longestTypo || len(t.word) > longestTypo {
		return nil
	}
	if len(t.stem) >= longTypo {
		t.allowed = 2
	}
	t.letters, t.inWord = lettersOf(stem), lettersOf(word)
	t.endings = make([]int, len(t.word)+1)
	for i := range t.endings {
		t.endings[i] = endingEdits(t.word[i:])
	}
	return t
}

// correct reports whether a stem of the bank, name, may have been meant, and how similar it counts
// as. letters, its lettersOf, tells cheaply of most stems that they are too different.
func (t *typo) correct(name string, letters uint32) (corrected, bool) {
	if t.letters&^letters == 0 && strings.HasPrefix(name, string(t.stem)) {
		return corrected{similar{sim: prefixSim}, 0}, true
	}
	if bits.OnesCount32(t.letters^letters) <= 2*t.allowed && t.near(name) {
		return corrected{similar{sim: typoSim}, 1}, true
	}
	if bits.OnesCount32(letters&^t.inWord) <= t.allowed {
		if edits := t.cut(name); edits <= t.allowed {
			return corrected{similar{sim: typoSim}, edits}, true
		}
	}
	return corrected{}, false
}

// near reports whether a stem of the bank is within the allowed edits of the question's.
func (t *typo) near(name string) bool {
	if letters := utf8.RuneCountInString(name); letters < shortestTypo || letters > len(t.stem)+t.allowed {
		return false
	}
	return within(t.stem, []rune(name), t.allowed)
}

// cut returns the fewest edits that turn the word into the stem name followed by an ending, and
// more than allowed if there is no such way. It helps where the error is in the ending, so that
// the stemmer did not take it off ("trainign" for "training").
func (t *typo) cut(name string) int {
	letters := []rune(name)
	if len(letters) < shortestCut || len(letters) > len(t.word)+t.allowed {
		return t.allowed + 1
	}
	least := t.allowed + 1
	distances(letters, t.word, t.allowed, func(place, edits int) {
		least = min(least, edits+t.endings[place])
	})
	return least
}

// endings are the endings that the stemmer takes off, without short ones in which most words might
// end by chance.
var endings = strings.Fields(`s es ed ing ings er ers ors ly ment ments ness ation ations ion ions ic ics ical ical ically al ally ive ively
	able ible ably ance ances ence ences ant ants ent ents ity ities ies ied ier ous ously ful fully ize izes ized izing izer izers ism isms
	ist ists ate ates ated ating ator ators e y`)

// endingEdits returns how many edits make the rest of a word an ending: 0 for an ending or the
// beginning of one, 1 for one edit, and otherwise more than is ever allowed.
func endingEdits(rest []rune) int {
	const no = longestTypo
	if len(rest) > 8 {
		return no
	}
	least := no
	for _, ending := range endings {
		switch {
		case strings.HasPrefix(ending, string(rest)):
			return 0
		case len(rest) > 2 && within(rest, []rune(ending), 1):
			least = 1
		}
	}
	return least
}

// within reports whether two words are at most limit edits apart; a swap of
// neighbouring letters is one edit (optimal string alignment distance).
func within(x, y []rune, limit int) bool {
	if len(x)-len(y) > limit || len(y)-len(x) > limit {
		return false
	}
	near := false
	distances(x, y, limit, func(place, edits int) { near = near || place == len(y) && edits <= limit })
	return near
}

// distances calls tell with the edit distance between x and each prefix y[:place] of y. It may
// leave out prefixes at more than limit edits. Words have at most longestTypo + 2 letters.
func distances(x, y []rune, limit int, tell func(place, edits int)) {
	var rows [3][longestTypo + 3]int
	before, last, row := rows[0][:len(y)+1], rows[1][:len(y)+1], rows[2][:len(y)+1]
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit {
			return
		}
		before, last, row = last, row, before
	}
	for place, edits := range last {
		tell(place, edits)
	}
}

// isCharacter reports whether a stem is a single character of a script without spaces, such as
// Chinese. Texts in such a script are indexed by pairs of characters, so the bank has it only
// inside of pairs.
func isCharacter(stem string) bool {
	r, size := utf8.DecodeRuneInString(stem)
	return size > 0 && size == len(stem) && analysis.IsUnspaced(r)
}

// pairsWith returns the bank's pairs of characters that contain a character, at most 64 and in
// order of their names.
func (ix *Index) pairsWith(character string) []similar {
	var found []similar
	for n, name := range ix.terms.names {
		if len(name) > len(character) && len(name) <= 2*utf8.UTFMax && strings.Contains(name, character) &&
			utf8.RuneCountInString(name) == 2 {
			found = append(found, similar{uint32(n), pairSim})
		}
	}
	slices.SortFunc(found, func(a, b similar) int { return cmp.Compare(ix.terms.names[a.term], ix.terms.names[b.term]) })
	return head(found, maxPairs)
}
