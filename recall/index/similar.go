package index

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// similar is a term of the bank that may stand for one of the question.
type similar struct {
	term uint32
	sim  float32
}

const (
	neighbours    = 16  // similar stems that count
	threshold     = 0.2 // cosine from which stems are similar at all
	typoSim       = 0.8 // of a stem at a small edit distance
	prefixSim     = 0.7 // of a stem that begins with the question's
	shortestTypo  = 4   // letters of a stem that may be mistyped
	longTypo      = 8   // letters from which two errors are forgiven
	longestTypo   = 64  // letters up to which errors are looked for
	maxCandidates = 16  // corrections of one stem
	// maxCached bounds the stems whose similar ones are kept, about 200 bytes each.
	maxCached = 20_000
)

// looked is what was found for a stem when the vocabulary had a certain size.
type looked struct {
	found     []similar
	terms     int // of the vocabulary
	known     int // of them in the semantic table
	own       bool
	corrected bool
}

// Similar returns the stems of the vocabulary, other than themselves, that
// some stems may also mean, from a similarity on.
func (ix *Index) Similar(stems []string, from float32) []string {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	var found []string
	for _, stem := range stems {
		for _, s := range ix.similarTo(stem) {
			if name := ix.terms.names[s.term]; s.sim >= from && name != stem {
				found = append(found, name)
			}
		}
	}
	return found
}

// similarTo returns the terms that a stem matches, best first; the same one
// has 1. A stem that neither the bank nor the table knows is a typing error or
// a partial word; a known one is never corrected.
func (ix *Index) similarTo(stem string) []similar {
	v := &ix.terms
	cached, hit := ix.near.Load(stem)
	if hit && cached.(looked).terms == len(v.names) {
		return cached.(looked).found
	}
	own, inBank := v.find(stem)
	now := looked{terms: len(v.names), known: len(v.known), own: inBank}
	switch before, _ := cached.(looked); {
	case hit && !before.corrected && before.own == inBank:
		// Only what was learnt since can be nearer than what is known.
		now.found = ix.merge(before, ix.related(stem, own, inBank, v.known[before.known:]))
	case inBank:
		now.found = append([]similar{{own, 1}}, head(ix.related(stem, own, true, v.known), neighbours-1)...)
	default:
		now.found = ix.related(stem, 0, false, v.known)
	}
	if !inBank && len(now.found) == 0 {
		now.found, now.corrected = ix.corrections(stem), true
	}
	if !hit && ix.cached.Add(1) > maxCached {
		ix.near.Clear()
		ix.cached.Store(1)
	}
	ix.near.Store(stem, now)
	return now.found
}

// related returns terms among some rows of the semantic table by meaning,
// without the stem itself.
func (ix *Index) related(stem string, own uint32, inBank bool, among []int32) []similar {
	if len(among) == 0 {
		return nil
	}
	var found []similar
	for _, n := range ix.table.Neighbours(stem, among, neighbours, threshold) {
		if t := ix.terms.termOf[n.ID] - 1; !inBank || t != own {
			found = append(found, similar{t, n.Similarity})
		}
	}
	return found
}

// merge keeps the best of both, equals by their place in the semantic table.
// A stem's own term stays first.
func (ix *Index) merge(old looked, added []similar) []similar {
	if len(added) == 0 {
		return old.found
	}
	all := append(slices.Clone(old.found), added...)
	rest := all
	if old.own {
		rest = all[1:]
	}
	slices.SortStableFunc(rest, func(a, b similar) int {
		return cmp.Or(cmp.Compare(b.sim, a.sim), cmp.Compare(ix.terms.rows[a.term], ix.terms.rows[b.term]))
	})
	return head(all, neighbours)
}

// corrections finds the bank's stems that an unknown one may have meant: of the
// same first letter, within a small edit distance or starting with it. Of many
// the shortest count, equals by name: which they are must not depend on the
// order in which the bank has learnt them.
func (ix *Index) corrections(stem string) []similar {
	v := &ix.terms
	runes := []rune(stem)
	if len(runes) < shortestTypo || len(runes) > longestTypo {
		return nil
	}
	allowed := 1
	if len(runes) >= longTypo {
		allowed = 2
	}
	var found []similar
	letters := lettersOf(stem)
	for _, t := range v.initials[runes[0]] {
		switch other := v.letters[t]; {
		case letters&^other == 0 && strings.HasPrefix(v.names[t], stem):
			found = append(found, similar{t, prefixSim})
		case bits.OnesCount32(letters^other) <= 2*allowed && mistyped(runes, v.names[t], allowed):
			found = append(found, similar{t, typoSim})
		}
	}
	slices.SortFunc(found, func(a, b similar) int {
		x, y := v.names[a.term], v.names[b.term]
		return cmp.Or(cmp.Compare(b.sim, a.sim), cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
	})
	return head(found, maxCandidates)
}

// mistyped reports whether a stem that may be meant is within some edits.
func mistyped(stem []rune, name string, allowed int) bool {
	if letters := utf8.RuneCountInString(name); letters < shortestTypo || letters > len(stem)+allowed {
		return false
	}
	return within(stem, []rune(name), allowed)
}

// within reports whether two words are at most limit edits apart; a swap of
// neighbouring letters is one edit (optimal string alignment distance). Words
// have up to longestTypo letters and two more.
func within(x, y []rune, limit int) bool {
	if len(x)-len(y) > limit || len(y)-len(x) > limit {
		return false
	}
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
			return false
		}
		before, last, row = last, row, before
	}
	return last[len(y)] <= limit
}

func head[T any](list []T, n int) []T { return list[:min(n, len(list))] }
