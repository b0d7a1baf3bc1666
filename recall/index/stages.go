package index

import "slices"

// Search returns the depth documents with the best base scores, neighbours
// counted in, and the depth nearest by each vector, in ascending order of Seq.
func (ix *Index) Search(q Query, depth int) []Hit { return ix.search(q, depth, boundedFrom) }

// search is Search that prunes in an index of boundedFrom documents or more.
func (ix *Index) search(q Query, depth, boundedFrom int) []Hit {
	f := ix.begin(q, depth, boundedFrom)
	defer func() { f.close() }()
	if q.Encoded == nil || !ix.hasEncoded() {
		return f.hits
	}
	encoded := q.Encoded() // without the lock: whoever adds documents would wait for it, and all others for him
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	if len(ix.docs) != f.documents {
		f.close()
		f = ix.start(q, depth, boundedFrom)
	}
	f.addEncoded(encoded, depth)
	return f.hits
}

// hasEncoded reports whether some document has a vector by the encoder.
func (ix *Index) hasEncoded() bool {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return ix.encoded.dimensions > 0
}

// finding is a search under way: what has been found without the encoder. It is true
// as long as no documents are added.
type finding struct {
	m         *matcher
	s         *scratch
	ps        *prunedScorer // nil: the scores of all documents are there
	allowed   bitset
	documents int      // of the index
	chosen    []uint32 // ascending
	hits      []Hit    // of chosen
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
	f.hits = f.measure(f.chosen)
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

// measure measures documents.
func (f *finding) measure(documents []uint32) []Hit {
	hits := make([]Hit, len(documents))
	for i, n := range documents {
		if f.ps != nil {
			f.ps.scoreWithSession(n)
		}
		hits[i] = f.m.hit(f.s, n)
	}
	return hits
}

// addEncoded adds the documents that are nearest by the encoder, and measures all by it.
func (f *finding) addEncoded(encoded []float32, depth int) {
	vectors := &f.m.ix.encoded
	more := slices.DeleteFunc(vectors.nearest(encoded, depth, f.allowed, f.s), func(n uint32) bool {
		_, known := slices.BinarySearch(f.chosen, n)
		return known
	})
	slices.Sort(more)
	f.chosen, f.hits = merged(f.chosen, f.hits, more, f.measure(more))
	for i, n := range f.chosen {
		f.hits[i].Encoded = vectors.cosine(encoded, n)
	}
}

// merged merges two lists of documents with their hits, each in ascending order.
func merged(documents []uint32, hits []Hit, others []uint32, theirs []Hit) (all []uint32, measured []Hit) {
	all, measured = make([]uint32, 0, len(documents)+len(others)), make([]Hit, 0, len(documents)+len(others))
	for i, n := range documents {
		for len(others) > 0 && others[0] < n {
			all, measured = append(all, others[0]), append(measured, theirs[0])
			others, theirs = others[1:], theirs[1:]
		}
		all, measured = append(all, n), append(measured, hits[i])
	}
	return append(all, others...), append(measured, theirs...)
}
