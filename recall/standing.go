package recall

import (
	"slices"

	"mcp-memory/text/slots"
)

// standing is how what a statement of a candidate says stands to the moment that is
// asked about: what was to begin may have begun, and what was so may be over.
func (q question) standing(c *candidate, s *slots.Statement) slots.Standing {
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

// showHolding lets what is so come before what was, will be or might be, or the other
// way round where that is asked for: "where would I like to live?"
func (q question) showHolding(pool []*candidate) {
	if q.asks.Attribute == "" {
		return
	}
	for _, c := range pool {
		if !q.standsFirst(c) {
			continue
		}
		for _, o := range pool {
			if o != c && q.standsBehind(o) {
				c.before(o)
			}
		}
	}
}

// standsFirst reports whether a candidate fills the slot that is asked for in the way
// that is asked for.
func (q question) standsFirst(c *candidate) bool {
	if q.asks.Ahead {
		return c.sense.plans
	}
	return c.sense.fit == slots.FitBoth && c.sense.fills && c.outdated == nil && !c.stale
}

// standsBehind reports whether a candidate says only what is not asked for: other
// attributes, how it was, will be or might be, and of a question about what might be, how it is.
func (q question) standsBehind(c *candidate) bool {
	if q.asks.Ahead {
		return !c.sense.plans && c.sense.fills
	}
	if q.asks.Subject == slots.User && (q.ofAnotherSlot(&c.sense) || c.sense.ofOthers()) && !c.versionsFit() {
		return true
	}
	return !c.sense.fills && !c.sense.holds && (c.sense.was || c.sense.ahead || c.sense.doubted)
}

// ofOthers reports whether all that is said is of somebody or something else than what
// is asked for.
func (s *sense) ofOthers() bool {
	return s.fit == slots.NoFit && len(s.said) > 0 && !slices.ContainsFunc(s.said, func(one slots.Statement) bool {
		return one.Subject == "" || one.Subject == slots.User
	})
}

// versionsFit reports whether another version of what a candidate says fills the slot
// that is asked for: then it may do so in words that nobody could read.
func (c *candidate) versionsFit() bool {
	fits := func(v sibling) bool { return v.sense.fit >= slots.FitSlot }
	return slices.ContainsFunc(c.newer, fits) || slices.ContainsFunc(c.older, fits)
}
