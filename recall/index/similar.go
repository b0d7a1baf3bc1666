package index

import (
	"cmp"
	"slices"
)

// similar is a term of the bank that may stand for one of the question.
type similar struct {
	term uint32
	sim  float32
}

const (
	neighbours    = 16   // similar stems that count
	commonStems   = 8000 // of the semantic table, which has the most frequent first
	weaklySimilar = 0.5  // below which the bank has nothing that a stem means
	similarFrom   = 0.2  // cosine from which stems are similar at all
	// maxCached bounds the stems whose similar ones are kept, about 200 bytes each.
	maxCached = 20_000
)

// similarKey is a stem of a question and the word that it was made of.
type similarKey struct{ stem, word string }

// cachedSimilar is what was found for a stem when the vocabulary had a certain size.
type cachedSimilar struct {
	found     []similar
	terms     int // of the vocabulary
	known     int // of them in the semantic table
	own       bool
	corrected bool
}

// Similar returns the stems of the vocabulary, other than themselves, that
// those of a question may also mean, from a similarity on.
func (ix *Index) Similar(q Query, from float32) []string {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	var found []string
	for _, t := range ix.prepare(q).stems {
		for _, s := range t.near {
			if name := ix.terms.names[s.term]; s.sim >= from && name != t.stem {
				found = append(found, name)
			}
		}
	}
	return found
}

// similarTo returns the terms that a stem, made of some word, matches, best
// first; the same one has 1. A stem of which the bank has nothing and nothing
// like it is a typing error or a partial word, and the second result is true; a
// known one is never corrected.
func (ix *Index) similarTo(stem, word string) ([]similar, bool) {
	v := &ix.terms
	key := similarKey{stem, word}
	cached, hit := ix.similarCache.Load(key)
	if hit && cached.(cachedSimilar).terms == len(v.names) {
		return cached.(cachedSimilar).found, cached.(cachedSimilar).corrected
	}
	own, inBank := v.find(stem)
	if len(stem) < 2 { // a letter is like anything
		if inBank {
			return []similar{{own, 1}}, false
		}
		return nil, false
	}
	now := cachedSimilar{terms: len(v.names), known: len(v.known), own: inBank}
	switch before, _ := cached.(cachedSimilar); {
	case hit && !before.corrected && before.own == inBank:
		// Only what was learnt since can be nearer than what is known.
		now.found = ix.merge(before, ix.related(stem, own, inBank, v.known[before.known:]))
	case inBank:
		now.found = append([]similar{{own, 1}}, head(ix.related(stem, own, true, v.known), neighbours-1)...)
	default:
		now.found = ix.related(stem, 0, false, v.known)
	}
	switch {
	case isCharacter(stem):
		now.found, now.corrected = append(now.found, ix.pairsWith(stem)...), true
	case !inBank && len(now.found) == 0:
		now.found, now.corrected = ix.corrections(stem, word), true
	case !inBank && now.found[0].sim < weaklySimilar && ix.uncommon(stem):
		now.found, now.corrected = ix.mistyped(stem, word, now.found)
	}
	if !hit && ix.cached.Add(1) > maxCached {
		ix.similarCache.Clear()
		ix.cached.Store(1)
	}
	ix.similarCache.Store(key, now)
	return now.found, now.corrected
}

// related returns terms among some rows of the semantic table by meaning,
// without the stem itself.
func (ix *Index) related(stem string, own uint32, inBank bool, among []int32) []similar {
	if len(among) == 0 {
		return nil
	}
	var found []similar
	for _, n := range ix.table.Neighbours(stem, among, neighbours, similarFrom) {
		if t := ix.terms.termOf[n.ID] - 1; !inBank || t != own {
			found = append(found, similar{t, n.Similarity})
		}
	}
	return found
}

// merge keeps the best of both, equals by their place in the semantic table.
// A stem's own term stays first.
func (ix *Index) merge(old cachedSimilar, added []similar) []similar {
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

func head[T any](list []T, n int) []T { return list[:min(n, len(list))] }

// mistyped returns corrections of a stem that the bank does not have, although
// the semantic table does, and whether there are any; else what was found. The
// table also knows common typing errors, and words that a letter makes of the
// one that was meant: where the bank has nothing that is much like the stem,
// its own word is the better guess.
func (ix *Index) mistyped(stem, word string, found []similar) ([]similar, bool) {
	corrections := slices.DeleteFunc(ix.corrections(stem, word), func(c similar) bool { return c.sim < typoSim })
	if len(corrections) == 0 {
		return found, false
	}
	return corrections, true
}

// uncommon reports whether a stem is among the rarer ones of the semantic table.
func (ix *Index) uncommon(stem string) bool {
	id, ok := ix.table.Lookup(stem)
	return !ok || id >= commonStems
}
