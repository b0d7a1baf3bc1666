package recall

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/slots"
)

const (
	// few is how many candidates are all compared with each other; of more, the best
	// comparedOfMany are.
	few, comparedOfMany = 20, 12
	// leaders is how many of the best candidates are looked at for other versions.
	leaders = 3
	// pairFrom is the chance from which two candidates are versions of one fact, and
	// pairFromSilent that from which they are where nothing in the newer tells of a change.
	pairFrom, pairFromSilent = 0.5, 0.8
	// opposable is the overlap (Jaccard) of stems from which two contents can say
	// the opposite of each other.
	opposable = 0.5
	// opposing is how many stems of either a short one may have that the other lacks.
	opposing = 3
)

// byVersion orders the versions of one fact among themselves, by which of them is asked
// for. Each group of versions keeps the places that its members have by relevance, and
// nothing else moves.
func (s *Service) byVersion(q *question, ranked []*candidate) {
	var pool []*candidate
	for _, c := range ranked {
		if c.Corpus == memory.Memories && !c.onlyMet() { // which is no answer to anything else
			pool = append(pool, c)
		}
	}
	many := len(pool) > few
	if many {
		pool = pool[:comparedOfMany]
	}
	if len(pool) < 2 {
		return
	}
	compared := s.pairsOf(q, pool, many)
	m := &s.models.pairs
	if many {
		m = &s.models.pairsOfMany
	}
	q.link(compared, m)
	for _, group := range groups(pool) {
		q.arrange(ranked, group)
	}
}

// relate compares what candidates say, as far as it can be read, and marks what another
// one replaces. It returns the relation of each, as the newer, to each older.
func (q *question) relate(pool []*candidate) [][]slots.Relation {
	table := make([][]slots.Relation, len(pool))
	for i, older := range pool {
		table[i] = make([]slots.Relation, len(pool))
		for n, newer := range pool {
			if older == newer || !newer.later(older) {
				continue
			}
			relation := slots.Between(older.sense.said, newer.sense.said)
			table[i][n] = relation
			stored := older.SupersededBy == newer.ID
			if !stored && (relation < slots.Likely || newer.awaited() || q.keptApart(older, newer, pool)) {
				continue
			}
			if older.outdated == nil || newer.later(older.outdated) {
				older.outdated = newer
			}
			if older.outdated == newer && (stored || relation == slots.Certain && slots.Replaces(older.sense.said, newer.sense.said, slots.Certain) && !slots.Restated(older.Content, newer.Content)) {
				older.certain = newer
			}
		}
	}
	return table
}

// link finds which candidates are versions of one fact: because the store knows, or
// because the signs say so of one of the best and another.
func (q *question) link(p *pairs, m *model) {
	var traced []Pair
	for i, older := range p.pool {
		for n, newer := range p.pool {
			stored := older.SupersededBy == newer.ID
			if older == newer || !newer.later(older) || !stored && min(i, n) >= leaders {
				continue
			}
			if !stored && q.keptApart(older, newer, p.pool) {
				if older.Live() && older.sense.fit >= newer.sense.fit {
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
				traced = append(traced, Pair{older.ID, newer.ID, [2]int{i, n}, signs, p.many})
			}
			needed := pairFrom
			if newer.sense.changes == silent && p.relation[i][n] < slots.Contradicts && !p.opposed(i, n) {
				needed = pairFromSilent
			}
			if stored || m.chance(signs) >= needed {
				older.versions, newer.versions = append(older.versions, newer), append(newer.versions, older)
			}
		}
	}
	if q.Trace != nil && q.Trace.Pairs != nil {
		q.Trace.Pairs(traced)
	}
}

// ofAnother reports whether the newer says the same of somebody or something else, or one
// of the two is what was decided against.
func (p *pairs) ofAnother(i, n int) bool {
	older, newer := p.pool[i], p.pool[n]
	switch {
	case older.rejected() != newer.rejected(), newer.sense.other && older.sense.fit >= slots.FitSlot:
		return true
	case p.relation[i][n] >= slots.Contradicts, p.opposed(i, n):
		return false
	}
	return p.otherPhrase(i, n)
}

// groups returns the candidates that are linked with each other, those of one alone left
// out, in order of their best.
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

// arrange puts the versions of a fact into the places that they have, the one that is
// asked for first.
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

// move gives a candidate the relevance of the place that it gets among its versions.
func (c *candidate) move(relevance float64, group []*candidate) {
	if relevance == c.relevance {
		return
	}
	c.parts = append(c.parts, Part{versionPart, relevance - c.relevance})
	c.relevance, c.moved = relevance, group[0]
	fuse(c)
	c.pulled = c.pulled || slices.ContainsFunc(group, func(o *candidate) bool { return o.pulled })
}

// inOrder returns the versions of a fact in the order in which they are asked for: the
// newest first, behind what somebody brought back, or the oldest where it is asked how
// something went or began. Asked how it
// was, what is relevant comes first but for the newest, which is how it is.
func (q *question) inOrder(group []*candidate) []*candidate {
	list := slices.Clone(group)
	slices.SortStableFunc(list, func(a, b *candidate) int { return cmp.Or(cmp.Compare(one(b.kept), one(a.kept)), newest(a, b)) })
	switch {
	case q.asks.Tense == slots.History, q.asks.Tense == slots.Then && q.asks.First:
		slices.Reverse(list)
	case q.asks.Tense == slots.Then && !q.asksFormer():
		slices.SortStableFunc(list, func(a, b *candidate) int { return cmp.Compare(b.relevance, a.relevance) })
	case q.asks.Tense == slots.Then:
		last := list[0]
		slices.SortStableFunc(list, func(a, b *candidate) int {
			return cmp.Or(cmp.Compare(one(a == last), one(b == last)), cmp.Compare(b.relevance, a.relevance))
		})
	}
	return list
}

// asksFormer reports whether a question names what was before something, or a time that is
// over, and not just what happened.
func (q *question) asksFormer() bool {
	return q.asks.Until != "" || q.asks.First || len(q.times) > 0 || formerWords.MatchString(q.Query)
}

var formerWords = regexp.MustCompile(`(?i)\b(before|used? to|previous(ly)?|former(ly)?|old|earlier|original(ly)?|initial(ly)?|at first|once|until|till|back then|prior|past|beginning|start|was|were|früher\w*|vorher|zuvor|alte[rsn]?|ehemalig\w*|vorherig\w*|avant|ancien\w*|antes|anterior\w*)\b`)

// apart returns which candidates somebody has said to replace each other not, by
// undoing what a save had decided.
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
	for _, c := range ranked { // a correction goes on with what it corrects
		if c.Supersedes != "" && slices.Contains(ids, c.ID) {
			ids = append(ids, c.Supersedes)
		}
	}
	return s.store.Apart(ctx, q.Scope.Agent, ids)
}

// keptApart reports whether somebody has undone that the newer of two takes the
// place of the older, or that what it corrects does or what says the same, and
// nobody has said it since.
func (q *question) keptApart(older, newer *candidate, pool []*candidate) bool {
	switch {
	case len(q.apart) == 0:
		return false
	case q.apart.Has(older.ID, newer.ID), newer.Supersedes != "" && q.apart.Has(older.ID, newer.Supersedes):
		return true
	}
	return slices.ContainsFunc(pool, func(c *candidate) bool {
		return c != newer && q.apart.Has(older.ID, c.ID) && slots.Between(c.sense.said, newer.sense.said) == slots.Same
	})
}

// asksHowItIs reports whether a question asks for a state: not for what happened,
// of which there may be several.
func (q *question) asksHowItIs() bool {
	return q.asks.Tense == slots.Then || q.asks.Tense == slots.Now && !slices.ContainsFunc(plainWords(beginning(q.Query, readable)), func(w string) bool {
		switch w {
		case "was":
			return !q.asks.German
		case "why", "did", "were", "had", "has", "would", "wurde", "war":
			return true
		}
		return false
	})
}

// fillsAnother reports whether a record fills another slot than the one that is asked
// for, and not that one. What it says beside that of others does not count.
func (q *question) fillsAnother(s *sense) bool {
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

// later reports whether what a candidate says is of a later time than what another
// does: by the years in which they say that it began, else by when it was said.
func (c *candidate) later(than *candidate) bool {
	for i := range c.sense.said {
		for k := range than.sense.said {
			if order := slots.Order(&c.sense.said[i], &than.sense.said[k]); order != 0 {
				return order > 0
			}
		}
	}
	return c.EventTime().After(than.EventTime())
}

// standing is how what a statement of a candidate says stands to the moment that is
// asked about: what was to begin may have begun, and what was so may be over.
func (q *question) standing(c *candidate, s *slots.Statement) slots.Standing {
	now := q.moment()
	begun := !c.ValidFrom.IsZero() && !c.ValidFrom.After(now)
	switch standing := s.Standing(); {
	case standing == slots.Holds && c.ValidFrom.After(now), standing == slots.Comes && !begun:
		return slots.Comes
	case standing == slots.Comes:
		return slots.Holds
	default:
		return standing
	}
}

// awaited reports whether a candidate says nothing but what is to come or is wished:
// it takes the place of nothing yet.
func (c *candidate) awaited() bool { return c.sense.ahead && !c.sense.holds && !c.sense.was }

// numbers returns the words of a text that have digits, and days of the week.
func numbers(text string) []string {
	return slices.DeleteFunc(plainWords(text), func(w string) bool {
		return !strings.ContainsAny(w, "0123456789") && !slices.ContainsFunc(weekdays, func(day string) bool { return strings.HasPrefix(w, day) })
	})
}

// weekdays are the beginnings of the days of the week in some languages.
var weekdays = []string{
	"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
	"montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag",
	"maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag",
	"lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche",
	"lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo",
}

func oldest(a, b *candidate) int { return a.EventTime().Compare(b.EventTime()) }
func newest(a, b *candidate) int { return b.EventTime().Compare(a.EventTime()) }

func oldestFirst(pool []*candidate) []*candidate {
	list := slices.Clone(pool)
	slices.SortStableFunc(list, func(a, b *candidate) int { return cmp.Or(oldest(a, b), cmp.Compare(a.Seq, b.Seq)) })
	return list
}

// share is how clearly something is told, 0 to 1.
func (t telling) share() float64 { return float64(t) / float64(plainly) }

// one is 1 for true, 0 for false.
func one(ok bool) float64 {
	if ok {
		return 1
	}
	return 0
}

// has counts the stems that a candidate has.
func (c *candidate) has(stems []string) (n int) {
	for _, stem := range stems {
		n += int(one(c.counted()[stem] > 0))
	}
	return n
}
