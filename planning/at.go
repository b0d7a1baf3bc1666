package planning

import (
	"cmp"
	"context"
	"slices"
	"time"

	"mcp-memory/memory"
)

// Planned is a to-do or an occurrence of an event, for who asks about a time.
type Planned struct {
	ID      string
	Event   bool
	Title   string
	Project string    // of a to-do, empty for none
	At      time.Time // when it is due, was done or starts; zero for a to-do without a day
	Done    bool
}

// mostPlanned is how much is told of a time.
const mostPlanned = 20

// At returns what the plans that a scope reads have in from ≤ t < to, in its order: to-dos
// that are due or were done then, and events. Zero times stand for everything that is to be
// done, the most urgent first. At most 20, and how many more there are.
func (s *Service) At(ctx context.Context, scope memory.Scope, from, to time.Time) (planned []Planned, more int, err error) {
	const looked = 1000
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

// within reports whether a time, which may be a day, is in a stretch of the user's time.
func (s *Service) within(t, from, to time.Time) bool {
	if memory.DateOnly(t) {
		y, m, d := t.UTC().Date()
		t = time.Date(y, m, d, 12, 0, 0, 0, s.clock.Zone())
	}
	return !t.Before(from) && t.Before(to)
}
