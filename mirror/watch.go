package mirror

import (
	"context"

	"mcp-memory/memory"
)

// Changes are what a transaction has changed: the records as they were written, of
// erased ones the ids only, and the ids of to-dos.
type Changes struct {
	Records []memory.Record
	Todos   []string
	Made    int // how many of the records were not there before
}

// onlyMade reports whether nothing was changed that was there before.
func (c Changes) onlyMade() bool {
	return len(c.Todos) == 0 && len(c.Records) == c.Made
}

// Watch returns a store that tells what its transactions changed, once they are
// committed. The call that changed it waits for changed to return.
func Watch(store memory.Store, changed func(ctx context.Context, agent string, changes Changes)) memory.Store {
	return watched{store, changed}
}

type watched struct {
	memory.Store
	changed func(ctx context.Context, agent string, changes Changes)
}

// Write implements [memory.Writer].
func (w watched) Write(ctx context.Context, agent string, fn func(memory.Tx) error) error {
	return w.WriteExpecting(ctx, agent, memory.Expected{}, fn)
}

// WriteExpecting implements [memory.ExpectingWriter].
func (w watched) WriteExpecting(ctx context.Context, agent string, e memory.Expected, fn func(memory.Tx) error) error {
	var changes Changes
	err := memory.WriteExpecting(ctx, w.Store, agent, e, func(tx memory.Tx) error {
		n := noting{tx, newNoted()}
		err := fn(&n)
		changes = n.Changes
		return err
	})
	if err == nil && len(changes.Records)+len(changes.Todos) > 0 {
		w.changed(context.WithoutCancel(ctx), agent, changes)
	}
	return err
}

// noted are changes, each record as it was written last.
type noted struct {
	Changes
	at map[string]int // where each record is
}

func newNoted() *noted { return &noted{at: map[string]int{}} }

func (n *noted) note(r memory.Record) {
	if i, twice := n.at[r.ID]; twice {
		n.Records[i] = r
		return
	}
	n.at[r.ID] = len(n.Records)
	n.Records = append(n.Records, r)
}

// noting is a transaction that notes what it changes.
type noting struct {
	memory.Tx
	*noted
}

// Expect implements [memory.Expecter].
func (n *noting) Expect(e memory.Expected) error { return memory.Expect(n.Tx, e) }

// InsertRecord implements [memory.Tx].
func (n *noting) InsertRecord(r memory.Record, vector []float32) error {
	err := n.Tx.InsertRecord(r, vector)
	if err == nil {
		n.note(r)
		n.Made++
	}
	return err
}

// UpdateRecord implements [memory.Tx].
func (n *noting) UpdateRecord(r memory.Record) error {
	err := n.Tx.UpdateRecord(r)
	if err == nil {
		n.note(r)
	}
	return err
}

// EraseRecord implements [memory.Tx].
func (n *noting) EraseRecord(id string) error {
	err := n.Tx.EraseRecord(id)
	if err == nil {
		n.note(memory.Record{ID: id})
	}
	return err
}

// InsertTodo implements [memory.Tx].
func (n *noting) InsertTodo(t memory.Todo) error {
	err := n.Tx.InsertTodo(t)
	if err == nil {
		n.Todos = append(n.Todos, t.ID)
	}
	return err
}

// UpdateTodo implements [memory.Tx].
func (n *noting) UpdateTodo(t memory.Todo) error {
	err := n.Tx.UpdateTodo(t)
	if err == nil {
		n.Todos = append(n.Todos, t.ID)
	}
	return err
}
