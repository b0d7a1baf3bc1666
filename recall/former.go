package recall

import (
	"slices"
	"strings"
	"time"

	"mcp-memory/recall/index"
	"mcp-memory/text/analysis"
	"mcp-memory/text/slots"
)

// showFormer lets the version that held then come first: the first if that is
// asked for, the one that held at the time that is named, the last before what is
// said to have ended it, else one that has a later version.
func (q question) showFormer(pool []*candidate) {
	versions := q.versionsAsked(pool)
	slices.SortStableFunc(versions, oldest)
	chosen := q.formerOf(versions, pool)
	if chosen == nil {
		return
	}
	for _, c := range versions {
		if c != chosen {
			chosen.before(c)
		}
	}
	chosen.before(pool[0])
}

// formerOf returns the candidate that is asked for, of versions in order of time
// or of all candidates, best first; nil if none is.
func (q question) formerOf(versions, pool []*candidate) *candidate {
	for _, span := range q.times {
		if past(span, q.moment()) {
			return q.heldAt(span, versions, pool)
		}
	}
	if q.asks.Until != "" {
		if c := q.heldUntil(pool); c != nil {
			return c
		}
	}
	return q.former(versions)
}

// past reports whether a time is over.
func past(span index.Span, now time.Time) bool { return !span.To.IsZero() && span.To.Before(now) }

// season is the longest time of which the version is asked for that was known
// when it began. Of a longer one it is that at its end.
const season = 120 * 24 * time.Hour

// heldAt returns what held at a time: the last version that was known then.
func (q question) heldAt(span index.Span, versions, pool []*candidate) *candidate {
	from := span.From
	switch long := span.To.Sub(span.From); {
	case strings.Contains(strings.ToLower(q.Query), "end of"):
		from = span.To.Add(-long / 3)
	case long > season:
		from = span.To
	}
	for _, limit := range []time.Time{from, span.To} {
		var held *candidate
		known := func(c *candidate) bool { return !c.EventTime().After(limit) }
		for _, c := range versions {
			if known(c) && !slices.ContainsFunc(c.newer, func(v sibling) bool { return known(v.candidate) }) && (held == nil || c.strength() > held.strength()) {
				held = c
			}
		}
		if held != nil {
			return held
		}
	}
	for _, c := range head(pool, few+1) {
		if len(pool) <= few && !c.EventTime().After(span.To) && c.strength() >= formerShare*pool[0].strength() {
			return c
		}
	}
	return nil
}

// heldUntil returns what held before what is said to have ended it. What tells of
// that end is tried in order of time: the last version before it, else the best
// of all that are older and tell of something else.
func (q question) heldUntil(pool []*candidate) *candidate {
	words, most := analysis.Content(q.asks.Until), 0
	for _, c := range pool {
		most = max(most, c.has(words))
	}
	if most == 0 {
		return nil
	}
	var best *candidate
	for _, end := range oldestFirst(pool) {
		if end.has(words) < most {
			continue
		}
		var last *candidate
		for _, c := range pool {
			if !c.EventTime().Before(end.EventTime()) {
				continue
			}
			tells := c.has(words) == most
			if isVersion(end.older, c) || c.sense.fit == slots.FitBoth && !tells {
				if last == nil || c.EventTime().After(last.EventTime()) {
					last = c
				}
			}
			if best == nil && !tells && (!q.when || numbers(c.Content) != nil) {
				best = c
			}
		}
		if last != nil {
			return last
		}
		if q.namesFormer(end) {
			return end
		}
	}
	return best
}

// orders reports whether "before" in the question is of what one of the best candidates
// says, and tells of no time that is over: "rebase before a PR?" of "Never rebase
// before opening a PR".
func (q question) orders(pool []*candidate) bool {
	until := analysis.Content(q.asks.Until)
	return len(until) > 0 && slices.ContainsFunc(head(pool, leaders), func(c *candidate) bool {
		words := plainWords(beginning(c.Content, readable))
		at := slices.IndexFunc(words, func(w string) bool { return w == "before" || w == "vor" || w == "avant" || w == "antes" })
		return at >= 0 && !c.sense.past && slices.ContainsFunc(words[at:min(len(words), at+4)], func(w string) bool { return slices.Contains(until, analysis.Stem(w)) })
	})
}

// namesFormer reports whether a candidate that tells of a change in the slot that is asked
// for says itself what was before: "Migrated from Poetry to uv".
func (q question) namesFormer(c *candidate) bool {
	return slices.ContainsFunc(c.sense.said, func(s slots.Statement) bool {
		return s.Former != "" && !s.Negated && !s.Hedged && s.Attribute != "" && q.asks.Fits(&s) == slots.FitBoth
	})
}

// has counts the stems that a candidate has.
func (c *candidate) has(stems []string) (n int) {
	for _, stem := range stems {
		if c.counted()[stem] > 0 {
			n++
		}
	}
	return n
}

// former returns the last of several versions that another one certainly
// replaces, or the first if that is asked for; else the best that says itself that it
// is over, or of those that none comes before.
func (q question) former(versions []*candidate) (former *candidate) {
	for _, c := range versions {
		if c.outdated != nil {
			former = c
			if q.asks.First {
				break
			}
		}
	}
	if former != nil {
		return former
	}
	if c := remembered(versions); c != nil && q.asks.Attribute != "" {
		return c
	}
	for _, c := range versions {
		if len(c.newer) > 0 && len(c.older) == 0 && (former == nil || c.strength() > former.strength()) {
			former = c
		}
	}
	return former
}

// remembered returns the best candidate that fills the slot that is asked for and
// says itself that it is over: "I used to live in Oslo".
func remembered(versions []*candidate) (best *candidate) {
	for _, c := range versions {
		if c.sense.past && c.sense.fit == slots.FitBoth && (best == nil || c.strength() > best.strength()) {
			best = c
		}
	}
	return best
}
