package index

import (
	"sync"
)

// scratch has the accumulators of a search, with one value for each document, session or term. It
// comes from a pool. Between two searches all accumulators are zero, so that none is cleared first.
type scratch struct {
	lexical, soft, base []float32 // of documents
	marks               []uint16  // of documents: place of the last stem that they matched + 1, or complete
	active              []uint32  // documents that matched any stem
	sums                []float32 // of documents: upper bounds while pruning, sums with neighbours in spread
	near                []near    // candidates of vectors.closest

	sessions []sessionScore
	places   []uint16 // of terms: place in the question + 1
	synonyms []uint16 // of terms: place in matcher.synonyms of the first one that begins with it + 1
	roles    []uint16 // of terms: see prunedScorer
}

// sessionScore has the accumulators of a session.
type sessionScore struct {
	count float32 // occurrences of the stem that addToSessions is at
	best  float32 // best base score of its documents
	next  float32 // second best base score
	soft  float32 // soft match of all that is said in it
	mark  uint16  // place of the last stem that it matched + 1
	score float32 // BM25 of all that is said in it
}

// note counts the base score of one of its documents for best and next.
func (s *sessionScore) note(base float32) {
	s.next = max(s.next, min(s.best, base))
	s.best = max(s.best, base)
}

// near is a document and the distance of its signature from the question's, in bits.
type near struct {
	n        uint32
	distance uint16
}

var pool = sync.Pool{New: func() any { return new(scratch) }}

func newScratch(ix *Index) *scratch {
	s := pool.Get().(*scratch)
	n := len(ix.docs)
	s.lexical, s.soft, s.base, s.marks = sized(s.lexical, n), sized(s.soft, n), sized(s.base, n), sized(s.marks, n)
	s.sessions, s.places = sized(s.sessions, len(ix.sessions.lengths)), sized(s.places, len(ix.terms.names))
	s.synonyms = sized(s.synonyms, len(ix.terms.names))
	return s
}

// sized returns a slice of length n, all zero: list if it has room, as it is zero up to its
// capacity, else a new one. An eighth is to spare for a bank that grows between two searches.
func sized[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n, n+n/8)
	}
	return list[:n]
}

// release sets the accumulators of documents and sessions back to zero and gives the scratch back to
// the pool; those who use the other slices have cleared them. Of documents it clears only the active
// ones if these are few, else whole slices.
func (s *scratch) release() {
	if 8*len(s.active) > len(s.marks) {
		clear(s.lexical)
		clear(s.soft)
		clear(s.base)
		clear(s.marks)
	} else {
		for _, n := range s.active {
			s.lexical[n], s.soft[n], s.base[n], s.marks[n] = 0, 0, 0, 0
		}
	}
	s.active = s.active[:0]
	clear(s.sessions)
	pool.Put(s)
}

// inOrder puts the active documents into ascending order if they are at least an eighth of all, by
// reading them anew from the marks: later passes then read memory in order.
func (s *scratch) inOrder() {
	if 8*len(s.active) < len(s.marks) {
		return
	}
	s.active = s.active[:0]
	for n, mark := range s.marks {
		if mark > 0 {
			s.active = append(s.active, uint32(n))
		}
	}
}

// topK keeps the limit best documents of those added, in a binary heap with the worst on top.
type topK struct {
	limit int
	list  []scored
}

type scored struct {
	n     uint32
	score float32
}

// worse reports whether a scores less than b; of equal scores the later document is worse.
func (a scored) worse(b scored) bool {
	return a.score < b.score || a.score == b.score && a.n > b.n
}

// full reports whether limit documents are kept: from then on only a better one gets in.
func (t *topK) full() bool { return len(t.list) >= t.limit }

// documents lists what was kept, in no order.
func (t *topK) documents() []uint32 {
	list := make([]uint32, len(t.list))
	for i, x := range t.list {
		list[i] = x.n
	}
	return list
}

func (t *topK) add(x scored) {
	if !t.full() {
		t.list = append(t.list, x)
		for i := len(t.list) - 1; i > 0; {
			parent := (i - 1) / 2
			if !t.list[i].worse(t.list[parent]) {
				break
			}
			t.list[i], t.list[parent] = t.list[parent], t.list[i]
			i = parent
		}
		return
	}
	if t.limit == 0 || !t.list[0].worse(x) {
		return
	}
	t.list[0] = x
	for i := 0; ; {
		child := 2*i + 1
		if child+1 < len(t.list) && t.list[child+1].worse(t.list[child]) {
			child++
		}
		if child >= len(t.list) || !t.list[child].worse(t.list[i]) {
			return
		}
		t.list[i], t.list[child] = t.list[child], t.list[i]
		i = child
	}
}
