package index

import "math"

// complete marks a document in scratch.marks whose words' scores are complete.
const complete = math.MaxUint16

// prunedScorer scores single documents by their words, where [matcher.accumulate]
// would score all of them. What it leaves in the scratch is the same.
type prunedScorer struct {
	m       *matcher // the question
	s       *scratch // the scores so far
	norms   *norms
	limit   int     // documents wanted
	inTime  int     // and of the time asked for
	allowed bitset  // what may be found
	roles   []role  // what terms are to the question; s.roles has the first of each term
	found   []match // of the document under way, by stem
}

// role is a term's place in the question. A term may be like several stems.
type role struct {
	stem, near uint16
	next       uint16 // role of the same term + 1, 0 for none
}

// match is which of the terms that are like a stem a document has.
type match struct {
	near  uint16 // the best one + 1, 0 for none
	count uint8
}

// newPrunedScorer prepares the scratch; close it when all is scored.
func newPrunedScorer(m *matcher, s *scratch) *prunedScorer {
	s.roles = sized(s.roles, len(m.ix.terms.names))
	ps := &prunedScorer{m: m, s: s, norms: m.norms(), found: make([]match, len(m.stems))}
	for i, t := range m.stems {
		for j, near := range t.near {
			ps.roles = append(ps.roles, role{uint16(i), uint16(j), s.roles[near.term]})
			s.roles[near.term] = uint16(len(ps.roles))
		}
	}
	return ps
}

// close leaves the scratch's roles clean.
func (ps *prunedScorer) close() {
	for _, t := range ps.m.stems {
		for _, near := range t.near {
			ps.s.roles[near.term] = 0
		}
	}
}

// reset takes back what was scored.
func (ps *prunedScorer) reset() {
	for _, n := range ps.s.active {
		ps.s.lexical[n], ps.s.soft[n], ps.s.base[n], ps.s.marks[n] = 0, 0, 0, 0
	}
	ps.s.active = ps.s.active[:0]
}

// score fills in the words' scores of a document.
func (ps *prunedScorer) score(n uint32) {
	if ps.s.marks[n] == complete {
		return
	}
	ps.s.marks[n] = complete
	ps.s.active = append(ps.s.active, n)
	ps.match(n)
	length := ps.m.ix.lengths[n]
	for i, found := range ps.found {
		if found.near == 0 {
			continue
		}
		t, near := &ps.m.stems[i], int(found.near-1)
		ps.s.soft[n] += t.soft * t.near[near].sim
		if t.exact(near) || t.corrected {
			ps.s.lexical[n] += t.lexical(near, float32(found.count), ps.norms.lexical(length))
		}
	}
	ps.m.finish(ps.s, n, ps.norms)
}

// match finds what of the question a document has.
func (ps *prunedScorer) match(n uint32) {
	clear(ps.found)
	start := ps.m.ix.docs[n].start
	for _, term := range ps.m.ix.words[start : start+ps.m.ix.lengths[n]] {
		for next := ps.s.roles[term]; next > 0; next = ps.roles[next-1].next {
			role := &ps.roles[next-1]
			switch found := &ps.found[role.stem]; {
			case found.near == 0 || found.near > role.near+1:
				*found = match{role.near + 1, 1}
			case found.near == role.near+1 && found.count < math.MaxUint8:
				found.count++
			}
		}
	}
}

// scoreAround scores what stands up to some places from a document.
func (ps *prunedScorer) scoreAround(n uint32, places int) {
	for offset := 1; offset <= places; offset++ {
		for _, offset := range [2]int{-offset, offset} {
			if near, ok := ps.m.ix.neighbour(n, offset); ok {
				ps.score(near)
			}
		}
	}
}

// scoreWithSession fills in what a document is measured by: its own words'
// scores and those of its session.
func (ps *prunedScorer) scoreWithSession(n uint32) {
	ps.score(n)
	session := ps.m.ix.sessions.of[n]
	if session >= alone || ps.s.sessions[session].mark == complete {
		return
	}
	one := &ps.s.sessions[session]
	one.mark = complete
	for before := ps.m.ix.docs[n].before; before > 0; before = ps.m.ix.docs[n].before {
		n = before - 1
	}
	all := make([]match, len(ps.m.stems))
	counts := make([]float32, len(ps.m.stems))
	for next := n + 1; next > 0; next = ps.m.ix.docs[next-1].after {
		ps.score(next - 1)
		one.note(ps.s.base[next-1])
		ps.match(next - 1)
		for i, found := range ps.found {
			if found.near > 0 && (all[i].near == 0 || found.near < all[i].near) {
				all[i].near = found.near
			}
			if found.near > 0 && ps.m.stems[i].exact(int(found.near-1)) {
				counts[i] += float32(found.count)
			}
		}
	}
	for i, found := range all {
		if found.near > 0 {
			one.soft += ps.m.stems[i].soft * ps.m.stems[i].near[found.near-1].sim
		}
		if counts[i] > 0 {
			one.score += ps.m.sessionGain(&ps.m.stems[i], counts[i], session)
		}
	}
}
