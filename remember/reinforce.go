package remember

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"mcp-memory/memory"
)

// Reinforcement counts recalls in the background, after the answers: a recall
// waits for no write. What is not yet written when the process is killed is lost, which
// costs a little salience and no memory.
type Reinforcement struct {
	store memory.Reinforcer
	clock memory.Clock
	log   *slog.Logger

	mu      sync.Mutex
	pending map[memory.Scope]map[string]bool // ids; a project does not matter
	wake    chan struct{}
}

// NewReinforcement returns a counter that writes to store while Run runs.
func NewReinforcement(store memory.Reinforcer, clock memory.Clock, log *slog.Logger) *Reinforcement {
	return &Reinforcement{
		store: store, clock: clock, log: log,
		pending: map[memory.Scope]map[string]bool{}, wake: make(chan struct{}, 1),
	}
}

// Note remembers that records were recalled. It never blocks.
func (r *Reinforcement) Note(scope memory.Scope, ids []string) {
	scope.Project = ""
	r.mu.Lock()
	if r.pending[scope] == nil {
		r.pending[scope] = map[string]bool{}
	}
	for _, id := range ids {
		r.pending[scope][id] = true
	}
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default: // Run will wake up already
	}
}

// reinforceDelay is how long recalls are collected: one write then serves many
// of them, and saves rarely have to wait for it.
const reinforceDelay = time.Second

// Run writes what was noted until ctx ends, and then what is left.
func (r *Reinforcement) Run(ctx context.Context) {
	for {
		select {
		case <-r.wake:
			select {
			case <-time.After(reinforceDelay):
				r.Flush(ctx)
			case <-ctx.Done():
			}
		case <-ctx.Done():
			r.Flush(context.WithoutCancel(ctx))
			return
		}
	}
}

// Flush writes what was noted so far.
func (r *Reinforcement) Flush(ctx context.Context) {
	r.mu.Lock()
	pending := r.pending
	r.pending = map[memory.Scope]map[string]bool{}
	r.mu.Unlock()
	for scope, set := range pending {
		ids := make([]string, 0, len(set))
		for id := range set {
			ids = append(ids, id)
		}
		if err := r.store.Reinforce(ctx, scope.Agent, scope.Session, ids, r.clock()); err != nil {
			r.log.InfoContext(ctx, "recalls were not counted", "error", err)
		}
	}
}
