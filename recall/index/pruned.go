package index

import "math"

// complete marks a document in scratch.marks whose words' scores are complete.
const complete = math.MaxUint16

// reader scores single documents by their words, where [matcher.accumulate]
// would score all of them. What it leaves in the scratch is the same.
type reader struct {
	*matcher
	*scratch
	norms   *norms
	limit   int     // documents wanted
	told    int     // and of the time asked for
	allowed set     // what may be found
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

// reader prepares the scratch; close it when all is read.
func (m *matcher) reader(s *scratch) *reader {
	s.roles = sized(s.roles, len(m.ix.terms.names))
	r := &reader{matcher: m, scratch: s, norms: m.norms(), found: make([]match, len(m.stems))}
	for i, t := range m.stems {
		for j, near := range t.near {
			r.roles = append(r.roles, role{uint16(i), uint16(j), s.roles[near.term]})
			s.roles[near.term] = uint16(len(r.roles))
		}
	}
	return r
}

// close leaves the scratch's roles clean.
func (r *reader) close() {
	for _, t := range r.stems {
		for _, near := range t.near {
			r.scratch.roles[near.term] = 0
		}
	}
}

// forget takes back what was read.
func (r *reader) forget() {
	for _, n := range r.active {
		r.lexical[n], r.soft[n], r.base[n], r.marks[n] = 0, 0, 0, 0
	}
	r.active = r.active[:0]
}

// read fills in the words' scores of a document.
func (r *reader) read(n uint32) {
	if r.marks[n] == complete {
		return
	}
	r.marks[n] = complete
	r.active = append(r.active, n)
	r.match(n)
	length := r.ix.lengths[n]
	for i, found := range r.found {
		if found.near == 0 {
			continue
		}
		t, near := &r.stems[i], int(found.near-1)
		r.soft[n] += t.soft * t.near[near].sim
		if t.exact(near) || t.corrected {
			r.lexical[n] += t.lexical(near, float32(found.count), r.norms.lexical(length))
		}
	}
	r.finish(r.scratch, n, r.norms)
}

// match finds what of the question a document has.
func (r *reader) match(n uint32) {
	clear(r.found)
	start := r.ix.docs[n].start
	for _, term := range r.ix.words[start : start+r.ix.lengths[n]] {
		for next := r.scratch.roles[term]; next > 0; next = r.roles[next-1].next {
			role := &r.roles[next-1]
			switch found := &r.found[role.stem]; {
			case found.near == 0 || found.near > role.near+1:
				*found = match{role.near + 1, 1}
			case found.near == role.near+1 && found.count < math.MaxUint8:
				found.count++
			}
		}
	}
}

// readAround reads what stands up to some places from a document.
func (r *reader) readAround(n uint32, places int) {
	for offset := 1; offset <= places; offset++ {
		for _, offset := range [2]int{-offset, offset} {
			if near, ok := r.ix.neighbour(n, offset); ok {
				r.read(near)
			}
		}
	}
}

// readAll fills in what a document is measured by: its own words' scores and
// those of its session.
func (r *reader) readAll(n uint32) {
	r.read(n)
	talk := r.ix.talks.of[n]
	if talk >= alone || r.sessions[talk].mark == complete {
		return
	}
	one := &r.sessions[talk]
	one.mark = complete
	for before := r.ix.docs[n].before; before > 0; before = r.ix.docs[n].before {
		n = before - 1
	}
	all := make([]match, len(r.stems))
	counts := make([]float32, len(r.stems))
	for next := n + 1; next > 0; next = r.ix.docs[next-1].after {
		r.read(next - 1)
		one.enter(r.base[next-1])
		r.match(next - 1)
		for i, found := range r.found {
			if found.near > 0 && (all[i].near == 0 || found.near < all[i].near) {
				all[i].near = found.near
			}
			if found.near > 0 && r.stems[i].exact(int(found.near-1)) {
				counts[i] += float32(found.count)
			}
		}
	}
	for i, found := range all {
		if found.near > 0 {
			one.soft += r.stems[i].soft * r.stems[i].near[found.near-1].sim
		}
		if counts[i] > 0 {
			one.score += r.ofSession(&r.stems[i], counts[i], talk)
		}
	}
}
