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
	memory.Store
	clock memory.Clock
	busy  atomic.Int64 // nanoseconds
}

var _ memory.Store = (*Guard)(nil)

// NewGuard puts a guard before a store.
func NewGuard(store memory.Store, clock memory.Clock) *Guard {
	return &Guard{Store: store, clock: clock}
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
		return g.Store.Write(ctx, agent, fn)
	}
	err := g.Store.Write(ctx, agent, func(tx memory.Tx) error {
		watched := &guardedTx{Tx: tx, identity: identity}
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
	records, err := g.Store.Records(ctx, agent, ids)
	return visible(ctx, records), err
}

// History implements [memory.Reader].
func (g *Guard) History(ctx context.Context, agent, id string) ([]memory.Record, error) {
	records, err := g.Store.History(ctx, agent, id)
	return visible(ctx, records), err
}

func visible(ctx context.Context, records []memory.Record) []memory.Record {
	identity, ok := From(ctx)
	if !ok || !identity.Restricted() {
		return records
	}
	return slices.DeleteFunc(records, func(r memory.Record) bool { return !identity.readable(r.Project) })
}

// guardedTx is a transaction as an identity sees it. It notes what changes.
type guardedTx struct {
	memory.Tx
	identity Identity
	changed  []string
}

func (t *guardedTx) note(id string) {
	if len(t.changed) < maxSubjects && !slices.Contains(t.changed, id) {
		t.changed = append(t.changed, id)
	}
}

// may returns an error for a project that the identity cannot write.
func (t *guardedTx) may(project string) error {
	if t.identity.writable(project) {
		return nil
	}
	return memory.Errorf(memory.CodeForbidden, "this token may not change memories outside of its projects").
		WithHint("it is for %s", list(t.identity.Projects))
}

// Record implements [memory.Tx].
func (t *guardedTx) Record(id string) (memory.Record, error) {
	r, err := t.Tx.Record(id)
	if err == nil && !t.identity.readable(r.Project) {
		return memory.Record{}, memory.Errorf(memory.CodeNotFound, "there is no record %q", id)
	}
	return r, err
}

// RecordByExternalID implements [memory.Tx].
func (t *guardedTx) RecordByExternalID(externalID string) (*memory.Record, error) {
	r, err := t.Tx.RecordByExternalID(externalID)
	if err == nil && r != nil && !t.identity.readable(r.Project) {
		return nil, memory.Errorf(memory.CodeForbidden, "external_id is taken outside of this token's projects").WithHint("choose another")
	}
	return r, err
}

// InsertRecord implements [memory.Tx].
func (t *guardedTx) InsertRecord(r memory.Record, vector []float32) error {
	if err := t.may(r.Project); err != nil {
		return err
	}
	t.note(r.ID)
	return t.Tx.InsertRecord(r, vector)
}

// UpdateRecord implements [memory.Tx].
func (t *guardedTx) UpdateRecord(r memory.Record) error {
	if err := t.may(r.Project); err != nil {
		return err
	}
	t.note(r.ID)
	return t.Tx.UpdateRecord(r)
}

// EraseRecord implements [memory.Tx].
func (t *guardedTx) EraseRecord(id string) error {
	r, err := t.Record(id)
	if err == nil {
		err = t.may(r.Project)
	}
	if err != nil {
		return err
	}
	t.note(id)
	return t.Tx.EraseRecord(id)
}

// InsertTodo implements [memory.Plans].
func (t *guardedTx) InsertTodo(todo memory.Todo) error {
	t.note(todo.ID)
	return t.Tx.InsertTodo(todo)
}

// UpdateTodo implements [memory.Plans].
func (t *guardedTx) UpdateTodo(todo memory.Todo) error {
	t.note(todo.ID)
	return t.Tx.UpdateTodo(todo)
}

// InsertEvent implements [memory.Plans].
func (t *guardedTx) InsertEvent(e memory.CalendarEvent) error {
	t.note(e.ID)
	return t.Tx.InsertEvent(e)
}

// UpdateEvent implements [memory.Plans].
func (t *guardedTx) UpdateEvent(e memory.CalendarEvent) error {
	t.note(e.ID)
	return t.Tx.UpdateEvent(e)
}
