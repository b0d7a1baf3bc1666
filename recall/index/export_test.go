package index

import "math"

// SearchBounded and SearchFlat are Search with and without a bar, however large
// the index is.
func (ix *Index) SearchBounded(q Query, depth int) []Hit { return ix.search(q, depth, 0) }
func (ix *Index) SearchFlat(q Query, depth int) []Hit    { return ix.search(q, depth, math.MaxInt) }

// Scored returns how many documents a search with a bar scores before it adds
// the nearest by vector; all of them if there is no bar.
func (ix *Index) Scored(q Query, depth int) int {
	s := newScratch(ix)
	defer s.release()
	r := ix.prepare(q).bounded(s, depth, depth/toldOf, ix.allowed(q.Allowed))
	if r == nil {
		return len(ix.docs)
	}
	r.close()
	return len(s.active)
}
