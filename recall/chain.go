package recall

import (
	"context"
	"slices"
	"strings"
	"sync"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/slots"
)

// link finds which candidates are versions of one fact: a newer one takes the
// place of an older, by what they say or because the store knows.
func (q *question) link(pool []*candidate) {
	k := q.kinshipOf(pool)
	var next *succession
	if k.small && k.asked && k.meanings != nil && !q.asks.Broad {
		next = k.succession()
	}
	for i, older := range pool {
		for n, newer := range pool {
			var how bond
			if older == newer || n >= linked && i >= linked || !newer.later(older) {
				continue
			}
			stored := older.SupersededBy == newer.ID
			if newer.awaited() && !stored || q.keptApart(older, newer, pool) {
				continue
			}
			relation := slots.Between(older.sense.said, newer.sense.said)
			switch {
			case stored, relation >= slots.Likely:
				how = replaced
			case relation == slots.Contradicts || min(i, n) < leaders && max(i, n) < linked && mayOppose(older.counted(), newer.counted()) && slots.Opposed(older.Content, newer.Content):
				how = contrary
			default:
				how = k.follows(i, n)
				if how == unrelated && min(i, n) < leaders && (k.small || max(i, n) < linked) && k.sameFrame(older, newer) {
					how = alike
				}
				if how != unrelated && q.toldApart(older, newer) {
					how = unrelated
				}
			}
			if how == replaced && !stored && q.asksForRest(older, newer) {
				continue
			}
			if how != unrelated {
				older.succeed(newer, how)
			}
			if next != nil {
				next.rules[i][n] = how
			}
			if how == replaced && older.outdated == newer && (stored || relation == slots.Certain && slots.Replaces(older.sense.said, newer.sense.said, slots.Certain) && !slots.Restated(older.Content, newer.Content)) {
				older.certain = newer
			}
		}
	}
	if next != nil {
		next.link()
	}
}

// apart returns which candidates somebody has said to replace each other not, by
// undoing what a save had decided.
func (s *Service) apart(ctx context.Context, q question, ranked []*candidate) (memory.Apart, error) {
	var ids []string
	for _, c := range ranked {
		if c.Corpus == memory.Memories {
			if len(ids) == compared {
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
	case len(q.apart) == 0 || older.SupersededBy == newer.ID:
		return false
	case q.apart.Has(older.ID, newer.ID), newer.Supersedes != "" && q.apart.Has(older.ID, newer.Supersedes):
		return true
	}
	return slices.ContainsFunc(pool, func(c *candidate) bool {
		return c != newer && q.apart.Has(older.ID, c.ID) && slots.Between(c.sense.said, newer.sense.said) == slots.Same
	})
}

// bond is how a candidate follows on an older one, from weak to strong.
type bond uint8

const (
	unrelated bond = iota
	alike          // shares its words, and has another value
	hinted         // may tell of a change of it
	told           // tells of a change of it
	contrary       // says the opposite
	replaced       // fills its slot
)

// kinship tells which candidates speak of one thing without filling a slot that
// the tables know.
type kinship struct {
	*question
	pool  []*candidate
	rare  func() map[string]bool // made when first needed
	asked bool                   // how something is or was
	small bool                   // few candidates: whatever is said is likely about the same
}

func (q *question) kinshipOf(pool []*candidate) *kinship {
	small := len(pool) <= few
	most := 2 + len(pool)/30
	if small && q.asks.Tense == slots.Now {
		most = max(most, min(3, len(pool)/2))
	}
	rare := sync.OnceValue(func() map[string]bool { return rareTerms(pool, most) })
	return &kinship{q, pool, rare, q.asksHowItIs() && (small || !q.asks.Implied), small}
}

// follows returns how what is at n is a later word on what is at i, which is older
// and one of the best: it tells of a change, or says the same with another value.
func (k *kinship) follows(i, n int) bond {
	older, newer := k.pool[i], k.pool[n]
	if !k.asked || !k.small && newer.sense.changes != plainly || !k.leads(i, n) || k.small && older.sense.fit >= slots.FitSlot && (newer.sense.other || k.fillsAnother(&newer.sense)) {
		return unrelated // what fills the slot that is asked for is followed by nothing of another
	}
	shared := k.shared(older, newer)
	switch {
	case k.small && k.followsAlone(older, newer):
		return told
	case k.changes(newer, locally) && (shared > 0 && k.changesShared(older, newer) || k.answers(newer)):
		return told
	case k.changes(newer, loosely) && (shared > 0 && k.changesShared(older, newer) || k.answers(newer)):
		return hinted
	case !k.small || shared == 0 || k.asks.Tense != slots.Now || newer.sense.other || !k.sharesMore(older, newer):
	case k.otherValue(older, newer), k.heads(older, newer):
		return alike
	case shared > 1 && k.onTopic(older, newer) || newer.strength() >= likelyShare*older.strength():
		if !k.ofAnother(older, newer) {
			return alike
		}
	}
	return unrelated
}

// changes reports whether a candidate tells of a change that clearly, which among
// many has to be plain.
func (k *kinship) changes(c *candidate, least telling) bool {
	return c.sense.changes == plainly || k.small && c.sense.changes >= least
}

// shared counts the rare words that two candidates share.
func (k *kinship) shared(older, newer *candidate) (n int) {
	rare := k.rare()
	for term := range older.counted() {
		if rare[term] && newer.counted()[term] > 0 {
			n++
		}
	}
	return n
}

// changesShared reports whether what tells of a change stands on one side of a
// colon with a rare word that the two share: "Changed my mind about the narrator:
// close to Isolde" is no change of Isolde.
func (k *kinship) changesShared(older, newer *candidate) bool {
	rare := k.rare()
	for part := range strings.SplitSeq(newer.Content, ": ") {
		if tellsOfChange(part) == silent {
			continue
		}
		for _, term := range analysis.Content(part) {
			if rare[term] && older.counted()[term] > 0 {
				return true
			}
		}
	}
	return false
}

// sharesMore reports whether two candidates share a rare word that is not just
// the name of whom the question is about, of whom much can be told.
func (k *kinship) sharesMore(older, newer *candidate) bool {
	rare := k.rare()
	for term := range older.counted() {
		if rare[term] && newer.counted()[term] > 0 && !k.named(slices.Index(k.stems, term)) {
			return true
		}
	}
	return false
}

// onTopic reports whether two candidates share a word of the question.
func (k *kinship) onTopic(older, newer *candidate) bool {
	return slices.ContainsFunc(k.stems, func(stem string) bool { return older.counted()[stem] > 0 && newer.counted()[stem] > 0 })
}

// ofAnother reports whether a candidate lacks a name of the question that the older
// one has: it is about somebody else.
func (k *kinship) ofAnother(older, newer *candidate) bool {
	for i, stem := range k.stems {
		if older.counted()[stem] > 0 && newer.counted()[stem] == 0 && k.named(i) {
			return true
		}
	}
	return false
}

// named reports whether a word of the question stands there as a name.
func (k *kinship) named(i int) bool {
	return i >= 0 && i < len(k.stemmed) && !strings.Contains(k.Query, strings.ToLower(k.stemmed[i]))
}

// sameFrame reports whether two candidates say the same of the same with another
// value: they differ in a word or two each.
func (k *kinship) sameFrame(older, newer *candidate) bool {
	a, b := older.counted(), newer.counted()
	shared := inBoth(a, b)
	rest := max(len(a), len(b)) - shared
	if shared < 2 || rest > 2 || shared < 2*rest {
		return false
	}
	if k.asks.YesNo {
		return true
	}
	for term := range a { // asked for one of them, not for the other
		if b[term] == 0 && slices.Contains(k.stems, term) {
			return false
		}
	}
	return true
}

// otherValue reports whether two candidates that share words have numbers, and
// not the same ones.
func (k *kinship) otherValue(older, newer *candidate) bool {
	a, b := numbers(older.Content), numbers(newer.Content)
	return len(a) > 0 && len(b) > 0 && !slices.Equal(a, b)
}

// heads reports whether two candidates begin with the same word, one that the
// question has too and that is no name.
func (k *kinship) heads(older, newer *candidate) bool {
	a, b := analysis.Content(older.Content), analysis.Content(newer.Content)
	if len(a) == 0 || len(b) == 0 || a[0] != b[0] {
		return false
	}
	i := slices.Index(k.stems, a[0])
	return i >= 0 && !k.named(i)
}

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

// answers reports whether a candidate, among few, is likely the answer to a
// question of yes or no: it has a word that means much the same as one of it.
func (k *kinship) answers(newer *candidate) bool {
	if k.meanings == nil || !k.small || !k.asks.YesNo {
		return false
	}
	table := k.meanings()
	for a := range newer.counted() {
		x, ok := table.Lookup(a)
		if ok && table.Length(x) >= weighty && slices.ContainsFunc(k.stems, func(b string) bool {
			y, ok := table.Lookup(b)
			return ok && table.Length(y) >= weighty && table.Cosine(x, y) >= kindred
		}) {
			return true
		}
	}
	return false
}

// leads reports whether one of two is good enough to pull the other in: the older
// one, or among few the newer where it is asked how it was.
func (k *kinship) leads(older, newer int) bool {
	if k.small && k.asks.Tense == slots.Then && newer < leaders && k.pool[newer].strength() >= leaderShare*k.pool[0].strength() {
		return true
	}
	return older < leaders && k.pool[older].strength() >= leaderShare*k.pool[0].strength() && k.near(older, k.pool[newer])
}

// near reports whether a candidate is likely enough an answer to be pulled in by
// one of the leaders, without a slot that says so.
func (k *kinship) near(leader int, newer *candidate) bool {
	return k.small || (leader == 0 || k.asks.Tense != slots.Now) && newer.strength() > nearShare*k.pool[leader].strength()
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

// succeed notes a newer version; one that fills the slot marks the older.
func (c *candidate) succeed(newer *candidate, how bond) {
	c.newer = append(c.newer, sibling{newer, how})
	newer.older = append(newer.older, sibling{c, how})
	if how == replaced && (c.outdated == nil || newer.later(c.outdated)) {
		c.outdated = newer
	}
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

// sibling is another candidate that may be of one fact with it.
type sibling struct {
	*candidate
	how bond
}

func isVersion(list []sibling, c *candidate) bool {
	return slices.ContainsFunc(list, func(v sibling) bool { return v.candidate == c })
}

// decisionStems are those of words that tell of a decision: two records that share
// no other tell of two.
var decisionStems = sync.OnceValue(func() map[string]bool { return stemsOf(kin()["decision"]...) })

// rareTerms returns the stems that no more than most of the candidates have, and
// that are long enough to mean something in any language.
func rareTerms(pool []*candidate, most int) map[string]bool {
	counts := map[string]int{}
	for _, c := range pool {
		for term := range c.counted() {
			counts[term]++
		}
	}
	rare := map[string]bool{}
	for term, n := range counts {
		rare[term] = n > 1 && n <= most && len(term) > 2 && strings.Trim(term, "0123456789") != "" && !decisionStems()[term]
	}
	return rare
}
