package link

import (
	"context"
	"log/slog"
	"time"

	"mcp-memory/memory"
)

// Store is what this package needs of a database.
type Store interface {
	memory.Writer
	memory.Reader
	memory.Searcher
	memory.Mirror
	memory.LinkReader
	memory.PlanReader
}

// DefaultWindow is the default time in which a request can be answered.
const DefaultWindow = 2 * time.Minute

// Options are what a [Service] is made of. All fields but Window, Poll and Met
// are needed.
type Options struct {
	Store  Store
	Clock  memory.Clock
	IDs    *memory.IDs
	Window time.Duration // time in which a request can be answered; 0 is DefaultWindow
	Poll   time.Duration // interval at which [Service.Consult] looks for requests; 0 is DefaultPoll
	Queued func()        // called when something waits for its vector; must not block
	Log    *slog.Logger
	// Met is called in a transaction over an agent's bank with the other agent
	// of a completed link; see [mcp-memory/cognition.Service.MetByLink]. May be
	// nil.
	Met func(ctx context.Context, tx memory.Tx, agent, other, link string, at time.Time) error
}

// Service links banks. Safe for concurrent use.
type Service struct {
	store  Store
	clock  memory.Clock
	ids    *memory.IDs
	window time.Duration
	poll   time.Duration
	queued func()
	log    *slog.Logger
	met    func(ctx context.Context, tx memory.Tx, agent, other, link string, at time.Time) error
}

// New returns a service over a store.
func New(o Options) *Service {
	if o.Window <= 0 {
		o.Window = DefaultWindow
	}
	if o.Poll <= 0 {
		o.Poll = DefaultPoll
	}
	return &Service{o.Store, o.Clock, o.IDs, o.Window, o.Poll, o.Queued, o.Log, o.Met}
}

// overdue reports whether a request is stored as pending although its window
// has passed.
func overdue(l memory.Link, now time.Time) bool {
	return l.Status == memory.LinkPending && now.After(l.ExpiresAt)
}

// checkOpen returns a [memory.CodeExpired] or [memory.CodeConflict] if a
// request can no longer be decided.
func checkOpen(l memory.Link, now time.Time) error {
	switch {
	case l.Status == memory.LinkExpired || overdue(l, now):
		return memory.Errorf(memory.CodeExpired, "link %s expired at %s", l.ID, l.ExpiresAt.Format(time.RFC3339)).
			WithHint("%s can ask again", l.To)
	case l.Status != memory.LinkPending:
		return memory.Errorf(memory.CodeConflict, "link %s is %s already", l.ID, l.Status).
			WithHint("a request is decided once")
	}
	return nil
}
