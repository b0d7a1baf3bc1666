package index

import (
	"cmp"
	"slices"
)

// In a large bank most documents that have anything of a question have a word
// that is a little like one of its words, and no chance. So the categories that
// fit the question are searched first: what is found there sets a bar, and of
// everything else only the documents are scored that may clear it. No category
// is ever trusted: the bar is one that as many documents do reach as are
// wanted, and what is left out cannot, so the answer is that of a flat search
// (the method is known as MaxScore: Turtle and Flood, Query evaluation:
// strategies and optimizations, 1995).

const (
	// boundedFrom is how many documents an index has from which a bar saves
	// more than it costs.
	boundedFrom = 50_000
	// longestTalk is the length of a session, in stems, up to which it is
	// measured as a whole for the sake of each of its documents that is found.
	longestTalk = 2000
	// spreadMost is how many times the best score of a document and of those
	// near it the sum of them can be: see [matcher.spread].
	spreadMost = 1 + 4*spreadShare
	// lookedAt is how many documents are compared, for each one that is wanted,
	// to find some that may well be the best.
	lookedAt = 4
	// rarest is how many stems of a question they are found and compared by.
	rarest = 8

	// Shares of all documents, one in so many.

	// fewEnter is the share up to which scoring documents one by one is quicker
	// than scoring all.
	fewEnter = 4
	// fewInside is the share up to which all of the time asked for are scored.
	fewInside = 200

	// refineFrom is the share of the bar from which a posting is worth looking
	// at for the sake of documents that others have found.
	refineFrom = 0.1
	// slack covers that sums in another order are rounded differently.
	slack = 1 - 1e-4
)

// list is one posting of a question: that of a stem or of one like it.
type list struct {
	stem, near int     // places in the question, and in its similar stems
	bound      float32 // of what it adds to a document's base score
	size       int     // documents
}

// bounded scores the documents that can be among the limit best allowed ones, or
// the told best of the time asked for, and returns what reads others. It returns
// nil where there is no bar or a low one: without categories, where too few
// documents of them, or of that time, have a word of the question, and where
// much may clear it.
func (m *matcher) bounded(s *scratch, limit, told int, allowed set) *reader {
	scope := m.ix.scopeOf(m.q.Categories)
	if scope == nil || limit == 0 || m.ix.talks.longest > longestTalk {
		return nil
	}
	r := m.reader(s)
	r.limit, r.told, r.allowed = limit, told, allowed
	first := r.likely(limit, func(n uint32) bool { return scope[m.ix.categories[n]] })
	enough := len(first) == limit
	if len(m.times) > 0 && enough {
		few := len(m.ix.docs) / fewInside
		then := r.insideOf(few + 1)
		if len(then) <= few {
			r.told = 0 // all of them are read
		} else {
			then = r.likely(told, m.inside)
			enough = len(then) == told
		}
		first = append(first, then...)
	}
	if !enough {
		r.close()
		return nil
	}
	for _, n := range first {
		r.read(n)
	}
	p := r.plan(r.bar())
	if p.documents() > len(m.ix.docs)/fewEnter {
		r.forget()
		r.close()
		return nil
	}
	r.everywhere(p)
	if len(m.ix.talks.lengths) > 0 {
		for _, n := range slices.Clone(r.active) {
			r.readAround(n, 4) // its neighbours, and theirs
		}
	}
	return r
}

// insideOf returns up to limit documents of the time asked for.
func (r *reader) insideOf(limit int) (found []uint32) {
	for n := range uint32(len(r.ix.times)) {
		if len(found) == limit {
			break
		}
		if r.inside(n) {
			found = append(found, n)
		}
	}
	return found
}

// likely returns up to limit of some documents that may well be the best of
// them: by the rarest words of the question, and the next best words where the
// bank has not the word itself.
func (r *reader) likely(limit int, among func(n uint32) bool) []uint32 {
	r.sums = sized(r.sums, len(r.ix.docs))
	var stems []int
	for i := range r.stems {
		if len(r.stems[i].near) > 0 {
			stems = append(stems, i)
		}
	}
	slices.SortStableFunc(stems, func(a, b int) int {
		return cmp.Compare(len(r.posting(a, 0).docs), len(r.posting(b, 0).docs))
	})
	var reached []uint32
	for _, stem := range head(stems, rarest) {
		enough := len(reached) >= lookedAt*limit
		p := r.posting(stem, 0)
		for k, n := range p.docs {
			isNew := r.sums[n] == 0
			if isNew && (enough || !among(n) || !r.allowed.has(n)) {
				continue
			}
			gain := r.gain(stem, 0, p.counts[k], n)
			if isNew && gain > 0 {
				reached = append(reached, n)
			}
			r.sums[n] += gain
		}
	}
	best := r.highest(limit, reached)
	for _, n := range reached {
		r.sums[n] = 0
	}
	return best
}

// highest returns up to limit of some documents that have the highest sums, the
// time asked for counted in.
func (r *reader) highest(limit int, documents []uint32) []uint32 {
	best := top{limit: limit}
	for _, n := range documents {
		best.add(scored{n, r.sums[n] + timeShare*r.timeOf(n)})
	}
	return best.documents()
}

// bar returns what a document's base score has to be for it to be among the
// best, as far as they are known.
func (r *reader) bar() float32 {
	best, told := top{limit: r.limit}, top{limit: r.told}
	for _, n := range r.active {
		if r.allowed.has(n) {
			best.add(scored{n, r.base[n] + timeShare*r.timeOf(n)})
			if r.inside(n) {
				told.add(scored{n, r.base[n]})
			}
		}
	}
	bar := best.list[0].score
	if len(r.times) > 0 {
		bar = max(0, bar-timeShare)
	}
	if len(r.ix.talks.lengths) > 0 {
		bar /= spreadMost // those near it may lift it; one of them has to have this much
	}
	if len(told.list) > 0 {
		bar = min(bar, told.list[0].score)
	}
	return bar * slack
}

// posting is that of a stem or of one like it.
func (r *reader) posting(stem, near int) *posting {
	return &r.ix.postings[r.stems[stem].near[near].term]
}

// gain is what a stem adds to the base score of a document that has its near
// term count times.
func (r *reader) gain(stem, near int, count uint8, n uint32) float32 {
	return r.gainOf(stem, near, count, r.ix.lengths[n])
}

func (r *reader) gainOf(stem, near int, count uint8, length uint32) float32 {
	t := &r.stems[stem]
	gain := baseSoft * share(t.soft*t.near[near].sim, r.softs) / r.norms.soft(length)
	if t.exact(near) || t.corrected {
		gain += baseLexical * share(t.lexical(near, float32(count), r.norms.lexical(length)), r.ideal)
	}
	return gain
}

// lists returns the postings of the question, those with the lowest bounds
// first. No document has more of a posting than the shortest one would have
// with the most occurrences.
func (r *reader) lists() []list {
	var lists []list
	for i := range r.stems {
		for j := range r.stems[i].near {
			p := r.posting(i, j)
			lists = append(lists, list{i, j, r.gainOf(i, j, p.most, p.shortest), len(p.docs)})
		}
	}
	slices.SortFunc(lists, func(a, b list) int { return cmp.Compare(a.bound, b.bound) })
	return lists
}

// everywhere reads every document that may be among the best, as planned.
func (r *reader) everywhere(p plan) {
	reached := r.enter(p)
	r.refine(p)
	for _, n := range reached {
		r.marks[n] = 0
	}
	bar := r.bar()
	may := func(n uint32) bool { return r.sums[n]+p.rest >= bar }
	likely := reached[:0]
	for _, n := range reached {
		if may(n) {
			likely = append(likely, n)
		} else {
			r.sums[n] = 0
		}
	}
	for _, n := range r.highest(r.limit, likely) {
		r.read(n)
	}
	bar = r.bar() // higher now
	for _, n := range likely {
		if may(n) {
			r.read(n)
		}
		r.sums[n] = 0
	}
}

// plan is which postings of a question are looked at, and what for.
type plan struct {
	entering []list    // have documents that may reach the bar
	refining []list    // say more of those documents, and have no others
	left     []float32 // of stems: the most that the postings left out add
	rest     float32   // sum of left
}

// documents is how many documents the entering postings have, some of them more
// than once.
func (p plan) documents() (sum int) {
	for _, l := range p.entering {
		sum += l.size
	}
	return sum
}

// plan leaves out the lowest postings, as many as together stay below the bar:
// a document that has nothing else cannot reach it. Of those the higher ones
// still refine what is known of others, unless a posting of the same stem is
// looked at: which of the two is the better match would not be known.
func (r *reader) plan(bar float32) (p plan) {
	lists := r.lists()
	p.left = make([]float32, len(r.stems))
	leave := func(l list) {
		if more := l.bound - p.left[l.stem]; more > 0 { // a stem counts once
			p.left[l.stem] += more
			p.rest += more
		}
	}
	low := 0
	for ; low < len(lists) && p.rest+lists[low].bound-p.left[lists[low].stem] < bar; low++ { // they are in order
		leave(lists[low])
	}
	p.entering = lists[low:]
	entered := make([]bool, len(r.stems))
	for _, l := range p.entering {
		entered[l.stem] = true
	}
	clear(p.left)
	p.rest = 0
	for _, l := range lists[:low] {
		if !entered[l.stem] && l.bound >= refineFrom*bar {
			p.refining = append(p.refining, l)
		} else {
			leave(l)
		}
	}
	return p
}

// enter adds up what documents have of the entering postings, above what is
// left out of the same stem, and returns them.
func (r *reader) enter(p plan) (reached []uint32) {
	r.inOrder(p.entering)
	for _, l := range p.entering {
		mark, posting := uint16(l.stem+1), r.posting(l.stem, l.near)
		for k, n := range posting.docs {
			switch r.marks[n] {
			case mark, complete: // of a stem the first match counts
				continue
			case 0:
				reached = append(reached, n)
			}
			r.marks[n] = mark
			r.sums[n] += max(0, r.gain(l.stem, l.near, posting.counts[k], n)-p.left[l.stem])
		}
	}
	return reached
}

// refine adds what the documents entered have of the refining postings.
func (r *reader) refine(p plan) {
	r.inOrder(p.refining)
	for _, l := range p.refining {
		mark, posting := uint16(l.stem+1), r.posting(l.stem, l.near)
		for k, n := range posting.docs {
			if at := r.marks[n]; at == 0 || at == mark || at == complete {
				continue
			}
			r.marks[n] = mark
			r.sums[n] += max(0, r.gain(l.stem, l.near, posting.counts[k], n)-p.left[l.stem])
		}
	}
}

// inOrder sorts by stem, the best match first.
func (r *reader) inOrder(lists []list) {
	slices.SortFunc(lists, func(a, b list) int { return cmp.Or(cmp.Compare(a.stem, b.stem), cmp.Compare(a.near, b.near)) })
}
