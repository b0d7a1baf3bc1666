package index

import "math"

// SearchBounded and SearchFlat are Search with and without pruning, however large
// the index is.
func (ix *Index) SearchBounded(q Query, depth int) []Hit { return ix.search(q, depth, 0) }
func (ix *Index) SearchFlat(q Query, depth int) []Hit    { return ix.search(q, depth, math.MaxInt) }

// Scored returns how many documents a search with pruning scores before it
// adds the nearest by vector; all of them if there is no threshold.
func (ix *Index) Scored(q Query, depth int) int {
	s := newScratch(ix)
	defer s.release()
	ps := ix.prepare(q).bounded(s, depth, depth/inTimeOf, ix.allowed(q.Allowed))
	if ps == nil {
		return len(ix.docs)
	}
	ps.close()
	return len(s.active)
}
