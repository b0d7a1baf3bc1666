package access

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"mcp-memory/memory"
)

// Guard is a store as the identity in a call's context sees it; see the
// package document. Calls without an identity pass through.
//
// Records that a token's projects leave out are filtered where they are read
// by id. Searches are filtered by their scope, which [Identity.Scope] makes.
type Guard struct {
	store memory.Store
	clock memory.Clock
	busy  atomic.Int64 // nanoseconds
}

var _ memory.Store = (*Guard)(nil)

// NewGuard puts a guard before a store.
func NewGuard(store memory.Store, clock memory.Clock) *Guard {
	return &Guard{store: store, clock: clock}
}

// Busy returns for how long transactions have run, and waited to run.
func (g *Guard) Busy() time.Duration { return time.Duration(g.busy.Load()) }

// Write implements [memory.Writer].
func (g *Guard) Write(ctx context.Context, agent string, fn func(memory.Tx) error) error {
	begun := time.Now()
	defer func() { g.busy.Add(int64(time.Since(begun))) }()
	identity, ok := From(ctx)
	c := callOf(ctx)
	if !ok || c == nil {
		return g.store.Write(ctx, agent, fn)
	}
	err := g.store.Write(ctx, agent, func(tx memory.Tx) error {
		watched := &guardedTx{tx: tx, identity: identity}
		if err := fn(watched); err != nil {
			return err
		}
		return tx.Audit(g.entry(identity, c, agent, watched.changed, ""))
	})
	if err == nil {
		c.noteWritten()
	}
	return err
}

// Records implements [memory.Reader].
func (g *Guard) Records(ctx context.Context, agent string, ids []string) ([]memory.Record, error) {
	records, err := g.store.Records(ctx, agent, ids)
	return visible(ctx, records), err
}

// History implements [memory.Reader].
func (g *Guard) History(ctx context.Context, agent, id string) ([]memory.Record, error) {
	records, err := g.store.History(ctx, agent, id)
	return visible(ctx, records), err
}

func visible(ctx context.Context, records []memory.Record) []memory.Record {
	identity, ok := From(ctx)
	if !ok || !identity.Restricted() {
		return records
	}
	return slices.DeleteFunc(records, func(r memory.Record) bool { return !identity.readable(r.Project) })
}
