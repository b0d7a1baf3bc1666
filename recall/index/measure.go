package index

import "math"

// hit returns all measures of document n but [Hit.Encoded] and [Hit.Kin]. The scores of it, its
// neighbours and its session have to be in the scratch.
func (m *matcher) hit(s *scratch, n uint32) Hit {
	d := &m.ix.docs[n]
	length := m.ix.lengths[n]
	h := Hit{
		Seq: d.seq, Lexical: float64(s.lexical[n]), Soft: float64(s.soft[n]), Vector: m.ix.vectors.cosine(m.q.Vector, n),
		User: d.user, Others: m.others(d), Assisted: m.ix.assisted(n), Asks: d.asks > 0,
		Dated: d.dated, Named: m.named(d), Time: float64(m.timeOf(n)), Short: math.Exp(-float64(length) / 5),
	}
	asks := float64(d.asks) / math.MaxUint8
	h.Asking = asks * asks
	words := m.ix.words[d.start : d.start+length]
	m.words(s, &h, words)
	h.Synonyms = m.saidOtherwise(s, words)
	session := m.ix.sessions.of[n]
	if session >= alone {
		h.Session, h.Theme, h.Best = h.Lexical, h.Soft, float64(s.base[n])
		return h
	}
	base := func(offset int) float64 {
		if near, ok := m.ix.neighbour(n, offset); ok {
			return float64(s.base[near])
		}
		return 0
	}
	h.Before, h.After, h.Around = base(-1), base(1), (base(-2)+base(2))/2
	if before, ok := m.ix.neighbour(n, -1); ok && m.ix.docs[before].asks > 0 {
		h.Answers = h.Before
	}
	h.Session = float64(ratio(s.sessions[session].score, m.total))
	h.Theme = float64(ratio(s.sessions[session].soft, m.softs))
	h.Best, h.Next = float64(s.sessions[session].best), float64(s.sessions[session].next)
	return h
}

// named reports whether the question names the speaker of a document.
func (m *matcher) named(d *doc) bool { return d.speaker != 0 && m.speakers[d.speaker-1] }

// others reports whether the question names speakers of the bank, and not the
// one who said this.
func (m *matcher) others(d *doc) bool {
	return d.speaker != 0 && len(m.speakers) > 0 && !m.speakers[d.speaker-1]
}

// words sets [Hit.Coverage], [Hit.Matched] and [Hit.Bigrams] by the document's terms in order. It
// looks at each of them once, as documents and questions may be long.
func (m *matcher) words(s *scratch, h *Hit, words []uint32) {
	m.place(s)
	stems, pairs := make([]float64, len(m.stems)), make([]bool, len(m.pairs))
	before := uint16(0)
	for _, w := range words {
		place := s.places[w]
		if place > 0 {
			stems[place-1] = max(stems[place-1], m.simOf(place-1, w))
			if before > 0 {
				m.markPairs(pairs, before-1, place-1)
			}
		}
		before = place
	}
	m.unplace(s)
	for i, t := range m.stems {
		h.Coverage += stems[i] * float64(t.idf)
		if stems[i] == 1 {
			h.Matched = append(h.Matched, t.stem)
		}
	}
	h.Coverage /= max(1e-9, float64(m.total))
	together := 0
	for _, yes := range pairs {
		if yes {
			together++
		}
	}
	if len(pairs) > 0 {
		h.Bigrams = float64(together) / float64(len(pairs))
	}
}

// place sets s.places of each term that stands for a stem of the question to the stem's index in
// m.stems + 1. A term that is a stem of the question itself counts as that, even where it is also a
// correction of another one.
func (m *matcher) place(s *scratch) {
	for i, t := range m.stems {
		if t.corrected {
			for _, near := range t.near {
				s.places[near.term] = uint16(i + 1)
			}
		}
	}
	for i, t := range m.stems {
		if t.own > 0 {
			s.places[t.own-1] = uint16(i + 1)
		}
	}
}

// unplace sets what place has set back to 0.
func (m *matcher) unplace(s *scratch) {
	for _, t := range m.stems {
		if t.corrected {
			for _, near := range t.near {
				s.places[near.term] = 0
			}
		}
		if t.own > 0 {
			s.places[t.own-1] = 0
		}
	}
}

// simOf returns the similarity, 0 to 1, of a term to the stem of the question that it stands for.
func (m *matcher) simOf(place uint16, term uint32) float64 {
	t := &m.stems[place]
	if t.own == term+1 {
		return 1
	}
	for _, near := range t.near {
		if near.term == term {
			return float64(near.sim)
		}
	}
	return 0
}

// markPairs sets there for each of m.pairs that is the pair of stems x and y.
func (m *matcher) markPairs(there []bool, x, y uint16) {
	for i, pair := range m.pairs {
		if pair == [2]uint16{x, y} {
			there[i] = true
		}
	}
}
