package planning

import (
	"cmp"
	"container/heap"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"mcp-memory/memory"
)

// EventRequest is a calendar event to add. Title and StartsAt are needed.
type EventRequest struct {
	Title       string
	StartsAt    time.Time
	EndsAt      time.Time
	TimeZone    string // IANA name; empty is UTC
	Location    string
	Description string
	Recurrence  string // an RRULE of RFC 5545, with or without "RRULE:"
}

// AddEvent puts an event into the calendar. Errors:
// [memory.CodeInvalidArgument] for an unknown time zone, an end that is not
// after the start, and a rule that cannot be read, never comes or comes more
// often than every hour; and those of [memory.CalendarEvent.Validate].
func (s *Service) AddEvent(ctx context.Context, agent string, r EventRequest) (memory.CalendarEvent, error) {
	e, err := s.newEvent(agent, r)
	if err != nil {
		return e, err
	}
	return e, s.store.Write(ctx, agent, func(tx memory.Tx) error { return tx.InsertEvent(e) })
}

// newEvent returns the event that a request describes, validated but not
// stored.
func (s *Service) newEvent(agent string, r EventRequest) (memory.CalendarEvent, error) {
	e := memory.CalendarEvent{
		ID: s.ids.New(), Agent: agent, Title: strings.TrimSpace(r.Title), StartsAt: r.StartsAt, EndsAt: r.EndsAt,
		TimeZone: cmp.Or(r.TimeZone, time.UTC.String()), Location: strings.TrimSpace(r.Location),
		Description: strings.TrimSpace(r.Description), CreatedAt: s.clock.Now(), LastStart: r.StartsAt,
	}
	e = e.Tidied()
	zone, err := loadZone(e.TimeZone)
	if err != nil {
		return e, err
	}
	if err := e.Validate(); err != nil {
		return e, err
	}
	if r.Recurrence != "" {
		// Rules have no fractions of a second.
		e.StartsAt = e.StartsAt.Truncate(time.Second)
		rule, err := parseRule(r.Recurrence, e.StartsAt.In(zone))
		if err != nil {
			return e, err
		}
		e.Recurrence, e.StartsAt, e.LastStart = rule.text, rule.first.UTC(), rule.last.UTC()
		if rule.last.IsZero() {
			e.LastStart = time.Time{}
		}
		if !e.EndsAt.IsZero() {
			e.EndsAt = e.EndsAt.Add(e.StartsAt.Sub(r.StartsAt.Truncate(time.Second)))
		}
	}
	return e, nil
}

// Occurrence is one time at which an event takes place.
type Occurrence struct {
	memory.CalendarEvent           // StartsAt and EndsAt are those of the event's first occurrence
	Start                time.Time // in UTC
	End                  time.Time // zero where the event has no end
}

// MaxOccurrences is how many occurrences [Service.Calendar] returns at most.
const MaxOccurrences = 1000

// DefaultSpan is the length of time that [Service.Calendar] covers if it is
// given no end.
const DefaultSpan = 7 * 24 * time.Hour

// Calendar returns the occurrences with from ≤ start < to and those still going
// on at from, in order of start, at most [MaxOccurrences]. The bool reports
// whether there are more. A zero from is now, a zero to is [DefaultSpan] later.
// If query is not empty, only events count that have all of its words in title,
// location or description. It returns a [memory.CodeInvalidArgument] if to is
// not after from.
func (s *Service) Calendar(ctx context.Context, agent string, from, to time.Time, query string) ([]Occurrence, bool, error) {
	if from.IsZero() {
		from = s.clock.Now()
	}
	if to.IsZero() {
		to = from.Add(DefaultSpan)
	}
	if !from.Before(to) {
		return nil, false, memory.Errorf(memory.CodeInvalidArgument, "to is not after from").WithHint("from is inclusive, to exclusive")
	}
	events, err := s.store.Calendar(ctx, agent, from, to)
	if err != nil {
		return nil, false, err
	}
	words := strings.Fields(strings.ToLower(query))
	var all agenda
	for _, e := range events {
		if mentions(e, words) {
			all.add(e, from, to)
		}
	}
	var shown []Occurrence
	for len(all) > 0 && len(shown) < MaxOccurrences {
		shown = append(shown, all.next())
	}
	return shown, len(all) > 0, nil
}

// agenda merges the occurrences of many events in order of start. It is a heap
// of series, ordered by the next start of each, so that no more starts are
// computed than are asked for.
type agenda []*series

func (a *agenda) add(e memory.CalendarEvent, from, to time.Time) {
	s := startsOf(e, from, to)
	if s.advance() {
		heap.Push(a, s)
	}
}

func (a *agenda) next() Occurrence {
	s := (*a)[0]
	o := occurrence(s.event, s.start)
	if s.advance() {
		heap.Fix(a, 0)
	} else {
		heap.Pop(a)
	}
	return o
}

// Len implements [heap.Interface], as do the four methods below.
func (a agenda) Len() int { return len(a) }

// Less orders by start, and events that start at the same moment by id.
func (a agenda) Less(i, j int) bool {
	return cmp.Or(a[i].start.Compare(a[j].start), cmp.Compare(a[i].event.ID, a[j].event.ID)) < 0
}

// Swap exchanges two series.
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }

// Push appends a series.
func (a *agenda) Push(x any) { *a = append(*a, x.(*series)) }

// Pop removes the last series.
func (a *agenda) Pop() any {
	last := (*a)[len(*a)-1]
	*a = (*a)[:len(*a)-1]
	return last
}

func occurrence(e memory.CalendarEvent, start time.Time) Occurrence {
	o := Occurrence{CalendarEvent: e, Start: start.UTC()}
	if !e.EndsAt.IsZero() {
		o.End = o.Start.Add(e.EndsAt.Sub(e.StartsAt))
	}
	return o
}

func mentions(e memory.CalendarEvent, words []string) bool {
	text := strings.ToLower(e.Title + "\n" + e.Location + "\n" + e.Description)
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// Removed says what [Service.RemoveEvent] removed.
type Removed string

// The values of Removed.
const (
	RemovedEvent      Removed = "event"
	RemovedOccurrence Removed = "occurrence"
)

// RemoveEvent removes an event from the calendar, or only its occurrence at
// start if start is not zero. The change that it returns takes that back with
// [Service.TakeBackEvent]. Errors: [memory.CodeNotFound] for an unknown event,
// [memory.CodeInvalidArgument] if the event has no occurrence at start, and
// [memory.CodeConflict] if that occurrence was removed before.
func (s *Service) RemoveEvent(ctx context.Context, agent, id string, start time.Time) (removed Removed, change EventChange, err error) {
	err = s.store.Write(ctx, agent, func(tx memory.Tx) error {
		e, err := tx.Event(id)
		if err != nil {
			return err
		}
		change.Before = e
		if removed, err = s.remove(&e, start); err != nil {
			return err
		}
		change.After = e
		return tx.UpdateEvent(e)
	})
	return removed, change, err
}

func (s *Service) remove(e *memory.CalendarEvent, start time.Time) (Removed, error) {
	switch {
	case start.IsZero(), e.Recurrence == "" && start.Equal(e.StartsAt):
		e.RemovedAt = s.clock.Now()
		return RemovedEvent, nil
	case slices.ContainsFunc(e.Except, start.Equal):
		return "", memory.Errorf(memory.CodeConflict, "the occurrence of %s was removed before", start.UTC().Format(time.RFC3339))
	case !startsAt(*e, start):
		return "", memory.Errorf(memory.CodeInvalidArgument, "occurrence: event %s does not start at %s", e.ID, start.UTC().
			Format(time.RFC3339)).
			WithAdvice(memory.Advice{Tool: "use a starts_at that check_calendar returned",
				Command: "`mcp-memory calendar list` shows when it starts"})
	}
	e.Except = append(slices.Clone(e.Except), start.UTC()) // change.Before shares the list
	return RemovedOccurrence, nil
}

// zones caches time zones, because [time.LoadLocation] reads a file.
var zones sync.Map // name → *time.Location

func loadZone(name string) (*time.Location, error) {
	if zone, ok := zones.Load(name); ok {
		return zone.(*time.Location), nil
	}
	zone, err := time.LoadLocation(name)
	if err == nil && name != "Local" {
		zones.Store(name, zone)
		return zone, nil
	}
	return nil, memory.Errorf(memory.CodeInvalidArgument, "time_zone %q is not known", name).
		WithHint("an IANA name such as Europe/Berlin, or UTC")
}
