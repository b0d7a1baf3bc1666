package index

// accumulate walks the posting lists of the question's stems and of similar terms, and computes
// s.lexical, s.soft and s.base of every document in one of them, and the scores of their sessions.
func (m *matcher) accumulate(s *scratch) {
	norms := m.norms()
	for i, t := range m.stems {
		mark := uint16(i + 1)
		for j, near := range t.near { // best first, so the first match of a document is the best
			p := &m.ix.postings[near.term]
			gain := t.soft * near.sim
			if t.exact(j) {
				m.addExact(s, t, mark, norms)
				continue
			}
			for k, n := range p.docs {
				m.addSoftToSession(s, n, mark, gain)
				if t.corrected && s.marks[n] != mark {
					s.lexical[n] += t.lexical(j, float32(p.counts[k]), norms.lexical(m.ix.lengths[n]))
				}
				switch s.marks[n] {
				case mark:
					continue
				case 0:
					s.active = append(s.active, n)
				}
				s.marks[n] = mark
				s.soft[n] += gain
			}
		}
	}
	s.inOrder()
	for _, n := range s.active {
		m.finish(s, n, norms)
		if session := m.ix.sessions.of[n]; session < alone {
			s.sessions[session].note(s.base[n])
		}
	}
}

// finish turns the sums over the stems of the question into the scores of document n: lexical and
// soft as shares of what an ideal document has, and base as their weighted sum.
func (m *matcher) finish(s *scratch, n uint32, norms *norms) {
	s.lexical[n] = ratio(s.lexical[n], m.ideal)
	s.soft[n] = ratio(s.soft[n], m.softs) / norms.soft(m.ix.lengths[n])
	s.base[n] = baseLexical*s.lexical[n] + baseSoft*s.soft[n]
}

// exact reports whether the near-th term that matches the stem is the stem itself.
func (t *queryStem) exact(near int) bool { return near == 0 && t.near[0].term+1 == t.own }

// lexical returns the BM25 summand of a document that has the near-th matching term count times;
// norm is norms.lexical of its length.
func (t *queryStem) lexical(near int, count, norm float32) float32 {
	return t.near[near].sim * t.count * t.idf * count * (k1 + 1) / (count + norm)
}

// addExact adds to the scores of the documents that have a stem of the question itself, by BM25
// and as a soft match of similarity 1.
func (m *matcher) addExact(s *scratch, t queryStem, mark uint16, norms *norms) {
	p := &m.ix.postings[t.own-1]
	for j, n := range p.docs {
		if s.marks[n] == 0 {
			s.active = append(s.active, n)
		}
		s.marks[n] = mark
		s.soft[n] += t.soft
		m.addSoftToSession(s, n, mark, t.soft)
		s.lexical[n] += t.lexical(0, float32(p.counts[j]), norms.lexical(m.ix.lengths[n]))
	}
	m.addToSessions(s, t, p)
}

// addSoftToSession adds a stem's soft match in document n to the document's session. Only the first
// call for a stem and session counts, which has the best match as terms come best first.
func (m *matcher) addSoftToSession(s *scratch, n uint32, mark uint16, gain float32) {
	if session := m.ix.sessions.of[n]; session < alone && s.sessions[session].mark != mark {
		s.sessions[session].mark = mark
		s.sessions[session].soft += gain
	}
}

// addToSessions adds what a stem is worth to every session that has it: BM25
// again, with the session for a document. It weighs the stem as for documents,
// so that a session's measure does not depend on which others are known.
func (m *matcher) addToSessions(s *scratch, t queryStem, p *posting) {
	sessions := &m.ix.sessions
	if len(sessions.lengths) == 0 {
		return
	}
	var found []uint32
	for j, n := range p.docs {
		session := sessions.of[n]
		if session >= alone {
			continue
		}
		if s.sessions[session].count == 0 {
			found = append(found, session)
		}
		s.sessions[session].count += float32(p.counts[j])
	}
	for _, session := range found {
		one := &s.sessions[session]
		one.score += m.sessionGain(&t, one.count, session)
		one.count = 0
	}
}

// sessionGain returns the BM25 summand of a session that has a stem count times.
func (m *matcher) sessionGain(t *queryStem, count float32, session uint32) float32 {
	length := float32(m.ix.sessions.lengths[session])
	return t.idf * count * (k1 + 1) / (count + k1*(1-b+b*length/(sessionDocs*float32(m.average))))
}

func ratio(part, whole float32) float32 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

// norms computes the factors by which scores are normalised for the length of a document. Those of
// lengths up to 255 stems are computed once.
type norms struct {
	average float64
	ready   [256]struct{ lexical, soft float32 }
}

func (m *matcher) norms() *norms {
	list := &norms{average: m.average}
	for length := range list.ready {
		list.ready[length].lexical, list.ready[length].soft = list.of(uint32(length))
	}
	return list
}

func (l *norms) of(length uint32) (lexical, soft float32) {
	return float32(k1 * (1 - b + b*float64(length)/l.average)), softNorm(length, l.average)
}

func softNorm(length uint32, average float64) float32 {
	return float32(0.7 + 0.3*float64(length)/average)
}

func (l *norms) lexical(length uint32) float32 {
	if int(length) < len(l.ready) {
		return l.ready[length].lexical
	}
	x, _ := l.of(length)
	return x
}

func (l *norms) soft(length uint32) float32 {
	if int(length) < len(l.ready) {
		return l.ready[length].soft
	}
	_, x := l.of(length)
	return x
}

// spreadShare is the share of its base score that a turn adds to each of its neighbours, two on
// either side, when candidates are chosen.
const spreadShare = 0.35

// timeShare is what a document in the time asked for gets on top when candidates are chosen.
const timeShare = 0.2

// best returns the depth allowed documents with the best base scores after
// their neighbours' were added: in a conversation the answer often has none
// of the question's words, but stands next to what has.
func (m *matcher) best(s *scratch, depth int, allowed bitset) []uint32 {
	best := topK{limit: depth}
	keep := func(n uint32, score float32) {
		most := score
		if len(m.times) > 0 {
			most += timeShare
		}
		if best.full() && (depth == 0 || most < best.list[0].score) || !allowed.has(n) {
			return
		}
		if len(m.times) > 0 {
			score += timeShare * m.timeOf(n)
		}
		best.add(scored{n, score})
	}
	if len(m.ix.sessions.lengths) == 0 {
		for _, n := range s.active {
			keep(n, s.base[n])
		}
	} else {
		reached := m.spread(s)
		for _, n := range reached {
			keep(n, s.sums[n])
			s.sums[n] = 0
		}
	}
	return best.documents()
}

// spread sets s.sums of each document to its base score plus spreadShare of the base scores of up
// to two documents before and two after it in its session, and returns every document with a sum.
func (m *matcher) spread(s *scratch) []uint32 {
	s.sums = sized(s.sums, len(m.ix.docs))
	reached := s.active
	give := func(n uint32, score float32) {
		if s.marks[n] == 0 && s.sums[n] == 0 {
			reached = append(reached, n)
		}
		s.sums[n] += score
	}
	for _, n := range s.active {
		s.sums[n] += s.base[n]
		d := &m.ix.docs[n]
		score := s.base[n] * spreadShare
		if d.before > 0 {
			give(d.before-1, score)
			if next := m.ix.docs[d.before-1].before; next > 0 {
				give(next-1, score)
			}
		}
		if d.after > 0 {
			give(d.after-1, score)
			if next := m.ix.docs[d.after-1].after; next > 0 {
				give(next-1, score)
			}
		}
	}
	return reached
}
