// Package planning keeps what an agent intends to do: to-dos and a calendar.
// They are plans, no memories: a search does not find them, self-care never
// touches them, and nothing reminds the agent, who has to look.
//
// A calendar event may recur by a rule of RFC 5545. Its occurrences are worked
// out when somebody looks, in the event's own time zone, so that "every day at
// nine" stays at nine when the clocks change. A single occurrence is taken out
// by its start.
package planning

import (
	"mcp-memory/memory"
)

// Store is what this package needs of a database.
type Store interface {
	memory.Writer
	memory.PlanReader
}

// Options are what a [Service] is made of. All fields but Home are needed.
type Options struct {
	Store Store
	Clock memory.Clock
	IDs   *memory.IDs
	// Home returns the project that a to-do with that text, added in that
	// scope, belongs to; empty for no project. If nil, it is the project of the
	// scope.
	Home func(scope memory.Scope, text string) string
}

// Service plans. Safe for concurrent use.
type Service struct {
	store Store
	clock memory.Clock
	ids   *memory.IDs
	home  func(scope memory.Scope, text string) string
}

// New returns a service over a store.
func New(o Options) *Service {
	s := &Service{o.Store, o.Clock, o.IDs, o.Home}
	if s.home == nil {
		s.home = func(scope memory.Scope, _ string) string { return scope.Project }
	}
	return s
}
