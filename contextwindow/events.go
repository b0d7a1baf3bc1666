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
	Reference      string // one line; see [Reference] and [shortEvent]
	OriginalTokens int    // of the event in the same form with its whole content
	CompactTokens  int    // of the reference, never more than OriginalTokens
}

// CompactedEvents are events in compact form.
type CompactedEvents struct {
	Events         []EventReference
	OriginalTokens int
	CompactTokens  int
	Ratio          float64 // compact by original, 0 to 1; 1 if there is no original
}

// CompactEvents makes references of events, in their order.
func CompactEvents(events []memory.ContextEvent, counter memory.TokenCounter) CompactedEvents {
	c := CompactedEvents{Ratio: 1}
	for _, e := range events {
		r := compactEvent(e, counter)
		c.Events = append(c.Events, r)
		c.OriginalTokens += r.OriginalTokens
		c.CompactTokens += r.CompactTokens
	}
	if c.OriginalTokens > 0 {
		c.Ratio = float64(c.CompactTokens) / float64(c.OriginalTokens)
	}
	return c
}

// compactEvent returns the form of an event that takes fewer tokens, full reference or short
// line, with its size and the size that it would have with the whole content.
func compactEvent(e memory.ContextEvent, counter memory.TokenCounter) EventReference {
	r := EventReference{ID: e.ID, Reference: Reference(e)}
	r.CompactTokens = counter.Count(r.Reference)
	if line := shortEvent(e); line != "" {
		if n := counter.Count(line); n < r.CompactTokens {
			r.Reference, r.CompactTokens, r.OriginalTokens = line, n, n
			return r
		}
	}
	content := e.Tokens
	if content == 0 {
		content = counter.Count(e.Content)
	}
	// The whole event is its fields and its content. It is never counted as smaller than its
	// reference, which may happen because the reference joins white space.
	e.Content = ""
	r.OriginalTokens = max(r.CompactTokens, counter.Count(Reference(e))+content)
	return r
}

// Reference returns an event as one line: id=… | type=… | createdAt=… | goal=…
// | task=… | content=…, with "-" for what it has not. The id is the caller's own
// where there is one.
func Reference(e memory.ContextEvent) string {
	at, id := "-", e.ID
	if !e.At.IsZero() {
		at = e.At.UTC().Format(time.RFC3339)
	}
	if ownName(e) {
		id = e.ExternalID
	}
	return "id=" + field(id) + " | type=" + field(e.Type) + " | createdAt=" + at +
		" | goal=" + field(e.GoalID) + " | task=" + field(e.TaskID) + " | content=" + eventText(e)
}

// shortEvent returns an event as "type: content" with nothing cut. It is empty if the content is
// blank or too long for that, and for an event that the caller could look up by a name of its
// own, a goal or a task: the full reference has these.
func shortEvent(e memory.ContextEvent) string {
	if ownName(e) || e.GoalID != "" || e.TaskID != "" || strings.TrimSpace(e.Content) == "" {
		return ""
	}
	text := eventText(e)
	if text != field(e.Content) {
		return ""
	}
	return field(e.Type) + ": " + text
}

// autoEvent is the prefix of the external id that contextEvents gives to an event without one, so
// that a repetition is recognised.
const autoEvent = "auto-"

// ownName reports whether the caller has a name for the event.
func ownName(e memory.ContextEvent) bool {
	return e.ExternalID != "" && !strings.HasPrefix(e.ExternalID, autoEvent)
}

// field returns a value on one line without "|", which separates the fields of a reference; "-"
// for a blank value.
func field(s string) string {
	s = strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", "¦")
	if s == "" {
		return "-"
	}
	return s
}

// eventText returns an event's content as a reference shows it: cut to eventContent characters,
// or whole if the mark behind the cut would take the room that the cut saves.
func eventText(e memory.ContextEvent) string {
	if cut := shorten(e.Content, eventContent); len(cut) < len(e.Content) {
		return field(cut)
	}
	return field(e.Content)
}

// shorten returns text in one line: all of it, or its first limit characters and "..." if there
// are more.
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
