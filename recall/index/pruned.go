package index

import "math"

// complete is the mark, in scratch.marks, of a document whose lexical, soft and base scores are
// final, and of a session whose scores are.
const complete = math.MaxUint16

// prunedScorer scores single documents by their own terms, where [matcher.accumulate] walks the
// posting lists and scores all documents. It leaves the same scores in the scratch.
type prunedScorer struct {
	m       *matcher // the question
	s       *scratch // the scores so far
	norms   *norms
	limit   int     // how many documents are wanted
	inTime  int     // how many of the time asked for are wanted beside these
	allowed bitset  // documents that may be found
	roles   []role  // linked lists of the roles of terms; s.roles has the head of each term + 1
	found   []match // what match found in the last document, for each stem of the question
}

// role says that a term matches a stem of the question: it is the near-th term of that stem. A
// term may match several stems; its roles are a linked list in prunedScorer.roles.
type role struct {
	stem, near uint16
	next       uint16 // index of the next role of the same term + 1, 0 for none
}

// match is the best term matching one stem that a document has, and how often it has it.
type match struct {
	near  uint16 // index into the near terms of the stem + 1, 0 for none
	count uint8
}

// newPrunedScorer returns a scorer that uses the scratch; it has to be closed in the end.
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

// close sets s.roles back to 0.
func (ps *prunedScorer) close() {
	for _, t := range ps.m.stems {
		for _, near := range t.near {
			ps.s.roles[near.term] = 0
		}
	}
}

// reset removes all scores, so that accumulate can start anew.
func (ps *prunedScorer) reset() {
	for _, n := range ps.s.active {
		ps.s.lexical[n], ps.s.soft[n], ps.s.base[n], ps.s.marks[n] = 0, 0, 0, 0
	}
	ps.s.active = ps.s.active[:0]
}

// score computes s.lexical, s.soft and s.base of a document, unless they are complete.
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

// match sets ps.found to the best matches of a document, one for each stem of the question.
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

// scoreAround scores the documents up to so many places before and after a document in its session.
func (ps *prunedScorer) scoreAround(n uint32, places int) {
	for offset := 1; offset <= places; offset++ {
		for _, offset := range [2]int{-offset, offset} {
			if near, ok := ps.m.ix.neighbour(n, offset); ok {
				ps.score(near)
			}
		}
	}
}

// scoreWithSession computes the scores of a document and, by scoring all documents of its session,
// those of the session: all that [matcher.hit] reads.
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
