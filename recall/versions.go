package recall

import (
	"cmp"
	"math"
	"slices"

	"mcp-memory/memory"
	"mcp-memory/text/slots"
)

// What a reading adds to the strength of a candidate, as a share of the
// strongest. They order what words and vectors found; they find nothing.
const (
	slotLift  = 0.45 // fills the slot that is asked for, of the same subject
	answered  = 1.0  // strength that the strongest has at least then: it is the answer, in whatever words
	maybeLift = 0.20 // fills it, of a subject that may be the same
	// livelihoodLift is for the job where the employer is asked for, and the other way.
	livelihoodLift = 0.30
	subjectLift    = 0.06 // is about the same subject
	otherLift      = -0.30
	changeLift     = 0.12 // tells of a change, where it is asked how things are now
	// ahead is by how much one version is stronger than another that it has to
	// come before.
	ahead = 1.01
	// compared is how many candidates are read.
	compared = 30
	// linked is how many of them are compared with all others: of a pair, one has
	// to be worth pulling the other in.
	linked = 10
	// opposable is the overlap (Jaccard) of stems from which two contents can say
	// the opposite of each other.
	opposable = 0.5
	// opposing is how many stems of either a short one may have that the other lacks.
	opposing = 3
	// leaders is how many of the best candidates pull in what tells of a change
	// of them in other words, and leaderShare how near to the best they are.
	leaders, leaderShare = 3, 0.5
	// In a bank of more than few candidates much is new and has a word in common:
	// there, what pulls in is the best alone, and what is pulled in must be this
	// near to it.
	few, nearShare = 20, 0.4
	// rivalShare is how near to the best one must be that has versions, to be taken
	// for what is asked about in its place.
	rivalShare = 0.8
	// likelyShare is how near to the older one a candidate must be, among few,
	// that shares its words and tells of no change.
	likelyShare = 0.35
	// formerShare is how near to the best a candidate of the time must be that is
	// asked about.
	formerShare = 0.5
	// guardShare is how near to the best, among many, a candidate must be without what
	// reading adds, for reading to move it.
	guardShare = 0.9
	// kindred is the cosine from which two words mean much the same, where both
	// are telling: as long as weighty in the table of meanings.
	kindred, weighty = 0.33, 0.4
)

// Names of the parts that come from reading.
const slotPart, versionPart = "slot", "version"

// byVersion orders candidates by what is asked for: what fills the slot of the
// question rises, and of several versions of one fact the one that is asked for
// comes first, however few words it shares with the question. What another
// one replaces is marked.
func (q *question) byVersion(ranked []*candidate) {
	var pool []*candidate
	for _, c := range head(ranked, compared) {
		if c.Corpus == memory.Memories && !c.onlyMet() { // which is no answer to anything else
			pool = append(pool, c)
		}
	}
	if len(pool) == 0 {
		return
	}
	top := pool[0].strength()
	var plain map[*candidate]relevance
	if len(pool) > few {
		plain = relevances(pool)
	}
	for _, c := range pool {
		q.senseOf(c)
	}
	q.nameDecides(pool)
	for _, c := range pool {
		s := &c.sense
		if q.asks.Attribute == "" && s.fit > slots.FitSubject {
			s.fit = slots.NoFit // shares words, and those are counted
		}
		switch {
		case s.other:
			c.add(slotPart, otherLift*c.strength())
		case s.fit == slots.FitBoth:
			c.add(slotPart, slotLift*max(top, answered))
		case s.fit == slots.FitSlot:
			c.add(slotPart, maybeLift*top)
		case s.fit == slots.FitSubject:
			c.add(slotPart, subjectLift*top)
		}
		if s.changes == plainly && !c.awaited() && !q.ofAnotherSlot(s) && (q.asks.Tense == slots.Now || q.asks.Implied && len(pool) > few) {
			c.add(slotPart, changeLift*c.strength())
		}
	}
	q.showLivelihood(pool, top)
	q.showSubject(pool)
	rank(pool)
	q.link(pool)
	switch {
	case q.asks.Implied && len(pool) > few && pool[0].sense.fit < slots.FitBoth:
		q.showCurrent(pool) // what happened is asked for in the same words
	case q.asks.Tense == slots.Then && !q.orders(pool):
		q.showFormer(pool)
	case q.asks.Tense == slots.History:
		q.showAll(pool, oldest)
	case q.asks.Tense == slots.Latest:
		q.showAll(pool, newest)
	default:
		q.showCurrent(pool)
		q.showHolding(pool)
		q.showTaken(pool)
	}
	guard(pool, plain, q.asksWhatWas())
	rank(ranked)
}

// relevance is what a candidate is worth before it is read.
type relevance struct {
	parts  []Part
	sum    float64
	pulled bool
}

func (r relevance) strength(c *candidate) float64 {
	return (r.sum + literalWeight*c.literal + verbatimWeight*c.verbatim) * c.factor()
}

func relevances(pool []*candidate) map[*candidate]relevance {
	plain := map[*candidate]relevance{}
	for _, c := range pool {
		plain[c] = relevance{slices.Clone(c.parts), c.relevance, c.pulled}
	}
	return plain
}

// guard takes back what reading has moved of what is less relevant than the best: among
// many candidates it orders only what is about as relevant without it.
func guard(pool []*candidate, plain map[*candidate]relevance, then bool) {
	if plain == nil || then {
		return
	}
	best, rest := 0.0, 0.0
	for c, r := range plain {
		best = max(best, r.strength(c))
	}
	var near []*candidate
	for _, c := range pool {
		r := plain[c]
		if r.strength(c) >= guardShare*best {
			near = append(near, c)
			continue
		}
		c.parts, c.relevance, c.pulled = r.parts, r.sum, r.pulled
		fuse(c)
		rest = max(rest, c.strength())
	}
	least := math.Inf(1)
	for _, c := range near {
		least = min(least, c.strength())
	}
	for _, c := range near {
		if missing := ahead*rest - least; missing > 0 {
			c.add(versionPart, missing)
		}
	}
}

// ofAnotherSlot reports whether all that a record says fills other slots than the
// one that is asked for: then its change is no news of that.
func (q question) ofAnotherSlot(s *sense) bool {
	return q.asks.Attribute != "" && s.fit < slots.FitSlot && len(s.said) > 0 &&
		!slices.ContainsFunc(s.said, func(one slots.Statement) bool { return one.Attribute == "" || one.Attribute == q.asks.Attribute })
}

// fillsAnother reports whether a record fills another slot than the one that is asked
// for, and not that one. What it says beside that of others does not count.
func (q question) fillsAnother(s *sense) bool {
	if q.asks.Attribute == "" || s.fit >= slots.FitSlot {
		return false
	}
	fills := false
	for i := range s.said {
		switch one := &s.said[i]; {
		case one.Attribute == q.asks.Attribute, one.Attribute == "" && (one.Subject == "" || one.Subject == slots.User):
			return false
		case one.Attribute != "":
			fills = true
		}
	}
	return fills
}

// showSubject lets what fills the slot of the subject that is asked about come
// before what fills it of others, and what only has the user's name.
func (q question) showSubject(pool []*candidate) {
	for _, c := range pool {
		if c.sense.fit != slots.FitBoth || c.sense.past {
			continue
		}
		for _, o := range pool {
			if o.sense.other || o.sense.beside || q.introduces(o) || q.ofKin(o) || o.sense.fit < slots.FitSlot && q.byName(o) {
				c.before(o)
			}
		}
	}
}

// showCurrent lets the newest version come before those that it replaces.
func (q question) showCurrent(pool []*candidate) {
	single := slots.SingleValued(q.asks.Attribute)
	for _, c := range oldestFirst(pool) {
		c.yield()
		if !single || c.sense.fit != slots.FitBoth {
			continue
		}
		for _, newer := range pool {
			if newer.sense.fit == slots.FitBoth && (newer.sense.fills || !c.sense.fills) && !newer.sense.past && !newer.awaited() && newer.later(c) && !q.keptApart(c, newer, pool) {
				newer.before(c)
			}
		}
	}
	q.showKept(pool)
}

// showKept lets what somebody brought back come before what had taken its place.
func (q question) showKept(pool []*candidate) {
	if len(q.apart) == 0 {
		return
	}
	for _, newer := range oldestFirst(pool) {
		for _, c := range pool {
			if q.keptApart(c, newer, pool) && c.EventTime().Before(newer.EventTime()) && c.Live() && c.sense.fit >= newer.sense.fit {
				c.before(newer)
			}
		}
	}
}

// yield lets the newer versions of a candidate come before it. Of several that have
// to be moved, the one that follows for the best reason comes first, then the newest.
func (c *candidate) yield() {
	list := slices.Clone(c.newer)
	slices.SortStableFunc(list, func(a, b sibling) int {
		return cmp.Or(cmp.Compare(a.how, b.how), newest(b.candidate, a.candidate))
	})
	var last *candidate
	for _, newer := range list {
		moved := newer.strength() < ahead*c.strength()
		newer.before(c)
		if last != nil && moved {
			newer.before(last)
		}
		if moved {
			last = newer.candidate
		}
	}
}

// showAll puts all versions first, in an order of time.
func (q question) showAll(pool []*candidate, order func(a, b *candidate) int) {
	versions := q.versionsAsked(pool)
	slices.SortStableFunc(versions, order)
	if last := versions[len(versions)-1]; len(versions) > 1 && versions[0].sense.fit == slots.FitBoth {
		for _, c := range pool {
			if !slices.Contains(versions, c) {
				last.before(c)
			}
		}
	}
	for i := len(versions) - 1; i > 0; i-- {
		versions[i-1].before(versions[i])
	}
}

// versionsAsked returns what fills the slot that is asked for, and where that is
// not known the versions of the best candidate.
func (q question) versionsAsked(pool []*candidate) []*candidate {
	var list []*candidate
	for _, c := range pool {
		if c.sense.fit == slots.FitBoth {
			list = append(list, c)
		}
	}
	if list == nil {
		list = append(list, linkedLeader(pool))
	}
	for i := 0; i < len(list); i++ {
		for _, c := range append(slices.Clone(list[i].newer), list[i].older...) {
			if !slices.Contains(list, c.candidate) {
				list = append(list, c.candidate)
			}
		}
	}
	return list
}

// linkedLeader returns the best of the leaders that has other versions, else the
// best candidate.
func linkedLeader(pool []*candidate) *candidate {
	for _, c := range head(pool, leaders) {
		if len(c.newer)+len(c.older) > 0 && c.strength() >= rivalShare*pool[0].strength() {
			return c
		}
	}
	return pool[0]
}

func oldest(a, b *candidate) int { return a.EventTime().Compare(b.EventTime()) }
func newest(a, b *candidate) int { return b.EventTime().Compare(a.EventTime()) }

func oldestFirst(pool []*candidate) []*candidate {
	list := slices.Clone(pool)
	slices.SortStableFunc(list, func(a, b *candidate) int { return cmp.Or(oldest(a, b), cmp.Compare(a.Seq, b.Seq)) })
	return list
}

// before makes a candidate stronger than another, if it is not. What comes before
// an answer is part of it, what comes before noise is noise.
func (c *candidate) before(other *candidate) {
	if missing := ahead*other.strength() - c.strength(); missing > 0 {
		c.add(versionPart, missing)
	}
	c.pulled = c.pulled || other.pulled || other.score >= Floor
}

// strength is what the score is made of; see [Why].
func (c *candidate) strength() float64 {
	return (c.relevance + literalWeight*c.literal + verbatimWeight*c.verbatim) * c.factor()
}

// add changes the strength of a candidate by so much, and says so in its parts.
func (c *candidate) add(name string, strength float64) {
	value := strength / c.factor()
	c.relevance += value
	if i := slices.IndexFunc(c.parts, func(p Part) bool { return p.Name == name }); i >= 0 {
		c.parts[i].Value += value
	} else {
		c.parts = append(c.parts, Part{name, value})
	}
	fuse(c)
}
