package recall

import (
	"slices"

	"mcp-memory/memory"
	"mcp-memory/text/slots"
)

// sameText is the overlap (Jaccard) of content stems from which two documents
// say the same, unless what differs turns the meaning: a negation, a number, a
// date, on and off, who does it to whom ([slots.Differ]).
const sameText = 0.9

// diversify returns at most limit candidates, and folds each one that says the same as a better one
// of its corpus into that one; of records the newest is shown, in the place of the best. Only
// the first results matter, so it stops when it has limit of them.
func diversify(ranked []*candidate, limit int) []*candidate {
	var kept []*candidate
	for _, c := range ranked {
		if i := findDuplicate(kept, c); i >= 0 {
			kept[i] = fold(kept[i], c)
			continue
		}
		if len(kept) == limit {
			break
		}
		kept = append(kept, c)
	}
	return kept
}

// findDuplicate returns the place of the one of those kept that says the same:
// of the same corpus and kind, since a procedure is no repetition of a fact. It
// is -1 if there is none.
func findDuplicate(kept []*candidate, c *candidate) int {
	return slices.IndexFunc(kept, func(k *candidate) bool {
		return k.Corpus == c.Corpus && k.Kind == c.Kind && overlap(k.counted(), c.counted(), sameText) &&
			!slots.Differ(k.Content, c.Content)
	})
}

// fold returns the one of two candidates that is shown for both, with the other's id among its
// duplicates: of records the newer, with the score of the better.
func fold(better, other *candidate) *candidate {
	shown, hidden := better, other
	if other.Corpus == memory.Memories && other.EventTime().After(better.EventTime()) {
		shown, hidden = other, better
		shown.score = better.score
	}
	shown.duplicates = append(append(shown.duplicates, hidden.duplicates...), hidden.ID)
	hidden.duplicates = nil
	return shown
}

// counted returns how often the content has each stem. It counts when first asked: most
// candidates are never compared, and contents may be long.
func (c *candidate) counted() map[string]int {
	if c.terms == nil {
		c.terms = countTerms(c.Content)
	}
	return c.terms
}

// overlap reports whether the [jaccard] of two sets of stems is at least least, 0 to 1. It stops as
// soon as too many stems of the smaller set are missing: most pairs are far from alike.
func overlap(a, b map[string]int, least float64) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if float64(len(a)) < least*float64(len(b)) {
		return false
	}
	missing := 0
	for term := range a {
		if b[term] > 0 {
			continue
		}
		if missing++; float64(len(a)-missing) < least*float64(len(b)+missing) {
			return false
		}
	}
	return len(b) > 0
}

// jaccard is the size of the intersection of two sets divided by that of their union, 0 to 1; 0 for
// two empty sets.
func jaccard(a, b map[string]int) float64 {
	shared := inBoth(a, b)
	if union := len(a) + len(b) - shared; union > 0 {
		return float64(shared) / float64(union)
	}
	return 0
}

// inBoth counts the stems that two contents share.
func inBoth(a, b map[string]int) (shared int) {
	if len(a) > len(b) {
		a, b = b, a
	}
	for term := range a {
		if b[term] > 0 {
			shared++
		}
	}
	return shared
}

// mayOppose reports whether two contents, by their stems, share so much that they can say the opposite
// of each other: half of all stems or more (opposable), or all but a few (opposing).
func mayOppose(a, b map[string]int) bool {
	shared := inBoth(a, b)
	return shared > 0 && (max(len(a), len(b))-shared <= opposing || jaccard(a, b) >= opposable)
}

// widen makes room in a long answer for sessions that its first results do not
// show: an answer is often spread over several, and who asks for more than
// [DefaultLimit] results wants to see them rather than more of the same. The
// best turns of such sessions come right behind the first DefaultLimit, as long
// as the answer names no more sessions than half its places.
func widen(ranked []*candidate, limit int) []*candidate {
	if limit <= DefaultLimit || len(ranked) <= limit {
		return ranked
	}
	shown := map[string]bool{}
	for _, c := range ranked[:DefaultLimit] {
		if c.Corpus == memory.Conversations {
			shown[c.Session] = true
		}
	}
	first, rest := slices.Clone(ranked[:DefaultLimit]), []*candidate(nil)
	for _, c := range ranked[DefaultLimit:] {
		if c.Corpus == memory.Conversations && !shown[c.Session] && len(shown) < limit/2 {
			shown[c.Session] = true
			first = append(first, c)
		} else {
			rest = append(rest, c)
		}
	}
	return append(first, rest...)
}
