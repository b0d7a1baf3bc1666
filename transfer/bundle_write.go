package transfer

import (
	"context"
	"time"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

func (l *bundleLoader) cut(ctx context.Context) write {
	items := l.items
	l.items = nil
	l.embed(ctx, items)
	return func(ctx context.Context) (Report, error) {
		items, gone, err := l.unerased(ctx, items)
		if err != nil {
			return Report{}, err
		}
		var done outcome
		err = l.deps.Store.Write(ctx, l.scope.Agent, func(tx memory.Tx) (err error) {
			done, err = l.store(tx, items)
			return err
		})
		if err != nil {
			return Report{}, err
		}
		if err := l.storeActions(ctx, items, &done.Report); err != nil {
			return Report{}, err
		}
		if done.queued {
			l.deps.Queued()
		}
		done.Forgotten += gone
		return done.Report, nil
	}
}

// unerased returns the items without messages and actions that were erased with their conversation,
// and how many these are.
func (l *bundleLoader) unerased(ctx context.Context, items []bundleItem) (left []bundleItem, gone int, err error) {
	for _, item := range items {
		session, at := "", time.Time{}
		switch {
		case item.turn != nil:
			session, at = item.turn.Session, item.turn.SaidAt
		case item.action != nil:
			session, at = item.action.Session, item.action.At
		}
		until := int64(0)
		if session != "" {
			if until, err = l.erased.of(ctx, session); err != nil {
				return nil, 0, err
			}
		}
		if until > 0 && at.UnixMicro() <= until {
			gone++
		} else {
			left = append(left, item)
		}
	}
	return left, gone, nil
}

// embed computes the vectors of records and turns, if that is done at once; see embedLocal.
func (l *bundleLoader) embed(ctx context.Context, items []bundleItem) {
	var texts []string
	var of []*bundleItem
	for i := range items {
		switch item := &items[i]; {
		case item.record != nil:
			texts, of = append(texts, item.record.Content), append(of, item)
		case item.turn != nil:
			texts, of = append(texts, item.turn.Content), append(of, item)
		}
	}
	for i, vector := range embedLocal(ctx, l.deps, texts) {
		of[i].vector = vector
	}
}

// outcome counts what a batch did.
type outcome struct {
	Report
	queued bool // some record or turn has no vector yet
}

func (l *bundleLoader) store(tx memory.Tx, items []bundleItem) (outcome, error) {
	var done outcome
	for _, item := range items {
		if item.action != nil {
			continue // see storeActions
		}
		if item.record != nil {
			again, err := l.again(tx, *item.record)
			switch {
			case err != nil:
				return done, err
			case again == remember.Forgotten:
				done.Forgotten++
				continue
			case again == remember.Revived:
				done.Revived++
				done.Records++
				continue
			}
		}
		fresh, count, err := l.storeOne(tx, item, &done.Report)
		switch {
		case err != nil:
			return done, err
		case fresh && count != nil:
			*count++
			done.Created++
			done.noteDamaged(item)
			searched := item.record != nil || item.turn != nil
			done.queued = done.queued || searched && item.vector == nil
		case count != nil:
			done.Duplicates++
		}
	}
	return done, nil
}

// noteDamaged reports an item that is stored as damaged because its line says so.
func (o *outcome) noteDamaged(item bundleItem) {
	switch {
	case item.record != nil:
		o.noteDamage("record", item.record.ID, item.record.Damaged)
	case item.turn != nil:
		o.noteDamage("turn", item.turn.ID, item.turn.Damaged)
	}
}

// again decides about a record that was forgotten or erased in this bank after it was made. It is
// recognised by its id or, under another id, by its content. The result is remember.Forgotten to
// leave it out, remember.Revived if it was brought back because of Options.Revive, and "" to go on.
func (l *bundleLoader) again(tx memory.Tx, r memory.Record) (remember.Action, error) {
	if !r.ArchivedAt.IsZero() {
		l.archived.add(r.ID)
	}
	there, err := tx.Record(r.ID)
	switch {
	case err == nil:
		return l.revived(tx, r, there)
	case memory.CodeOf(err) != memory.CodeNotFound:
		return "", err
	case l.revive:
		return "", nil
	}
	at, err := tx.Erased(r.Project, r.Kind, r.Content)
	if err != nil || !at.IsZero() && !r.CreatedAt.After(at) {
		return remember.Forgotten, err
	}
	if !r.Live() {
		return "", nil
	}
	same, err := tx.ArchivedByContent(r.Project, r.Kind, r.Content)
	if err != nil || same == nil || l.archived.has(same.ID) || r.CreatedAt.After(same.ArchivedAt) {
		return "", err
	}
	live, err := tx.RecordByContent(r.Project, r.Kind, r.Content)
	if err != nil || live != nil {
		return "", err
	}
	return remember.Forgotten, nil
}

// revived is again for a record whose id the bank has. there is the bank's record.
func (l *bundleLoader) revived(tx memory.Tx, r, there memory.Record) (remember.Action, error) {
	if there.ArchivedAt.IsZero() || !r.ArchivedAt.IsZero() {
		return "", nil
	}
	live, err := tx.RecordByContent(there.Project, there.Kind, there.Content)
	switch {
	case err != nil || live != nil:
		return "", err
	case !l.revive:
		return remember.Forgotten, nil
	}
	there.ArchivedAt, there.ArchiveWhy = time.Time{}, ""
	return remember.Revived, tx.UpdateRecord(there)
}

// storeOne stores an item if the bank does not have it. count is the counter of its type in r, nil
// for an alias.
func (l *bundleLoader) storeOne(tx memory.Tx, item bundleItem, r *Report) (fresh bool, count *int, err error) {
	switch {
	case item.record != nil:
		fresh, err = l.storeRecord(tx, item)
		return fresh, &r.Records, err
	case item.turn != nil:
		fresh, err = l.storeTurn(tx, item)
		return fresh, &r.Turns, err
	case item.todo != nil:
		fresh, err = storeTodo(tx, *item.todo)
		return fresh, &r.Todos, err
	case item.event != nil:
		fresh, err = storeEvent(tx, *item.event)
		return fresh, &r.Events, err
	}
	return false, nil, storeAlias(tx, *item.alias)
}

// storeRecord stores a record unless the bank has its id, or has its external id for a record that
// is not from this bundle.
func (l *bundleLoader) storeRecord(tx memory.Tx, item bundleItem) (bool, error) {
	r := *item.record
	if r.ExternalID != "" {
		named, err := tx.RecordByExternalID(r.ExternalID)
		if err != nil || named != nil && named.ID != r.ID && !l.named.has(named.ID) {
			return false, err
		}
		l.named.add(r.ID)
	}
	_, err := tx.Record(r.ID)
	if err == nil || memory.CodeOf(err) != memory.CodeNotFound {
		return false, err
	}
	if err := tx.InsertRecord(r, item.vector); err != nil {
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
func (l *bundleLoader) storeTurn(tx memory.Tx, item bundleItem) (bool, error) {
	if l.stored.has(item.turn.ID) {
		return false, nil
	}
	var vectors [][]float32
	if item.vector != nil {
		vectors = [][]float32{item.vector}
	}
	n, err := tx.InsertTurns([]memory.Turn{*item.turn}, vectors)
	return n > 0, err
}
