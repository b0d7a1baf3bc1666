package remember

import (
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/slots"
	"mcp-memory/text/timex"
)

// begins returns when what a record says begins to hold, if that is after it was said: its
// ValidFrom or, without one, the only time in a content that names a beginning ("from 1 July
// on"). Zero if it holds already, or the text does not tell. Days are those of zone.
func begins(r memory.Record, said []slots.Statement, zone *time.Location) time.Time {
	now := r.CreatedAt
	if !r.OccurredAt.IsZero() {
		now = r.OccurredAt
	}
	if !r.ValidFrom.IsZero() {
		if r.ValidFrom.After(now) {
			return r.ValidFrom
		}
		return time.Time{}
	}
	if !slices.ContainsFunc(said, func(s slots.Statement) bool { return s.From && !s.Hedged }) {
		return time.Time{}
	}
	spans := timex.Find(r.Content, now.In(zone))
	if len(spans) != 1 {
		return time.Time{}
	}
	if at := upcoming(r.Content, spans[0], now.In(zone)); at.After(now) {
		return at.UTC()
	}
	return time.Time{}
}

const (
	day    = 24 * time.Hour
	season = 100 * day // the longest span that comes again each year
	// ahead is a number of days that is no month, no year and no number of weeks. A time that
	// moves by just that much when the text is read that much later is told from today
	// ("yesterday").
	ahead = 40 * day
	// recent is how long ago "as of 1 July" is taken for the last one.
	recent = 60 * day
)

// upcoming returns the beginning of s, the only span in a text. Package timex takes "May" and
// "Monday" for the last ones, as suits a memory; where something begins, they are the next ones.
// Whether a span comes again each year or week is found by reading the text as of a later day,
// which works in any language that timex reads.
func upcoming(text string, s timex.Span, now time.Time) time.Time {
	words := strings.Fields(strings.ToLower(s.Text))
	before := strings.ToLower(strings.TrimSpace(text[:s.Start]))
	switch {
	case s.From.After(now), s.To.After(now), s.To.Sub(s.From) > season, s.From.Before(now.AddDate(-1, 0, 0)):
		return s.From
	case slices.Contains(words, "since"), slices.Contains(words, "last"), strings.Contains(s.Text, s.From.Format("2006")):
		return s.From
	case (strings.HasSuffix(before, "as of") || strings.HasSuffix(before, "effective")) && now.Sub(s.From) < recent:
		return s.From
	}
	later := timex.Find(text, now.Add(ahead))
	if len(later) != 1 {
		return s.From
	}
	switch moved := later[0].From.Sub(s.From).Round(day); { // clocks may be put forward in between
	case moved == 0 || moved > 300*day: // a day or a month of the year
		return s.From.AddDate(1, 0, 0)
	case moved%(7*day) == 0 && s.To.Sub(s.From) <= day: // a day of the week
		return s.From.AddDate(0, 0, 7)
	}
	return s.From
}

// allBegins reports whether all that is said begins at a named time: each statement that is not
// hedged names a beginning, is not negated, and tells of a state that lasts.
func allBegins(said []slots.Statement) bool {
	some := false
	for i := range said {
		switch s := &said[i]; {
		case s.Hedged:
		case !s.From || s.Negated || !s.Lasts():
			return false
		default:
			some = true
		}
	}
	return some
}
