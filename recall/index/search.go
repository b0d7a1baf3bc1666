package index

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// Query is a question to an index.
type Query struct {
	Stems  []string  // content stems in order, repeats kept
	Vector []float32 // of length 1, or nil
	// Allowed are the documents that may be found, ascending; nil is all.
	Allowed []int64
}

// Hit is a document with what was measured of it, each from 0 to about 1.
type Hit struct {
	Seq int64

	Lexical  float64 // BM25 as a share of the ideal
	Coverage float64 // share of the question's words it has, by their weight
	Soft     float64 // soft match
	Bigrams  float64 // share of the question's pairs of words that stand together in it
	Vector   float64 // cosine, -1 to 1

	// Of documents that stand in a session; else 0.
	Before   float64 // base score of the turn before
	After    float64 // of the turn after
	Around   float64 // mean base score of those two places away
	Answers  float64 // base score of a question just before, by somebody else
	Session  float64 // BM25 of its session as a share of the ideal
	Best     float64 // base score of its session's best turn; of itself if it stands alone
	User     bool    // said by the user, to an assistant
	Others   bool    // the question names somebody else who takes part
	Assisted bool    // in conversations with an assistant
	Asks     bool    // it is a question
	Short    float64 // 1 for no content words, towards 0 for many

	Matched []string // the question's stems that it has
}

// Base weights: what neighbours and sessions are compared by.
const (
	baseLexical = 0.45
	baseSoft    = 0.55
)

const (
	k1 = 1.2
	b  = 0.75
)

// scratch holds one value a document and is used again.
type scratch struct {
	lexical, soft, best, base []float32
	seen                      []bool
	active                    []uint32
	sessions                  map[uint32]float64
	ideal                     float64 // of a session
}

var pool = sync.Pool{New: func() any { return new(scratch) }}

func (s *scratch) reset(n int) {
	if cap(s.lexical) < n {
		size := n + n/4
		s.lexical, s.soft, s.best, s.base = make([]float32, size), make([]float32, size), make([]float32, size), make([]float32, size)
		s.seen = make([]bool, size)
	}
	s.lexical, s.soft, s.best, s.base, s.seen = s.lexical[:n], s.soft[:n], s.best[:n], s.base[:n], s.seen[:n]
	s.active = s.active[:0]
	s.sessions, s.ideal = map[uint32]float64{}, 0
}

// release clears what was touched, which is cheaper than everything.
func (s *scratch) release() {
	for _, n := range s.active {
		s.lexical[n], s.soft[n], s.base[n], s.seen[n] = 0, 0, 0, false
	}
	pool.Put(s)
}

func (s *scratch) touch(n uint32) {
	if !s.seen[n] {
		s.seen[n] = true
		s.active = append(s.active, n)
	}
}

// weighted is a stem of the question.
type weighted struct {
	stem  string
	count float32 // in the question
	idf   float32
	soft  float32 // w(t)
	near  []similar
}

// Search returns the depth documents with the best base scores, neighbours
// counted in, and the depth nearest by vector, in ascending order of Seq.
func (ix *Index) Search(q Query, depth int) []Hit {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	s := pool.Get().(*scratch)
	s.reset(len(ix.docs))
	defer s.release()
	m := ix.prepare(q)
	m.accumulate(s)
	allowed := ix.allowed(q.Allowed)
	chosen := m.best(s, depth, allowed)
	chosen = append(chosen, ix.vectors.nearest(q.Vector, depth, allowed)...)
	slices.Sort(chosen)
	chosen = slices.Compact(chosen)
	hits := make([]Hit, len(chosen))
	for i, n := range chosen {
		hits[i] = m.hit(s, n)
	}
	return hits
}

func (ix *Index) allowed(seqs []int64) func(uint32) bool {
	if seqs == nil {
		return nil
	}
	return func(n uint32) bool {
		_, ok := slices.BinarySearch(seqs, ix.docs[n].seq)
		return ok
	}
}

// matcher is a question prepared for the index.
type matcher struct {
	ix       *Index
	q        Query
	stems    []weighted
	pairs    [][2]uint32     // adjacent stems of the question, as terms
	speakers map[uint32]bool // first names of speakers that the question has
	average  float64
	ideal    float32 // sum of count * idf
	total    float32 // sum of idf of distinct stems
	softs    float32 // sum of w(t)
}

func (ix *Index) prepare(q Query) *matcher {
	n, average, df := ix.statistics()
	m := &matcher{ix: ix, q: q, average: average, speakers: map[uint32]bool{}}
	place := map[string]int{}
	idfMax := math.Log(1 + (float64(n)+0.5)/0.5)
	for _, stem := range q.Stems {
		if i, ok := place[stem]; ok {
			m.stems[i].count++
			m.ideal += m.stems[i].idf
			continue
		}
		place[stem] = len(m.stems)
		d := df(stem)
		idf := math.Log(1 + (float64(n-d)+0.5)/(float64(d)+0.5))
		w := math.Pow(idf/idfMax, 0.7)
		if id, ok := ix.table.Lookup(stem); ok {
			w *= float64(ix.table.Length(id)) / float64(ix.table.Rare())
		}
		t := weighted{stem: stem, count: 1, idf: float32(idf), soft: float32(w), near: ix.similarTo(stem)}
		m.ideal += t.idf
		m.total += t.idf
		m.softs += t.soft
		m.stems = append(m.stems, t)
	}
	for _, t := range m.stems {
		if own, ok := ix.terms[t.stem]; ok && ix.speakers[own] {
			m.speakers[own] = true
		}
	}
	for i := 0; i+1 < len(q.Stems); i++ {
		x, okX := ix.terms[q.Stems[i]]
		y, okY := ix.terms[q.Stems[i+1]]
		if okX && okY {
			m.pairs = append(m.pairs, [2]uint32{x, y})
		}
	}
	return m
}

// accumulate walks the postings of the question's stems and of those like
// them, and fills in the words' scores of every document that has one.
func (m *matcher) accumulate(s *scratch) {
	docs := m.ix.docs
	for _, t := range m.stems {
		for i, near := range t.near {
			p := m.ix.postings[near.term]
			exact := i == 0 && near.sim == 1
			for j, n := range p.docs {
				s.touch(n)
				s.best[n] = max(s.best[n], near.sim)
				if exact {
					f := float32(p.counts[j])
					norm := float32(k1 * (1 - b + b*float64(docs[n].length)/m.average))
					s.lexical[n] += t.count * t.idf * f * (k1 + 1) / (f + norm)
				}
			}
		}
		for _, near := range t.near {
			for _, n := range m.ix.postings[near.term].docs {
				s.soft[n] += t.soft * s.best[n]
				s.best[n] = 0
			}
		}
		m.sessionsOf(s, t)
	}
	for _, n := range s.active {
		s.lexical[n] = share(s.lexical[n], m.ideal)
		s.soft[n] = share(s.soft[n], m.softs) / float32(0.7+0.3*float64(docs[n].length)/m.average)
		s.base[n] = baseLexical*s.lexical[n] + baseSoft*s.soft[n]
	}
}

// sessionsOf adds what a stem is worth to every session that has it: BM25
// again, with sessions as the documents.
func (m *matcher) sessionsOf(s *scratch, t weighted) {
	own, ok := m.ix.terms[t.stem]
	if !ok || len(m.ix.order) == 0 {
		return
	}
	counts := map[uint32]float64{}
	p := m.ix.postings[own]
	for i, n := range p.docs {
		if session := m.ix.docs[n].session; session != noSession {
			counts[session] += float64(p.counts[i])
		}
	}
	sessions := float64(len(m.ix.order))
	idf := math.Log(1 + (sessions-float64(len(counts))+0.5)/(float64(len(counts))+0.5))
	s.ideal += idf
	average := float64(len(m.ix.words)) / sessions
	for session, f := range counts {
		norm := k1 * (1 - b + b*float64(m.ix.lengths[session])/average)
		s.sessions[session] += idf * f * (k1 + 1) / (f + norm)
	}
}

func share(part, whole float32) float32 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

// best returns the depth allowed documents with the best base scores after
// their neighbours' were added: in a conversation the answer often has none
// of the question's words, but stands next to what has.
func (m *matcher) best(s *scratch, depth int, allowed func(uint32) bool) []uint32 {
	type scored struct {
		n     uint32
		score float32
	}
	scores := map[uint32]float32{}
	spread := len(m.ix.order) > 0
	list := make([]scored, 0, len(s.active))
	if !spread {
		for _, n := range s.active {
			list = append(list, scored{n, s.base[n]})
		}
	} else {
		for _, n := range s.active {
			scores[n] += s.base[n]
			for _, o := range [...]int{-2, -1, 1, 2} {
				if near, ok := m.neighbour(n, o); ok {
					scores[near] += s.base[n] * spreadShare
				}
			}
		}
		for n, score := range scores {
			list = append(list, scored{n, score})
		}
	}
	if allowed != nil {
		list = slices.DeleteFunc(list, func(x scored) bool { return !allowed(x.n) })
	}
	slices.SortFunc(list, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.n, b.n)) })
	var chosen []uint32
	for _, x := range list[:min(depth, len(list))] {
		chosen = append(chosen, x.n)
	}
	return chosen
}

// spreadShare is what a turn passes on to those near it when candidates are
// chosen.
const spreadShare = 0.35

// neighbour returns the turn some places further in the session.
func (m *matcher) neighbour(n uint32, offset int) (uint32, bool) {
	d := m.ix.docs[n]
	if d.session == noSession {
		return 0, false
	}
	order := m.ix.order[d.session]
	if i := int(d.place) + offset; i >= 0 && i < len(order) {
		return order[i], true
	}
	return 0, false
}

// hit measures one document.
func (m *matcher) hit(s *scratch, n uint32) Hit {
	d := m.ix.docs[n]
	h := Hit{
		Seq: d.seq, Lexical: float64(s.lexical[n]), Soft: float64(s.soft[n]), Vector: m.ix.vectors.cosine(m.q.Vector, n),
		User: d.user, Others: m.others(d), Assisted: m.ix.assisted(), Asks: d.asks, Short: math.Exp(-float64(d.length) / 5),
	}
	words := m.ix.words[d.start : d.start+d.length]
	m.words(&h, words)
	if d.session == noSession {
		h.Session, h.Best = h.Lexical, float64(s.base[n])
		return h
	}
	base := func(offset int) float64 {
		if near, ok := m.neighbour(n, offset); ok {
			return float64(s.base[near])
		}
		return 0
	}
	h.Before, h.After, h.Around = base(-1), base(1), (base(-2)+base(2))/2
	if before, ok := m.neighbour(n, -1); ok && m.ix.docs[before].asks {
		h.Answers = h.Before
	}
	if s.ideal > 0 {
		h.Session = s.sessions[d.session] / s.ideal
	}
	for _, o := range m.ix.order[d.session] {
		h.Best = max(h.Best, float64(s.base[o]))
	}
	return h
}

// others reports whether the question names speakers of the bank, and not the
// one who said this.
func (m *matcher) others(d doc) bool {
	return d.speaker != 0 && len(m.speakers) > 0 && !m.speakers[d.speaker-1]
}

// words measures what needs the document's words in order.
func (m *matcher) words(h *Hit, words []uint32) {
	for _, t := range m.stems {
		own, ok := m.ix.terms[t.stem]
		if ok && slices.Contains(words, own) {
			h.Coverage += float64(t.idf)
			h.Matched = append(h.Matched, t.stem)
		}
	}
	h.Coverage /= max(1e-9, float64(m.total))
	together := 0
	for _, pair := range m.pairs {
		for i := 0; i+1 < len(words); i++ {
			if words[i] == pair[0] && words[i+1] == pair[1] {
				together++
				break
			}
		}
	}
	if len(m.pairs) > 0 {
		h.Bigrams = float64(together) / float64(len(m.pairs))
	}
}

// Base is what neighbours and sessions are compared by.
func (h Hit) Base() float64 { return baseLexical*h.Lexical + baseSoft*h.Soft }
