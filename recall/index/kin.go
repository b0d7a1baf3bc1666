package index

import (
	"cmp"
	"maps"
	"slices"
)

// Rarely is in how many documents a stem may be to count as rare: two documents that share a rare
// stem are probably about the same thing.
const Rarely = 4

// leading is how many of the best hits addKin looks for kin of, and maxKin how many kin it adds or
// marks: those that share the most rare stems, of equals the newest.
const leading, maxKin = 3, 8

// addKin looks for documents that share a rare stem with one of the best hits, adds those that were
// not found, and sets [Hit.Kin] of all. Such a document may change what the best hit says without a
// word of the question: "I take the 7:42" is found, "The 7:42 no longer runs" is kin. encoded is
// the question's vector by the sentence encoder, or nil.
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

// likely returns the score by which addKin chooses the best hits.
func (h *Hit) likely() float64 { return h.Base() + max(0, h.Encoded) }

// Frequencies returns how many documents have each of the stems, without stems that are unknown.
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

// frequency returns how many documents have a term: in the bank, where its statistics are fixed,
// else in the index.
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
