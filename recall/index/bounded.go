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
	// longestSession is the longest session, in stems, with which an index is still searched by
	// pruning: for each document that is found there, its whole session is scored.
	longestSession = 2000
	// spreadMost bounds what neighbours add: the score of a document with the shares of its four
	// neighbours (see [matcher.spread]) is at most spreadMost times the best score among the five.
	spreadMost = 1 + 4*spreadShare
	// seedPool is how many documents are compared for each seed that is wanted; a seed is a
	// document that is probably among the best. See [prunedScorer.seeds].
	seedPool = 4
	// seedStems is how many stems of a question, the rarest, seeds are found and compared by.
	seedStems = 8

	// Shares of all documents, as 1/n.

	// fewEssential: the essential posting lists may hold up to 1/4 of all documents. With more,
	// scoring all documents is quicker than pruning.
	fewEssential = 4
	// fewInTime: up to 1/200 of all documents in the time asked for, all of these are scored.
	fewInTime = 200

	// refineFrom is the share of the threshold that the bound of a posting list must reach to
	// be a refining one; see [plan].
	refineFrom = 0.1
	// slack lowers the threshold a little, as sums in another order are rounded differently.
	slack = 1 - 1e-4
)

// list is the posting list of a stem of the question, or of a term similar to one.
type list struct {
	stem, near int     // indexes into matcher.stems, and into the near terms of that stem
	bound      float32 // the most that it can add to the base score of any document
	size       int     // how many documents it has
}

// bounded is the pruned search. It scores every document that can be among the limit best of the
// allowed ones, or among the inTime best of the time asked for, and returns a scorer for any
// others. It returns nil, and the caller has to score all documents, where pruning does not pay:
// the question has no categories, the index has a very long session, too few documents of the
// categories (or of the time asked for) have a word of the question to get a threshold from, or too
// many documents may reach the threshold.
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
			ps.inTime = 0 // all of them are scored, which needs no threshold
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
			ps.scoreAround(n, 4) // spread reaches two places: its neighbours' scores need theirs
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

// seeds returns up to limit allowed documents, among those that among accepts, that are probably
// the best of these; their scores give the threshold. It looks only at the rarest stems of the
// question, each by its best matching term of the bank.
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

// highest returns up to limit of the documents, those with the highest s.sums plus what their
// nearness to the time asked for adds.
func (ps *prunedScorer) highest(limit int, documents []uint32) []uint32 {
	best := topK{limit: limit}
	for _, n := range documents {
		best.add(scored{n, ps.s.sums[n] + timeShare*ps.m.timeOf(n)})
	}
	return best.documents()
}

// threshold returns the base score that a document must have to be among the best, by those scored
// so far and with the most that the time asked for can add. A document below it can be among them
// only by a neighbour in its session that reaches the threshold.
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
		threshold /= spreadMost // neighbours may lift a document, but one of the five has this much
	}
	if len(inTime.list) > 0 {
		threshold = min(threshold, inTime.list[0].score)
	}
	return threshold * slack
}

// posting returns the posting list of the near-th term that matches a stem.
func (ps *prunedScorer) posting(stem, near int) *posting {
	return &ps.m.ix.postings[ps.m.stems[stem].near[near].term]
}

// gain returns what a stem adds to the base score of document n, which has the near-th term that
// matches the stem count times.
func (ps *prunedScorer) gain(stem, near int, count uint8, n uint32) float32 {
	return ps.gainOf(stem, near, count, ps.m.ix.lengths[n])
}

// gainOf is gain for a document of a length in stems.
func (ps *prunedScorer) gainOf(stem, near int, count uint8, length uint32) float32 {
	t := &ps.m.stems[stem]
	gain := baseSoft * ratio(t.soft*t.near[near].sim, ps.m.softs) / ps.norms.soft(length)
	if t.exact(near) || t.corrected {
		gain += baseLexical * ratio(t.lexical(near, float32(count), ps.norms.lexical(length)), ps.m.ideal)
	}
	return gain
}

// lists returns the posting lists of the question, those with the lowest bounds first. The bound
// of a list is the gain of an imagined document that is as short as its shortest one and has the
// term as often as any: no real one gains more.
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

// scoreCandidates scores every document that may be among the best by a plan. It first adds up an
// upper bound for each document in the essential lists, scores the best of these, which raises the
// threshold, and then the rest that may still reach it.
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

// plan says which posting lists of a question are read, and what for.
type plan struct {
	essential []list    // every document that may reach the threshold is in one of them
	refining  []list    // tell more of the documents found in essential, but find no new ones
	left      []float32 // for each stem: the most that the lists which are not read add
	rest      float32   // sum of left
}

// documents returns how many entries the essential lists have; a document in two counts twice.
func (p plan) documents() (sum int) {
	for _, l := range p.essential {
		sum += l.size
	}
	return sum
}

// plan divides the posting lists by a threshold. Those with the lowest bounds, as many as together
// stay below the threshold, are not essential: a document that is in no other list cannot reach
// it. Of these, the lists with higher bounds are refining, unless another list of the same stem is
// essential: a document counts only its best match of a stem, and which one that is would not be
// known.
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

// collect returns the documents of the essential lists that are not scored yet, and sets s.sums of
// each to its gains from these lists beyond plan.left of their stems. As plan.rest is the sum of
// left, s.sums + plan.rest bounds the base score from above.
func (ps *prunedScorer) collect(p plan) (reached []uint32) {
	ps.inOrder(p.essential)
	for _, l := range p.essential {
		mark, posting := uint16(l.stem+1), ps.posting(l.stem, l.near)
		for k, n := range posting.docs {
			switch ps.s.marks[n] {
			case mark, complete: // a better term of the same stem has counted, or it is scored
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

// refine adds to s.sums of the documents collected their gains from the refining lists.
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

// inOrder sorts lists by stem and, within a stem, the best matching term first.
func (ps *prunedScorer) inOrder(lists []list) {
	slices.SortFunc(lists, func(a, b list) int { return cmp.Or(cmp.Compare(a.stem, b.stem), cmp.Compare(a.near, b.near)) })
}
