package index

import "slices"

// Search returns the documents found for a question, with their measures, in ascending order of
// Seq: the depth best by base score with that of neighbours, the depth/3 best of the times asked
// for, the depth nearest by each of the two vectors, and if asked for their kin.
func (ix *Index) Search(q Query, depth int) []Hit { return ix.search(q, depth, boundedFrom) }

// search is Search that prunes in an index of boundedFrom documents or more.
func (ix *Index) search(q Query, depth, boundedFrom int) []Hit {
	f := ix.begin(q, depth, boundedFrom)
	defer func() { f.close() }()
	var encoded []float32
	if q.Encoded != nil && ix.hasEncoded() {
		// Without the lock, as it may take long: a waiting writer would hold up all other readers.
		encoded = q.Encoded(f.hits)
	} else if !q.Kin {
		return f.hits
	}
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	if len(ix.docs) != f.documents {
		f.close()
		f = ix.start(q, depth, boundedFrom)
	}
	if encoded != nil {
		f.addEncoded(encoded, depth)
	}
	if q.Kin {
		f.addKin(encoded)
	}
	return f.hits
}

// hasEncoded reports whether some document has a vector by the encoder.
func (ix *Index) hasEncoded() bool {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return ix.encoded.dimensions > 0
}

// finding is a search under way: what was found without the encoder. It is valid as long as no
// documents are added to the index.
type finding struct {
	m         *matcher
	s         *scratch
	ps        *prunedScorer // nil if the scores of all documents are in s
	allowed   bitset
	documents int      // how many the index had
	chosen    []uint32 // documents found, ascending
	hits      []Hit    // one for each of chosen; addKin adds further ones
}

// begin begins a search, which is to be closed in the end.
func (ix *Index) begin(q Query, depth, boundedFrom int) *finding {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return ix.start(q, depth, boundedFrom)
}

// start is begin for a caller that holds the lock.
func (ix *Index) start(q Query, depth, boundedFrom int) *finding {
	f := &finding{m: ix.prepare(q), s: newScratch(ix), allowed: ix.allowed(q.Allowed), documents: len(ix.docs)}
	if len(ix.docs) >= boundedFrom {
		f.ps = f.m.bounded(f.s, depth, depth/inTimeOf, f.allowed)
	}
	if f.ps == nil {
		f.m.accumulate(f.s)
	}
	f.chosen = f.m.best(f.s, depth, f.allowed)
	f.chosen = append(f.chosen, f.m.bestInTime(f.s, depth/inTimeOf, f.allowed)...)
	f.chosen = append(f.chosen, ix.vectors.nearest(f.m.q.Vector, depth, f.allowed, f.s)...)
	slices.Sort(f.chosen)
	f.chosen = slices.Compact(f.chosen)
	f.m.mark(f.s)
	f.hits = make([]Hit, len(f.chosen), len(f.chosen)+depth)
	for i, n := range f.chosen {
		f.hits[i] = f.measure(n)
	}
	return f
}

// close gives the scratch back.
func (f *finding) close() {
	f.m.unmark(f.s)
	if f.ps != nil {
		f.ps.close()
	}
	f.s.release()
}

// measure returns the measures of a document, whose session it scores first in a pruned search.
func (f *finding) measure(n uint32) Hit {
	if f.ps != nil {
		f.ps.scoreWithSession(n)
	}
	return f.m.hit(f.s, n)
}

// addEncoded adds the depth documents nearest by the encoder's vector, and sets [Hit.Encoded] of
// all hits.
func (f *finding) addEncoded(encoded []float32, depth int) {
	vectors := &f.m.ix.encoded
	more := slices.DeleteFunc(vectors.nearest(encoded, depth, f.allowed, f.s), func(n uint32) bool {
		_, known := slices.BinarySearch(f.chosen, n)
		return known
	})
	slices.Sort(more)
	last := len(f.chosen) - 1
	f.chosen = append(f.chosen, more...)
	f.hits = append(f.hits, make([]Hit, len(more))...)
	for to := len(f.chosen) - 1; to >= 0; to-- { // from the end, so that each has its place free
		if k := len(more) - 1; k >= 0 && (last < 0 || f.chosen[last] < more[k]) {
			f.chosen[to], f.hits[to] = more[k], f.measure(more[k])
			more = more[:k]
		} else {
			f.chosen[to], f.hits[to] = f.chosen[last], f.hits[last]
			last--
		}
		f.hits[to].Encoded = vectors.cosine(encoded, f.chosen[to])
	}
}
