package index

import (
	"cmp"
	"slices"
)

// Dynamic pruning (MaxScore: Turtle and Flood, Query evaluation: strategies and
// optimizations, 1995). In a large bank most documents that match a question
// have only a word that is a little like one of its words, and no chance. So
// the categories that fit the question are searched first: what is found there
// gives a threshold, and of everything else only the documents are scored that
// may reach it. No category is ever trusted: as many documents as are wanted do
// reach the threshold, and what is left out cannot, so the answer is that of an
// exhaustive search. DESIGN.md tells it at length.

const (
	// boundedFrom is how many documents an index has from which pruning
	// saves more than it costs.
	boundedFrom = 50_000
	// longestSession is the length of a session, in stems, up to which it is
	// measured as a whole for the sake of each of its documents that is found.
	longestSession = 2000
	// spreadMost is how many times the best score of a document and of those
	// near it the sum of them can be: see [matcher.spread].
	spreadMost = 1 + 4*spreadShare
	// seedPool is how many documents are compared, for each one that is wanted,
	// to find some that may well be the best.
	seedPool = 4
	// seedStems is how many stems of a question they are found and compared by.
	seedStems = 8

	// Shares of all documents, one in so many.

	// fewEssential is the share that essential postings may have for scoring
	// documents one by one to be quicker than scoring all.
	fewEssential = 4
	// fewInTime is the share up to which all of the time asked for are scored.
	fewInTime = 200

	// refineFrom is the share of the threshold from which a posting that is not
	// essential is worth looking at for the sake of documents that others have
	// found.
	refineFrom = 0.1
	// slack covers that sums in another order are rounded differently.
	slack = 1 - 1e-4
)

// list is one posting of a question: that of a stem or of one like it.
type list struct {
	stem, near int     // places in the question, and in its similar stems
	bound      float32 // the most that it adds to a document's base score
	size       int     // documents
}

// bounded scores the documents that can be among the limit best allowed ones, or
// the inTime best of the time asked for, and returns what scores others. It
// returns nil where there is no threshold or a low one: without categories, where
// too few documents of them, or of that time, have a word of the question, and
// where too many may reach it.
func (m *matcher) bounded(s *scratch, limit, inTime int, allowed bitset) *prunedScorer {
	scope := m.ix.scopeOf(m.q.Categories)
	if scope == nil || limit == 0 || m.ix.sessions.longest > longestSession {
		return nil
	}
	ps := newPrunedScorer(m, s)
	ps.limit, ps.inTime, ps.allowed = limit, inTime, allowed
	first := ps.seeds(limit, func(n uint32) bool { return scope[m.ix.categories[n]] })
	enough := len(first) == limit
	if len(m.times) > 0 && enough {
		few := len(m.ix.docs) / fewInTime
		then := ps.documentsInTime(few + 1)
		if len(then) <= few {
			ps.inTime = 0 // all of them are scored
		} else {
			then = ps.seeds(inTime, m.inside)
			enough = len(then) == inTime
		}
		first = append(first, then...)
	}
	if !enough {
		ps.close()
		return nil
	}
	for _, n := range first {
		ps.score(n)
	}
	p := ps.plan(ps.threshold())
	if p.documents() > len(m.ix.docs)/fewEssential {
		ps.reset()
		ps.close()
		return nil
	}
	ps.scoreCandidates(p)
	if len(m.ix.sessions.lengths) > 0 {
		for _, n := range slices.Clone(ps.s.active) {
			ps.scoreAround(n, 4) // its neighbours, and theirs
		}
	}
	return ps
}

// documentsInTime returns up to limit documents of the time asked for.
func (ps *prunedScorer) documentsInTime(limit int) (found []uint32) {
	for n := range uint32(len(ps.m.ix.times)) {
		if len(found) == limit {
			break
		}
		if ps.m.inside(n) {
			found = append(found, n)
		}
	}
	return found
}

// seeds returns up to limit of some documents that may well be the best of
// them, to get a threshold from: by the rarest words of the question, and the
// next best words where the bank has not the word itself.
func (ps *prunedScorer) seeds(limit int, among func(n uint32) bool) []uint32 {
	ps.s.sums = sized(ps.s.sums, len(ps.m.ix.docs))
	var stems []int
	for i := range ps.m.stems {
		if len(ps.m.stems[i].near) > 0 {
			stems = append(stems, i)
		}
	}
	slices.SortStableFunc(stems, func(a, b int) int {
		return cmp.Compare(len(ps.posting(a, 0).docs), len(ps.posting(b, 0).docs))
	})
	var reached []uint32
	for _, stem := range head(stems, seedStems) {
		enough := len(reached) >= seedPool*limit
		p := ps.posting(stem, 0)
		for k, n := range p.docs {
			isNew := ps.s.sums[n] == 0
			if isNew && (enough || !among(n) || !ps.allowed.has(n)) {
				continue
			}
			gain := ps.gain(stem, 0, p.counts[k], n)
			if isNew && gain > 0 {
				reached = append(reached, n)
			}
			ps.s.sums[n] += gain
		}
	}
	best := ps.highest(limit, reached)
	for _, n := range reached {
		ps.s.sums[n] = 0
	}
	return best
}

// highest returns up to limit of some documents that have the highest sums, the
// time asked for counted in.
func (ps *prunedScorer) highest(limit int, documents []uint32) []uint32 {
	best := topK{limit: limit}
	for _, n := range documents {
		best.add(scored{n, ps.s.sums[n] + timeShare*ps.m.timeOf(n)})
	}
	return best.documents()
}

// threshold returns the least base score that a document among the best can
// have, as far as they are known.
func (ps *prunedScorer) threshold() float32 {
	best, inTime := topK{limit: ps.limit}, topK{limit: ps.inTime}
	for _, n := range ps.s.active {
		if ps.allowed.has(n) {
			best.add(scored{n, ps.s.base[n] + timeShare*ps.m.timeOf(n)})
			if ps.m.inside(n) {
				inTime.add(scored{n, ps.s.base[n]})
			}
		}
	}
	threshold := best.list[0].score
	if len(ps.m.times) > 0 {
		threshold = max(0, threshold-timeShare)
	}
	if len(ps.m.ix.sessions.lengths) > 0 {
		threshold /= spreadMost // those near it may lift it; one of them has to have this much
	}
	if len(inTime.list) > 0 {
		threshold = min(threshold, inTime.list[0].score)
	}
	return threshold * slack
}

// posting is that of a stem or of one like it.
func (ps *prunedScorer) posting(stem, near int) *posting {
	return &ps.m.ix.postings[ps.m.stems[stem].near[near].term]
}

// gain is what a stem adds to the base score of a document that has its near
// term count times.
func (ps *prunedScorer) gain(stem, near int, count uint8, n uint32) float32 {
	return ps.gainOf(stem, near, count, ps.m.ix.lengths[n])
}

func (ps *prunedScorer) gainOf(stem, near int, count uint8, length uint32) float32 {
	t := &ps.m.stems[stem]
	gain := baseSoft * ratio(t.soft*t.near[near].sim, ps.m.softs) / ps.norms.soft(length)
	if t.exact(near) || t.corrected {
		gain += baseLexical * ratio(t.lexical(near, float32(count), ps.norms.lexical(length)), ps.m.ideal)
	}
	return gain
}

// lists returns the postings of the question, those with the lowest bounds
// first. No document has more of a posting than the shortest one would have
// with the most occurrences.
func (ps *prunedScorer) lists() []list {
	var lists []list
	for i := range ps.m.stems {
		for j := range ps.m.stems[i].near {
			p := ps.posting(i, j)
			lists = append(lists, list{i, j, ps.gainOf(i, j, p.most, p.shortest), len(p.docs)})
		}
	}
	slices.SortFunc(lists, func(a, b list) int { return cmp.Compare(a.bound, b.bound) })
	return lists
}

// scoreCandidates scores every document that may be among the best, as planned.
func (ps *prunedScorer) scoreCandidates(p plan) {
	reached := ps.collect(p)
	ps.refine(p)
	for _, n := range reached {
		ps.s.marks[n] = 0
	}
	threshold := ps.threshold()
	may := func(n uint32) bool { return ps.s.sums[n]+p.rest >= threshold }
	likely := reached[:0]
	for _, n := range reached {
		if may(n) {
			likely = append(likely, n)
		} else {
			ps.s.sums[n] = 0
		}
	}
	for _, n := range ps.highest(ps.limit, likely) {
		ps.score(n)
	}
	threshold = ps.threshold() // higher now
	for _, n := range likely {
		if may(n) {
			ps.score(n)
		}
		ps.s.sums[n] = 0
	}
}

// plan is which postings of a question are looked at, and what for.
type plan struct {
	essential []list    // every document that may reach the threshold is in one
	refining  []list    // say more of those documents, and have no others
	left      []float32 // of stems: the most that the postings left out add
	rest      float32   // sum of left
}

// documents is how many documents the essential postings have, some of them more
// than once.
func (p plan) documents() (sum int) {
	for _, l := range p.essential {
		sum += l.size
	}
	return sum
}

// plan tells the essential postings from the others: those with the lowest
// bounds, as many as together stay below the threshold, because a document that
// has nothing else cannot reach it. Of the others the higher ones still refine
// what is known of documents, unless a posting of the same stem is essential:
// which of the two is the better match would not be known.
func (ps *prunedScorer) plan(threshold float32) (p plan) {
	lists := ps.lists()
	p.left = make([]float32, len(ps.m.stems))
	leave := func(l list) {
		if more := l.bound - p.left[l.stem]; more > 0 { // a stem counts once
			p.left[l.stem] += more
			p.rest += more
		}
	}
	low := 0
	for ; low < len(lists) && p.rest+lists[low].bound-p.left[lists[low].stem] < threshold; low++ { // they are in order
		leave(lists[low])
	}
	p.essential = lists[low:]
	essential := make([]bool, len(ps.m.stems))
	for _, l := range p.essential {
		essential[l.stem] = true
	}
	clear(p.left)
	p.rest = 0
	for _, l := range lists[:low] {
		if !essential[l.stem] && l.bound >= refineFrom*threshold {
			p.refining = append(p.refining, l)
		} else {
			leave(l)
		}
	}
	return p
}

// collect adds up what documents have of the essential postings, above what is
// left out of the same stem, and returns them.
func (ps *prunedScorer) collect(p plan) (reached []uint32) {
	ps.inOrder(p.essential)
	for _, l := range p.essential {
		mark, posting := uint16(l.stem+1), ps.posting(l.stem, l.near)
		for k, n := range posting.docs {
			switch ps.s.marks[n] {
			case mark, complete: // of a stem the first match counts
				continue
			case 0:
				reached = append(reached, n)
			}
			ps.s.marks[n] = mark
			ps.s.sums[n] += max(0, ps.gain(l.stem, l.near, posting.counts[k], n)-p.left[l.stem])
		}
	}
	return reached
}

// refine adds what the documents collected have of the refining postings.
func (ps *prunedScorer) refine(p plan) {
	ps.inOrder(p.refining)
	for _, l := range p.refining {
		mark, posting := uint16(l.stem+1), ps.posting(l.stem, l.near)
		for k, n := range posting.docs {
			if at := ps.s.marks[n]; at == 0 || at == mark || at == complete {
				continue
			}
			ps.s.marks[n] = mark
			ps.s.sums[n] += max(0, ps.gain(l.stem, l.near, posting.counts[k], n)-p.left[l.stem])
		}
	}
}

// inOrder sorts by stem, the best match first.
func (ps *prunedScorer) inOrder(lists []list) {
	slices.SortFunc(lists, func(a, b list) int { return cmp.Or(cmp.Compare(a.stem, b.stem), cmp.Compare(a.near, b.near)) })
}
