package index

import "math"

// hit measures one document.
func (m *matcher) hit(s *scratch, n uint32) Hit {
	d := &m.ix.docs[n]
	length := m.ix.lengths[n]
	h := Hit{
		Seq: d.seq, Lexical: float64(s.lexical[n]), Soft: float64(s.soft[n]), Vector: m.ix.vectors.cosine(m.q.Vector, n),
		User: d.user, Others: m.others(d), Assisted: m.ix.assisted(), Asks: d.asks, Dated: d.dated, Named: m.named(d), Time: float64(m.timeOf(n)), Short: math.Exp(-float64(length) / 5),
	}
	m.words(s, &h, m.ix.words[d.start:d.start+length])
	talk := m.ix.talks.of[n]
	if talk >= alone {
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
	if before, ok := m.ix.neighbour(n, -1); ok && m.ix.docs[before].asks {
		h.Answers = h.Before
	}
	if s.ideal > 0 {
		h.Session = s.sessions[talk].score / s.ideal
	}
	h.Theme = float64(share(s.sessions[talk].soft, m.softs))
	h.Best = float64(s.sessions[talk].best)
	return h
}

// named reports whether the question names the one who said this.
func (m *matcher) named(d *doc) bool { return d.speaker != 0 && m.speakers[d.speaker-1] }

// others reports whether the question names speakers of the bank, and not the
// one who said this.
func (m *matcher) others(d *doc) bool {
	return d.speaker != 0 && len(m.speakers) > 0 && !m.speakers[d.speaker-1]
}

// words measures what needs the document's words in order. It looks at each
// of them once: documents and questions may be long.
func (m *matcher) words(s *scratch, h *Hit, words []uint32) {
	for i, t := range m.stems {
		if t.own > 0 {
			s.places[t.own-1] = uint16(i + 1)
		}
	}
	there := make([]bool, len(m.stems)+len(m.pairs))
	stems, pairs := there[:len(m.stems)], there[len(m.stems):]
	before := uint16(0)
	for _, w := range words {
		place := s.places[w]
		if place > 0 {
			stems[place-1] = true
			if before > 0 {
				m.markPairs(pairs, before-1, place-1)
			}
		}
		before = place
	}
	for i, t := range m.stems {
		if t.own > 0 {
			s.places[t.own-1] = 0
		}
		if stems[i] {
			h.Coverage += float64(t.idf)
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

func (m *matcher) markPairs(there []bool, x, y uint16) {
	for i, pair := range m.pairs {
		if pair == [2]uint16{x, y} {
			there[i] = true
		}
	}
}
