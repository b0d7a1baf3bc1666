package extractive

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

// containedShare is the share of a fact's words that another fact has to have for the first to
// say nothing more. A single word of a short fact may be all that has changed.
const containedShare = 0.92

// known recognises what was said already.
type known struct {
	exact    map[string]bool
	entries  []entry
	postings map[posting][]int // entries
}

// entry is a text by its distinct stems, sorted; marks are what makes texts of
// the same words differ: numbers and negation.
type entry struct {
	stems []string
	marks string
}

func entryOf(text string) entry { return entry{distinct(analysis.Content(text)), marks(text)} }

// posting is a key of the index: it names the entries with some marks that have a stem.
type posting struct{ marks, stem string }

// newKnown knows the sentences and lines of a text.
func newKnown(text string) *known {
	k := &known{exact: map[string]bool{}, postings: map[posting][]int{}}
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
	e := entryOf(text)
	if k.says(e) {
		return false
	}
	for _, stem := range e.stems {
		p := posting{e.marks, stem}
		k.postings[p] = append(k.postings[p], len(k.entries))
	}
	k.entries = append(k.entries, e)
	return true
}

// says reports whether an entry says all that e says.
//
// Such an entry has at least containedShare of e's stems, so one at least of the
// rarest of them, one more than it may lack: looking those up is enough, and
// spares the names that every sentence has.
func (k *known) says(e entry) bool {
	rarest := slices.Clone(e.stems)
	slices.SortStableFunc(rarest, func(a, b string) int {
		return cmp.Compare(len(k.postings[posting{e.marks, a}]), len(k.postings[posting{e.marks, b}]))
	})
	lacking := len(rarest) - int(math.Ceil(containedShare*float64(len(rarest))))
	for _, stem := range rarest[:min(lacking+1, len(rarest))] {
		for _, id := range k.postings[posting{e.marks, stem}] {
			if e.saidBy(k.entries[id]) {
				return true
			}
		}
	}
	return false
}

// saidBy reports whether another entry of the same marks says what e says.
func (e entry) saidBy(other entry) bool {
	n := float64(common(e.stems, other.stems))
	return n > 2 && n >= containedShare*float64(len(e.stems))
}

// common counts what two sorted lists have in common.
func common(a, b []string) (n int) {
	for len(a) > 0 && len(b) > 0 {
		switch cmp.Compare(a[0], b[0]) {
		case -1:
			a = a[1:]
		case 1:
			b = b[1:]
		default:
			n, a, b = n+1, a[1:], b[1:]
		}
	}
	return n
}

// distinct returns the stems sorted, each once.
func distinct(stems []string) []string {
	sorted := slices.Clone(stems)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}

// marks are the numbers of a text, sorted, and whether it denies something.
func marks(text string) string {
	var found []string
	denied := false
	for _, w := range cut(text) {
		if number(w.low) && w.low != "one" {
			found = append(found, w.low)
		}
		if negations[w.low] {
			denied = !denied
		}
	}
	slices.Sort(found)
	if denied {
		found = append(found, "not")
	}
	return strings.Join(found, " ")
}
