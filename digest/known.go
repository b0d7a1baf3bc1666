package digest

import (
	"hash/fnv"
	"slices"

	"mcp-memory/analysis"
	"mcp-memory/memory"
)

const (
	// sameShare is how much of the words of both facts together they have in
	// common if they say the same.
	sameShare = 0.75
	// containedShare is how much of a fact's words one other fact has if it
	// says nothing more.
	containedShare = 0.92
)

// known recognises what was said already.
type known struct {
	exact    map[string]bool
	entries  []entry
	postings map[string][]int // stem → entries
}

// entry is a text by its distinct stems; marks are what makes texts of the same
// words differ: numbers and negation.
type entry struct {
	stems int
	marks uint64
}

// newKnown knows the sentences and lines of a text.
func newKnown(text string) *known {
	k := &known{exact: map[string]bool{}, postings: map[string][]int{}}
	for _, s := range analysis.Sentences(text) {
		k.add(plain(s))
	}
	return k
}

// add reports whether a text says something that is not known, and knows it
// from then on.
func (k *known) add(text string) bool {
	form := memory.SameContent(text)
	if k.exact[form] {
		return false
	}
	k.exact[form] = true
	stems := distinct(analysis.Content(text))
	e := entry{len(stems), marks(text)}
	shared := map[int]int{}
	for _, stem := range stems {
		for _, id := range k.postings[stem] {
			shared[id]++
		}
	}
	for id, n := range shared {
		other := k.entries[id]
		if other.marks != e.marks {
			continue
		}
		if union := e.stems + other.stems - n; n > 2 && (float64(n) >= sameShare*float64(union) || float64(n) >= containedShare*float64(e.stems)) {
			return false
		}
	}
	id := len(k.entries)
	k.entries = append(k.entries, e)
	for _, stem := range stems {
		k.postings[stem] = append(k.postings[stem], id)
	}
	return true
}

// distinct returns the stems sorted, each once.
func distinct(stems []string) []string {
	sorted := slices.Clone(stems)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}

// marks sums up the numbers of a text and whether it denies something.
func marks(text string) uint64 {
	var sum uint64
	denied := false
	for _, w := range cut(text) {
		if number(w.low) && w.low != "one" {
			h := fnv.New64a()
			h.Write([]byte(w.low))
			sum += h.Sum64()
		}
		if negations[w.low] {
			denied = !denied
		}
	}
	if denied {
		sum++
	}
	return sum
}
