package index

import (
	"cmp"
	"slices"
)

// leading is how many of the best documents are looked at for what has a stem with them
// that hardly another document has, and rarely how many documents may have it.
const leading, rarely = 3, 4

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
	found := map[uint32]int{}
	for _, i := range best {
		n, _ := ix.find(f.hits[i].Seq)
		d := &ix.docs[n]
		for _, term := range ix.words[d.start : d.start+ix.lengths[n]] {
			if docs := ix.postings[term].docs; len(docs) <= rarely {
				for _, other := range docs {
					if other != uint32(n) && f.allowed.has(other) {
						found[other]++
					}
				}
			}
		}
	}
	for i := range f.hits {
		n, _ := ix.find(f.hits[i].Seq)
		if found[uint32(n)] > 0 {
			f.hits[i].Kin = true
			delete(found, uint32(n))
		}
	}
	for n := range found {
		h := f.measure(n)
		h.Kin, h.Encoded = true, ix.encoded.cosine(encoded, n)
		f.hits = append(f.hits, h)
	}
	slices.SortFunc(f.hits, func(a, b Hit) int { return cmp.Compare(a.Seq, b.Seq) })
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
			list[stem] = len(ix.postings[t].docs)
		}
	}
	return list
}
