package recall

import (
	"slices"

	"mcp-memory/text/slots"
)

// livelihood are the attributes that say how somebody earns a living: who tells one
// often tells the other with it, "I'm a nurse at Saint Brigid".
var livelihood = []string{"work", "job"}

// asksLivelihood returns the question with the other of these attributes, where it
// asks for one of the user.
func (q question) asksLivelihood() (other slots.Question, ok bool) {
	if q.asks.Subject != slots.User || !slices.Contains(livelihood, q.asks.Attribute) {
		return other, false
	}
	other = q.asks
	other.Attribute = livelihood[1-slices.Index(livelihood, q.asks.Attribute)]
	return other, true
}

// tellsLivelihood reports whether a candidate says of the user what he works, without
// filling the slot that is asked for.
func (q question) tellsLivelihood(c *candidate) bool {
	other, ok := q.asksLivelihood()
	if !ok {
		return false
	}
	s := q.senseOf(c)
	for i := range s.said {
		if one := &s.said[i]; !one.Hedged && !one.Past && other.Fits(one) == slots.FitBoth {
			return true
		}
	}
	words := spaced(beginning(c.Content, readable))
	return !s.other && (selves().begins(words, "livelihood") || selves().in(words, "working"))
}

// showLivelihood lifts what tells how the user earns a living, where nothing fills
// the slot that is asked for.
func (q question) showLivelihood(pool []*candidate, top float64) {
	if _, ok := q.asksLivelihood(); !ok || slices.ContainsFunc(pool, func(c *candidate) bool { return c.sense.fit == slots.FitBoth }) {
		return
	}
	for _, c := range pool {
		if q.tellsLivelihood(c) {
			c.add(slotPart, livelihoodLift*max(top, answered))
			c.sense.nearly, c.pulled = true, true
		}
	}
}
