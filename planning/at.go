package planning

import (
	"cmp"
	"context"
	"slices"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

// Planned is a to-do or one occurrence of an event, as [Service.At] returns it.
type Planned struct {
	ID      string
	Event   bool
	Title   string
	Project string    // of a to-do, empty for none
	At      time.Time // when it is due, was done or starts; zero for a to-do without a day
	Done    bool
}

const (
	mostPlanned = 20   // how many entries At returns at most
	looked      = 1000 // how many to-dos are looked at
)

// At returns the to-dos that are due or were done in from ≤ t < to, and the
// events that take place then, in order of time. To-dos count if the scope may
// read their project; events have no project. If from is zero, it returns the
// to-dos that are not done, the most urgent first, and no events. It returns at
// most [mostPlanned] entries, and as more how many it left out of those that it
// looked at: the first 1,000 to-dos and [MaxOccurrences] events.
func (s *Service) At(ctx context.Context, scope memory.Scope, from, to time.Time) (planned []Planned, more int, err error) {
	f := memory.TodoFilter{Status: memory.TodoAll, Projects: scope.Readable()}
	if from.IsZero() {
		f.Status = memory.TodoPending
	}
	todos, _, err := s.store.Todos(ctx, scope.Agent, f, looked)
	if err != nil {
		return nil, 0, err
	}
	for _, t := range todos {
		one := Planned{ID: t.ID, Title: t.Title, Project: t.Project, At: t.DueAt, Done: !t.CompletedAt.IsZero()}
		if one.Done {
			one.At = t.CompletedAt
		}
		if from.IsZero() || !one.At.IsZero() && s.within(one.At, from, to) {
			planned = append(planned, one)
		}
	}
	if !from.IsZero() {
		events, _, err := s.Calendar(ctx, scope.Agent, from, to, "")
		if err != nil {
			return nil, 0, err
		}
		for _, e := range events {
			planned = append(planned, Planned{ID: e.ID, Event: true, Title: e.Title, At: e.Start})
		}
		slices.SortStableFunc(planned, func(a, b Planned) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	}
	more = max(0, len(planned)-mostPlanned)
	return planned[:len(planned)-more], more, nil
}

// mostAbout is how many entries About returns at most, aheadAbout how far ahead it looks for events.
const (
	mostAbout  = 5
	aheadAbout = 366 * 24 * time.Hour
)

// About returns what is still to be done and the next occurrences of events whose titles are about
// what some stems say ([analysis.Content]): the title has all of them, or nothing but some of them.
// It returns at most [mostAbout], in order of time, and how many it left out. The scope counts as
// for [Service.At].
func (s *Service) About(ctx context.Context, scope memory.Scope, stems []string) (planned []Planned, more int, err error) {
	todos, _, err := s.store.Todos(ctx, scope.Agent, memory.TodoFilter{Status: memory.TodoPending, Projects: scope.Readable()}, looked)
	if err != nil {
		return nil, 0, err
	}
	for _, t := range todos {
		if isAbout(t.Title, stems) {
			planned = append(planned, Planned{ID: t.ID, Title: t.Title, Project: t.Project, At: t.DueAt})
		}
	}
	now := s.clock.Now()
	events, err := s.store.Calendar(ctx, scope.Agent, now, now.Add(aheadAbout))
	if err != nil {
		return nil, 0, err
	}
	for _, e := range events {
		if !isAbout(e.Title, stems) {
			continue
		}
		var next agenda
		if next.add(e, now, now.Add(aheadAbout)); len(next) > 0 {
			o := next.next()
			planned = append(planned, Planned{ID: o.ID, Event: true, Title: o.Title, At: o.Start})
		}
	}
	slices.SortStableFunc(planned, func(a, b Planned) int {
		if a.At.IsZero() != b.At.IsZero() { // what has no day comes last
			return b.At.Compare(a.At)
		}
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
	})
	more = max(0, len(planned)-mostAbout)
	return planned[:len(planned)-more], more, nil
}

// isAbout reports whether a title has all of some stems, or nothing but some of them.
func isAbout(title string, stems []string) bool {
	of := analysis.Content(title)
	all := len(stems) > 0 && !slices.ContainsFunc(stems, func(s string) bool { return !slices.Contains(of, s) })
	only := len(of) > 0 && !slices.ContainsFunc(of, func(s string) bool { return !slices.Contains(stems, s) })
	return all || only
}

// within reports whether from ≤ t < to. If t is a date without a time of day,
// noon of that day in the user's time zone counts.
func (s *Service) within(t, from, to time.Time) bool {
	if memory.DateOnly(t) {
		y, m, d := t.UTC().Date()
		t = time.Date(y, m, d, 12, 0, 0, 0, s.clock.Zone())
	}
	return !t.Before(from) && t.Before(to)
}
