package recall

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/slots"
)

const (
	// Up to maxCompared candidates are all compared with each other; of more, only the best
	// comparedOfMany and as many that share a rare word with one of the best.
	maxCompared, comparedOfMany = 20, 6
	// leadersOfFew is for how many of the best candidates other versions are looked for, and
	// leadersOfMany for how many where there are more than maxCompared.
	leadersOfFew, leadersOfMany = 3, 2
	// Chances from which two candidates count as versions of one fact: pairFrom among few,
	// pairOfManyFrom among many, and surePairFrom where nothing in the newer tells of a change.
	// From surePairFrom on the older is also said to be out of date. timedPairFrom takes the place
	// of all of them where a question is about a time and there are many: what was later is another
	// event more often than not. eval/results/tried.md says why.
	pairFrom, pairOfManyFrom, surePairFrom, timedPairFrom = 0.5, 0.6, 0.8, 0.9
	// announcedFrom is how far a sentence has to lie in the direction of those that replace others
	// (see [Models.Sentences]) to tell of a change where no word does.
	announcedFrom = 0.7
	// opposable is the overlap (Jaccard) of stems from which two contents can say
	// the opposite of each other.
	opposable = 0.5
	// opposing is how many stems either of two short contents may have that the other lacks.
	opposing = 3
)

// byVersion orders the versions of one fact ("I work at Acme", "I work at Brightloom now") among
// themselves, the one that is asked for first. A group of versions keeps the places that its
// members have by relevance, and nothing else moves.
func (s *Service) byVersion(q *question, ranked []*candidate) {
	var pool []*candidate
	for _, c := range ranked {
		if c.Corpus == memory.Memories && !c.onlyMet() { // that somebody was met is a version of nothing
			pool = append(pool, c)
		}
	}
	many := len(pool) > maxCompared
	if many {
		pool = slices.Concat(pool[:comparedOfMany], head(kinIn(pool[comparedOfMany:]), comparedOfMany))
	}
	if len(pool) < 2 {
		return
	}
	compared := s.pairsOf(q, pool, many)
	q.link(compared, s.models)
	for _, group := range groups(pool) {
		q.arrange(ranked, group)
	}
}

// kinIn returns those of some candidates that share a rare word with one of the best.
func kinIn(list []*candidate) (kin []*candidate) {
	for _, c := range list {
		if c.Kin {
			kin = append(kin, c)
		}
	}
	return kin
}

// relate compares the statements of the first records with those of all in pool, and returns the
// relation of newer records to older ones, by [older][newer] places. It sets outdated and certain
// of the older ones that others replace: stored so in the bank, or read so from what both say.
func (q *question) relate(pool []*candidate, first int) [][]slots.Relation {
	table := make([][]slots.Relation, len(pool))
	for i, older := range pool {
		table[i] = make([]slots.Relation, len(pool))
		for n, newer := range pool {
			if older == newer || min(i, n) >= first || !newer.later(older) {
				continue
			}
			then, now := q.saidBy(older), q.saidBy(newer)
			relation := slots.Between(then, now)
			table[i][n] = relation
			stored := older.SupersededBy == newer.ID
			if !stored && (relation < slots.Likely || newer.awaited() || q.keptApart(older, newer, pool)) {
				continue
			}
			if older.outdated == nil || newer.later(older.outdated) {
				older.outdated = newer
			}
			if older.outdated == newer &&
				(stored || relation == slots.Certain && slots.Replaces(then, now, slots.Certain) &&
					!slots.Restated(older.Content, newer.Content)) {
				older.certain = newer
			}
		}
	}
	return table
}

// awaited reports whether a candidate that was read says only what is to come or is wished ("I
// want to move to Oslo"): it replaces nothing yet.
func (c *candidate) awaited() bool {
	return len(c.said) > 0 && !slices.ContainsFunc(c.said,
		func(s slots.Statement) bool { return s.Type != slots.Plan && s.Standing() != slots.Comes })
}

// link sets the versions of candidates: two are versions of one fact if the store has the one as
// the successor of the other, if what they say is read so for certain, or if the fitted model
// gives the pair enough of a chance. Of each pair one has to be a leader, but for the stored ones.
func (q *question) link(p *pairs, m *models) {
	var traced []Pair
	for i, older := range p.pool {
		for n, newer := range p.pool {
			stored := older.SupersededBy == newer.ID
			if older == newer || !stored && min(i, n) >= p.leaders || !newer.later(older) {
				continue
			}
			if !stored && q.keptApart(older, newer, p.pool) {
				if older.Live() && p.relation[i][n] >= slots.Contradicts { // both are about one thing: the one brought back goes first
					older.kept = true
					older.versions, newer.versions = append(older.versions, newer), append(newer.versions, older)
				}
				continue
			}
			if !stored && p.ofAnother(i, n) {
				continue
			}
			signs := p.signs(i, n)
			if q.Trace != nil {
				traced = append(traced, Pair{older.ID, newer.ID, [2]int{i, n}, signs, p.many, p.byWords(i, n)})
			}
			chance, needed, sureFrom := m.ofPair(p.many, p.byWords(i, n)).chance(signs), pairFrom, surePairFrom
			switch {
			case p.many && p.timed():
				needed, sureFrom = timedPairFrom, timedPairFrom
			case newer.changes() == silent && p.sentences[1][n] < announcedFrom && !p.opposed(i, n):
				needed = surePairFrom
			case p.many:
				needed = pairOfManyFrom
			}
			sure := stored || older.certain == newer || chance >= sureFrom
			if sure || chance >= needed {
				older.versions, newer.versions = append(older.versions, newer), append(newer.versions, older)
			}
			if sure && older.outdated == nil {
				older.outdated = newer
			}
		}
	}
	if q.Trace != nil && q.Trace.Pairs != nil {
		q.Trace.Pairs(traced)
	}
}

// ofAnother reports whether the two are about different things and so no versions of one fact:
// only one of them was decided against, or the question's phrase goes on differently in the newer
// (see otherPhrase). What contradicts, is the opposite, or tells of a change and shares a rare
// word, is about the same thing whatever its phrase.
func (p *pairs) ofAnother(i, n int) bool {
	older, newer := p.pool[i], p.pool[n]
	switch {
	case older.rejected() != newer.rejected():
		return true
	case p.relation[i][n] >= slots.Contradicts, p.opposed(i, n), newer.changes() != silent && p.alone(i, n) > 0:
		return false
	}
	return p.otherPhrase(i, n)
}

// groups returns the candidates that are linked with each other, directly or by way of others, a
// group for each fact, in order of its best candidate. Candidates without versions are left out.
func groups(pool []*candidate) (list [][]*candidate) {
	seen := map[*candidate]bool{}
	for _, c := range pool {
		if seen[c] || len(c.versions) == 0 {
			continue
		}
		group := []*candidate{c}
		seen[c] = true
		for i := 0; i < len(group); i++ {
			for _, v := range group[i].versions {
				if !seen[v] {
					seen[v] = true
					group = append(group, v)
				}
			}
		}
		list = append(list, group)
	}
	return list
}

// arrange distributes the versions of a fact anew over the places in ranked that they have, the one
// that is asked for first.
func (q *question) arrange(ranked, group []*candidate) {
	var places []int
	for i, c := range ranked {
		if slices.Contains(group, c) {
			places = append(places, i)
		}
	}
	strengths := make([]float64, len(places))
	for k, i := range places {
		strengths[k] = ranked[i].relevance
	}
	for k, c := range q.inOrder(group) {
		ranked[places[k]] = c
		c.move(strengths[k], group)
	}
}

// move gives a candidate the relevance that belongs to its new place among the versions in group.
func (c *candidate) move(relevance float64, group []*candidate) {
	if relevance == c.relevance {
		return
	}
	c.parts = append(c.parts, Part{versionPart, relevance - c.relevance})
	c.relevance, c.moved = relevance, group[0]
	fuse(c)
	c.pulled = c.pulled || slices.ContainsFunc(group, func(o *candidate) bool { return o.pulled })
}

// inOrder returns the versions of a fact in the order in which they are asked for:
//   - how it is: what somebody brought back (kept), then the newest first;
//   - how it was at a time: what was said in that time, by relevance, then what was said before it,
//     newest first, and last what came later;
//   - how something went, or what was first: the reverse;
//   - what was before something: by relevance, but the newest last, since that is how it is now,
//     unless it alone tells what was ("I left Acme for Brightloom");
//   - what happened otherwise: by relevance.
//
// Versions that the question names come before all others.
func (q *question) inOrder(group []*candidate) []*candidate {
	list := slices.Clone(group)
	slices.SortStableFunc(list, func(a, b *candidate) int { return cmp.Or(cmp.Compare(one(b.kept), one(a.kept)), newest(a, b)) })
	from, to := q.timeOf()
	switch {
	case !to.IsZero():
		slices.SortStableFunc(list, func(a, b *candidate) int {
			switch when := within(a, from, to); {
			case when != within(b, from, to):
				return cmp.Compare(when, within(b, from, to))
			case when == inTime:
				return cmp.Compare(b.relevance, a.relevance)
			case when == beforeTime:
				return newest(a, b)
			}
			return oldest(a, b)
		})
	case q.asks.Tense == slots.History, q.asks.Tense == slots.Then && q.asks.First:
		slices.Reverse(list)
	case q.asks.Tense == slots.Then && !q.asksFormer():
		slices.SortStableFunc(list, func(a, b *candidate) int { return cmp.Compare(b.relevance, a.relevance) })
	case q.asks.Tense == slots.Then:
		last := list[0]
		if was := last.evidence.former; was != "" &&
			!slices.ContainsFunc(list[1:], func(c *candidate) bool { return c.counted()[was] > 0 }) {
			last = nil
		}
		slices.SortStableFunc(list, func(a, b *candidate) int {
			return cmp.Or(cmp.Compare(one(a == last), one(b == last)), cmp.Compare(b.relevance, a.relevance))
		})
	}
	if first := list[0]; len(q.names) > 0 {
		slices.SortStableFunc(list, func(a, b *candidate) int { return cmp.Compare(one(q.named(b, first)), one(q.named(a, first))) })
	}
	return list
}

// timeOf returns the time of which a question asks how it was: the time that it names, or else the
// filter's AsOf; zero times if there is neither, or if it asks for what was before or first.
func (q *question) timeOf() (from, to time.Time) {
	if q.asks.Until != "" || q.asks.First || q.asks.Tense == slots.History {
		return from, to
	}
	if len(q.times) == 1 && (q.asks.Tense == slots.Then || !q.times[0].To.After(q.moment())) {
		return q.times[0].From, q.times[0].To
	}
	return q.Filter.AsOf, q.Filter.AsOf
}

// What a candidate says is of a time, of one before it, or of one behind it.
const (
	inTime = iota
	beforeTime
	behindTime
)

// within returns where what a candidate says lies, as seen from a time.
func within(c *candidate, from, to time.Time) int {
	switch at := c.EventTime(); {
	case at.Before(from):
		return beforeTime
	case at.Before(to):
		return inTime
	}
	return behindTime
}

// asksFormer reports whether a question about what was asks for a former version, by a word such as
// "before" or a time, and not just for what happened.
func (q *question) asksFormer() bool {
	return q.asks.Until != "" || q.asks.First || len(q.times) > 0 || formerWords.MatchString(q.Query)
}

var formerWords = regexp.MustCompile(`(?i)\b(before|used? to|previous(ly)?|former(ly)?|old|earlier|original(ly)?|initial(ly)?|at first|once|until|till|back then|prior|past|beginning|start|was|were|früher\w*|vorher|zuvor|alte[rsn]?|ehemalig\w*|vorherig\w*|avant|ancien\w*|antes|anterior\w*)\b`)

// apart returns the pairs of records of which neither replaces the other, since somebody undid
// what a save had decided: of the first smallPool memories in ranked and what they correct.
func (s *Service) apart(ctx context.Context, q question, ranked []*candidate) (memory.Apart, error) {
	var ids []string
	for _, c := range ranked {
		if c.Corpus == memory.Memories {
			if len(ids) == smallPool {
				break
			}
			ids = append(ids, c.ID)
		}
	}
	if len(ids) < 2 {
		return nil, nil
	}
	for _, c := range ranked { // what was undone of a corrected record holds for its correction
		if c.Supersedes != "" && slices.Contains(ids, c.ID) {
			ids = append(ids, c.Supersedes)
		}
	}
	return s.store.Apart(ctx, q.Scope.Agent, ids)
}

// keptApart reports whether somebody has undone that newer replaces older, or that the record which
// newer corrects did, or another one in pool that says the same as newer.
func (q *question) keptApart(older, newer *candidate, pool []*candidate) bool {
	switch {
	case len(q.apart) == 0:
		return false
	case q.apart.Has(older.ID, newer.ID), newer.Supersedes != "" && q.apart.Has(older.ID, newer.Supersedes):
		return true
	}
	return slices.ContainsFunc(pool, func(c *candidate) bool {
		return c != newer && q.apart.Has(older.ID, c.ID) && slots.Between(q.saidBy(c), q.saidBy(newer)) == slots.Same
	})
}

// asksHowItIs reports whether a question asks for a state, present or past, and not for what
// happened ("what did I buy?"), of which there may be several.
func (q *question) asksHowItIs() bool {
	return q.asks.Tense == slots.Then ||
		q.asks.Tense == slots.Now && !slices.ContainsFunc(plainWords(beginning(q.Query, readable)), func(w string) bool {
			switch w {
			case "was":
				return !q.asks.German
			case "why", "did", "were", "had", "has", "would", "wurde", "war":
				return true
			}
			return false
		})
}

// later reports whether what a candidate says is of a later time than what another says: by the
// years in which they say that it began ("since 2019"), if these differ, else by event time.
func (c *candidate) later(than *candidate) bool {
	if a, b := c.beganIn(), than.beganIn(); a != "" && b != "" && a != b {
		return a > b
	}
	return c.EventTime().After(than.EventTime())
}

// beganIn returns the year since or in which a candidate says that something is so: "2019" of
// "since 2019"; "" if it has no such year or several.
func (c *candidate) beganIn() string {
	if c.began == nil {
		year, text := "", beginning(c.Content, readable)
		if strings.Contains(text, "19") || strings.Contains(text, "20") { // a quick check before the expression
			if found := beginnings.FindAllStringSubmatch(text, 2); len(found) == 1 {
				year = found[0][1]
			}
		}
		c.began = &year
	}
	return *c.began
}

var beginnings = regexp.MustCompile(`(?i)\b(?:in|since|from|seit|depuis|en|desde|sinds) ((?:19|20)\d\d)\b`)

func oldest(a, b *candidate) int { return a.EventTime().Compare(b.EventTime()) }
func newest(a, b *candidate) int { return b.EventTime().Compare(a.EventTime()) }

func oldestFirst(pool []*candidate) []*candidate {
	list := slices.Clone(pool)
	slices.SortStableFunc(list, func(a, b *candidate) int { return cmp.Or(oldest(a, b), cmp.Compare(a.Seq, b.Seq)) })
	return list
}

// share maps how clearly a change is told to 0 (silent) to 1 (plainly).
func (t telling) share() float64 { return float64(t) / float64(plainly) }

// one is 1 for true, 0 for false.
func one(ok bool) float64 {
	if ok {
		return 1
	}
	return 0
}

// has counts which of some stems a candidate has.
func (c *candidate) has(stems []string) (n int) {
	for _, stem := range stems {
		n += int(one(c.counted()[stem] > 0))
	}
	return n
}
