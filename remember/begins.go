package remember

import (
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/slots"
	"mcp-memory/text/timex"
)

// begins returns when what a record says begins to hold, if that is after it was
// said: its ValidFrom, or the one time that its content names as a beginning.
// Zero if it holds already, or the text does not tell. Days are those of zone.
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
	if at := upcoming(spans[0], now); at.After(now) {
		return at.UTC()
	}
	return time.Time{}
}

// upcoming is the beginning of a span. Package timex takes "May" and "Monday" for
// the last ones, as suits a memory; of what begins they are the next ones.
func upcoming(s timex.Span, now time.Time) time.Time {
	words := strings.Fields(strings.ToLower(s.Text))
	if s.From.After(now) || s.From.Before(now.AddDate(-1, 0, 0)) || slices.Contains(words, "since") || slices.Contains(words, "last") {
		return s.From
	}
	names := func(name string) bool {
		return slices.ContainsFunc(words, func(w string) bool {
			return len(w) >= 3 && strings.HasPrefix(strings.ToLower(name), strings.Trim(w, ".,"))
		})
	}
	switch {
	case strings.Contains(s.Text, s.From.Format("2006")):
		return s.From
	case names(s.From.Month().String()):
		return s.From.AddDate(1, 0, 0)
	case names(s.From.Weekday().String()):
		return s.From.AddDate(0, 0, 7)
	}
	return s.From
}
