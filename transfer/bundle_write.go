package transfer

import (
	"context"

	"mcp-memory/memory"
)

func (l *bundleLoader) cut(ctx context.Context) write {
	items := l.items
	l.items = nil
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = item.content()
	}
	vectors := embedLocal(ctx, l.deps, texts)
	return func(ctx context.Context) (Report, error) {
		var done Report
		err := l.deps.Store.Write(ctx, l.scope.Agent, func(tx memory.Tx) (err error) {
			done, err = l.store(tx, items, vectors)
			return err
		})
		if err != nil {
			return Report{}, err
		}
		if vectors == nil && done.Created > 0 {
			l.deps.Queued()
		}
		return done, nil
	}
}

func (i bundleItem) content() string {
	if i.record != nil {
		return i.record.Content
	}
	return i.turn.Content
}

func (l *bundleLoader) store(tx memory.Tx, items []bundleItem, vectors [][]float32) (Report, error) {
	var done Report
	for i, item := range items {
		var vector [][]float32
		if vectors != nil {
			vector = vectors[i : i+1]
		}
		var fresh bool
		var err error
		if item.record != nil {
			if fresh, err = l.storeRecord(tx, item, vector); fresh {
				done.Records++
			}
		} else if fresh, err = l.storeTurn(tx, *item.turn, vector); fresh {
			done.Turns++
		}
		if err != nil {
			return done, err
		}
		if !fresh {
			done.Duplicates++
		}
	}
	done.Created = done.Records + done.Turns
	return done, nil
}

// storeRecord stores a record, unless the bank has its id, or has its external
// id for a record of other origin.
func (l *bundleLoader) storeRecord(tx memory.Tx, item bundleItem, vector [][]float32) (bool, error) {
	r := *item.record
	if r.ExternalID != "" {
		named, err := tx.RecordByExternalID(r.ExternalID)
		if err != nil || named != nil && named.ID != r.ID && !l.own.has(named.ID) {
			return false, err
		}
		l.own.add(r.ID)
	}
	_, err := tx.Record(r.ID)
	if err == nil || memory.CodeOf(err) != memory.CodeNotFound {
		return false, err
	}
	if vector == nil {
		vector = [][]float32{nil}
	}
	if err := tx.InsertRecord(r, vector[0]); err != nil {
		return false, err
	}
	for _, run := range item.runs {
		if err := tx.InsertProcedureRun(run); err != nil {
			return false, err
		}
	}
	return true, nil
}

// storeTurn stores a turn, unless the bank has its id or external id.
func (l *bundleLoader) storeTurn(tx memory.Tx, t memory.Turn, vector [][]float32) (bool, error) {
	if l.stored.has(t.ID) {
		return false, nil
	}
	n, err := tx.InsertTurns([]memory.Turn{t}, vector)
	return n > 0, err
}
