package mirror

import (
	"context"

	"mcp-memory/memory"
)

// Watch returns a store that tells what its transactions changed, once they are
// committed: the records as they were written, and ids only of what was erased. The
// call that changed them waits for changed to return.
func Watch(store memory.Store, changed func(ctx context.Context, agent string, records []memory.Record)) memory.Store {
	return watched{store, changed}
}

type watched struct {
	memory.Store
	changed func(ctx context.Context, agent string, records []memory.Record)
}

// Write implements [memory.Writer].
func (w watched) Write(ctx context.Context, agent string, fn func(memory.Tx) error) error {
	var records []memory.Record
	err := w.Store.Write(ctx, agent, func(tx memory.Tx) error {
		noted := noting{Tx: tx, at: map[string]int{}}
		err := fn(&noted)
		records = noted.records
		return err
	})
	if err == nil && len(records) > 0 {
		w.changed(context.WithoutCancel(ctx), agent, records)
	}
	return err
}

// noting is a transaction that notes which records it changes.
type noting struct {
	memory.Tx
	records []memory.Record // each as it was written last
	at      map[string]int  // where each is
}

func (n *noting) note(r memory.Record) {
	if i, twice := n.at[r.ID]; twice {
		n.records[i] = r
		return
	}
	n.at[r.ID] = len(n.records)
	n.records = append(n.records, r)
}

// InsertRecord implements [memory.Tx].
func (n *noting) InsertRecord(r memory.Record, vector []float32) error {
	err := n.Tx.InsertRecord(r, vector)
	if err == nil {
		n.note(r)
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
