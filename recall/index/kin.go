package index

import (
	"cmp"
	"maps"
	"slices"
)

// Rarely is how many documents of an index may have a stem that tells two of them from all
// others.
const Rarely = 4

// leading is how many of the best documents are looked at for what has a rare stem with
// them, and maxKin how many of those count: those that share the most, the newest first.
const leading, maxKin = 3, 8

// addKin adds the documents that have a stem with one of the best that is rare in the whole
// index, and says so of those that were found: what a later one says may change what the
// best says, and have no word of the question ("I take the 7:42", "The 7:42 no longer runs").
func (f *finding) addKin(encoded []float32) {
	ix := f.m.ix
	best := make([]int, 0, leading+1)
	for i := range f.hits {
		at, _ := slices.BinarySearchFunc(best, i, func(a, b int) int { return cmp.Compare(f.hits[b].likely(), f.hits[a].likely()) })
		best = head(slices.Insert(best, at, i), leading)
	}
	shared := map[uint32]float64{}
	for _, i := range best {
		n, _ := ix.find(f.hits[i].Seq)
		d := &ix.docs[n]
		for _, term := range ix.words[d.start : d.start+ix.lengths[n]] {
			if docs := ix.postings[term].docs; ix.frequency(term) <= Rarely {
				for _, other := range docs {
					if other != uint32(n) && f.allowed.has(other) {
						shared[other] += 1 / float64(ix.frequency(term))
					}
				}
			}
		}
	}
	kin := slices.SortedFunc(maps.Keys(shared),
		func(a, b uint32) int { return cmp.Or(cmp.Compare(shared[b], shared[a]), cmp.Compare(b, a)) })
	for _, n := range head(kin, maxKin) {
		at, known := slices.BinarySearchFunc(f.hits, ix.docs[n].seq, func(h Hit, seq int64) int { return cmp.Compare(h.Seq, seq) })
		if !known {
			h := f.measure(n)
			h.Encoded = ix.encoded.cosine(encoded, n)
			f.hits = slices.Insert(f.hits, at, h)
		}
		f.hits[at].Kin = true
	}
}

// likely is by what the best are told from the others.
func (h *Hit) likely() float64 { return h.Base() + max(0, h.Encoded) }

// Frequencies returns how many documents have each of some stems.
func (ix *Index) Frequencies(stems []string) map[string]int {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	list := make(map[string]int, len(stems))
	for _, stem := range stems {
		if t, known := ix.terms.find(stem); known {
			list[stem] = ix.frequency(t)
		}
	}
	return list
}

// frequency is how many documents have a term: of the bank, where its statistics are known.
func (ix *Index) frequency(term uint32) int {
	here := len(ix.postings[term].docs)
	if ix.fixed != nil {
		return max(here, ix.fixed.Frequency[ix.terms.names[term]])
	}
	return here
}

// Rare returns the stems that at most [Rarely] documents have, in no order.
func (ix *Index) Rare() (stems []string) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	for t, p := range ix.postings {
		if len(p.docs) > 0 && len(p.docs) <= Rarely {
			stems = append(stems, ix.terms.names[t])
		}
	}
	return stems
}
