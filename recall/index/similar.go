package index

import (
	"cmp"
	"slices"
)

// similar is a term of the bank that may stand for a stem of the question, by its similarity.
type similar struct {
	term uint32
	sim  float32 // 0 to 1, 1 for the stem itself
}

const (
	neighbours    = 16   // how many terms match a stem by meaning at most, the stem itself included
	commonStems   = 8000 // how many rows at the start of the semantic table, the most frequent, are common stems
	weaklySimilar = 0.5  // with a best match below this an uncommon stem may be a typing error
	similarFrom   = 0.2  // cosine above which stems are similar at all
	// maxCached bounds how many stems similarCache holds, about 200 bytes each.
	maxCached = 20_000
)

// similarKey is a stem of a question and the word that it was made of.
type similarKey struct{ stem, word string }

// cachedSimilar is the result of similarTo for a stem, and the size of the vocabulary by then. If
// the vocabulary has grown, only its new terms are compared, unless the result was corrections or
// the stem itself is among the new ones.
type cachedSimilar struct {
	found     []similar
	terms     int  // how many terms the vocabulary had
	known     int  // how many of these the semantic table has
	own       bool // the vocabulary had the stem itself
	corrected bool
}

// Similar returns the stems of the vocabulary that match the stems of a question with a similarity
// of at least from, without these stems themselves.
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

// similarTo returns the terms of the bank that match a stem, which was made of word: the best
// first, with similarity 1 for the stem itself. The second result is true if they are corrections:
// where the bank has neither the stem nor anything much like it, it is taken for a typing error or
// the beginning of a word. A stem that the bank has is not corrected. The one exception is a single
// character (see isCharacter): the pairs that contain it are added, and the second result is true.
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
		// Only terms that were added since can change what was found.
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

// related returns the terms most similar to a stem by their rows in the semantic table, the best
// first and without the stem itself. among are the rows to compare with.
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

// merge returns the best of what was found before and what was added, of equals those with the
// earlier row in the semantic table. The stem's own term stays first.
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

// mistyped returns corrections of a stem that the semantic table has but the bank does not, and
// true, or if there are none what was found and false. The table also has common typing errors, and
// words one letter away from the one that was meant. So where the bank has nothing much like the
// stem, a word of the bank at a small edit distance is the better guess.
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
