package recall

import (
	"slices"

	"mcp-memory/text/slots"
)

// naming is how well a question names what a record is about: how many of the
// words that tell it from others of its attribute the question has, and how many
// it lacks.
type naming struct{ has, lacks int }

// better reports whether one is named better than another.
func (n naming) better(o naming) bool {
	return n.has > o.has || n.has == o.has && n.lacks < o.lacks
}

// nameDecides marks what fills the slot that is asked for, but of something that the
// question names less well than another that does: "my work phone", asked for "my
// phone". Whom the question names decides before what is newer.
func (q question) nameDecides(pool []*candidate) {
	var best naming
	var some bool
	for _, c := range pool {
		if s := &c.sense; s.fit >= slots.FitSlot && !s.past && (!some || s.named.better(best)) {
			best, some = s.named, true
		}
	}
	if !some {
		return
	}
	for _, c := range pool {
		if s := &c.sense; s.fit >= slots.FitSlot && best.better(s.named) && (s.named.lacks > 0 || s.changes != plainly) {
			s.fit, s.beside = slots.FitSlot, true
		}
	}
}

// toldApart reports whether two records fill one attribute, of things of which the
// question names the older and not the newer.
func (q *question) toldApart(older, newer *candidate) bool {
	for i := range older.sense.said {
		a := &older.sense.said[i]
		for k := range newer.sense.said {
			b := &newer.sense.said[k]
			if a.Attribute != b.Attribute || a.Attribute == "" && (a.Scope == "" || b.Scope == "") {
				continue
			}
			if x, y := q.namingOf(older, a), q.namingOf(newer, b); x.better(y) && (y.lacks > 0 || newer.sense.changes != plainly) {
				return true
			}
		}
	}
	return false
}

// namingOf tells how well the question names what a statement is about. What tells
// of a change may call the thing otherwise: "my favourite place" of a restaurant.
func (q *question) namingOf(c *candidate, s *slots.Statement) naming {
	if c.sense.changes == plainly {
		plain := *s
		plain.Topic, s = "", &plain
	}
	has, lacks := q.asks.Names(s)
	return naming{has, lacks}
}

// namingBest tells it of the best of the statements that fill the slot.
func (q question) namingBest(c *candidate) (best naming) {
	first, said := true, c.sense.said
	for i := range said {
		if said[i].Hedged || q.asks.Fits(&said[i]) < slots.FitSlot {
			continue
		}
		if n := q.namingOf(c, &said[i]); first || n.better(best) {
			best, first = n, false
		}
	}
	return best
}

// followsAlone reports whether a candidate tells of a change without saying of what,
// and the older one is the only one that it can be a change of.
func (k *kinship) followsAlone(older, newer *candidate) bool {
	return mayFollow(older, newer) && !slices.ContainsFunc(k.pool, func(c *candidate) bool {
		return c != older && c != newer && newer.EventTime().After(c.EventTime()) && mayFollow(c, newer)
	})
}

// mayFollow reports whether that may be a change of what the older one says.
func mayFollow(older, newer *candidate) bool {
	return slices.ContainsFunc(newer.sense.said, func(b slots.Statement) bool {
		return slices.ContainsFunc(older.sense.said, func(a slots.Statement) bool { return slots.Follows(&a, &b) })
	})
}

// introduces reports whether a candidate answers nothing, and says who it is of whom
// the question speaks: it shares more words with it than the answer, which has
// the name alone.
func (q question) introduces(c *candidate) bool {
	return len(q.links) > 0 && c.sense.fit < slots.FitSlot && len(slots.Links(c.sense.said, false)) > 0
}
