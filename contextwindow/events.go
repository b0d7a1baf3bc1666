package contextwindow

import (
	"strings"
	"time"

	"mcp-memory/memory"
)

// eventContent is how much of an event's content its reference shows, in
// characters.
const eventContent = 120

// EventReference is an event in compact form.
type EventReference struct {
	ID             string
	Reference      string // one line
	OriginalTokens int    // of the content
	CompactTokens  int    // of the reference
}

// CompactedEvents are events in compact form.
type CompactedEvents struct {
	Events         []EventReference
	OriginalTokens int
	CompactTokens  int
	Ratio          float64 // compact by original, 1 if there is no original
}

// CompactEvents makes references of events, in their order.
func CompactEvents(events []memory.ContextEvent, counter memory.TokenCounter) CompactedEvents {
	c := CompactedEvents{Ratio: 1}
	for _, e := range events {
		r := EventReference{ID: e.ID, Reference: Reference(e), OriginalTokens: e.Tokens}
		if r.OriginalTokens == 0 {
			r.OriginalTokens = counter.Count(e.Content)
		}
		r.CompactTokens = counter.Count(r.Reference)
		c.Events = append(c.Events, r)
		c.OriginalTokens += r.OriginalTokens
		c.CompactTokens += r.CompactTokens
	}
	if c.OriginalTokens > 0 {
		c.Ratio = float64(c.CompactTokens) / float64(c.OriginalTokens)
	}
	return c
}

// Reference returns an event as one line: id=… | type=… | createdAt=… | goal=…
// | task=… | content=…, with "-" for what it has not.
func Reference(e memory.ContextEvent) string {
	at := "-"
	if !e.At.IsZero() {
		at = e.At.UTC().Format(time.RFC3339)
	}
	return "id=" + field(e.ID) + " | type=" + field(e.Type) + " | createdAt=" + at +
		" | goal=" + field(e.GoalID) + " | task=" + field(e.TaskID) + " | content=" + field(shorten(e.Content, eventContent))
}

// field is a value that cannot be taken for the end of its field.
func field(s string) string {
	s = strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", "¦")
	if s == "" {
		return "-"
	}
	return s
}

// shorten returns text in one line of at most limit characters.
func shorten(text string, limit int) string {
	if len(text) > 8*limit { // the rest cannot be shown anyway
		text = strings.ToValidUTF8(text[:8*limit], "")
	}
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) > limit {
		return strings.TrimSpace(string(line[:limit])) + "..."
	}
	return string(line)
}
