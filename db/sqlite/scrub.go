package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// scrubKey is the key in bank_state under which a bank counts erasures since the file was scrubbed.
const scrubKey = memory.StateScrub

// EraseTraces implements [memory.Tx].
func (t *tx) EraseTraces(contents []string) error {
	if err := t.tx.wipe(t.ctx); err != nil {
		return err
	}
	err := t.Exec(`DELETE FROM idempotency_keys WHERE agent = ?1 AND EXISTS (
		SELECT 1 FROM json_tree(result) r WHERE r.atom IN (SELECT value FROM json_each(?2)))`, t.agent, rows.List(contents))
	if err == nil {
		err = t.Exec(`DELETE FROM told WHERE agent = ?1 AND EXISTS (SELECT 1 FROM json_each(?2) c WHERE instr(told.query, c.value) > 0)`,
			t.agent, rows.List(contents))
	}
	if err == nil && len(contents) > 0 {
		err = t.Exec(`DELETE FROM actions WHERE agent = ?1 AND EXISTS (SELECT 1 FROM json_each(?2) c WHERE instr(`+rows.ActionTexts+
			`, c.value) > 0)`, t.agent, rows.List(contents))
	}
	if err != nil {
		return err
	}
	return t.Exec(`INSERT INTO bank_state (agent, key, value) VALUES (?, ?, '1')
		ON CONFLICT DO UPDATE SET value = value + 1`, t.agent, scrubKey)
}

// Scrub implements [memory.Scrubber].
//
// A deleted row leaves its bytes in free pages, and copies of them in the gaps of pages that it was
// in before, and FTS5 keeps the terms of a deleted document until their segment is merged. PRAGMA
// secure_delete, which an erasure switches on, overwrites the row itself. The rest is done in small
// steps, so that other writes wait for one step at most: the text indexes are merged, the gaps of
// every page and all free pages are cleared, the file is cut by most of its free pages, and the log,
// which has old versions of pages, is truncated. Where SQLite has no access to pages (no
// sqlite_dbpage), VACUUM does all of it at once.
func (s *Store) Scrub(ctx context.Context) error {
	if s.stepwise(ctx) {
		err := s.scrubSteps(ctx)
		if err != nil {
			select { // wakes scrubAll, which goes on with it
			case s.care.wake <- struct{}{}:
			default:
			}
		}
		return err
	}
	return explain(s.writer.withoutTransaction(ctx, func(w *writer) error {
		pending, err := queryAll(ctx, w, scanPendingScrub, `SELECT agent, value FROM bank_state WHERE key = ?`, scrubKey)
		if err != nil || len(pending) == 0 {
			return err
		}
		if err := errors.Join(s.vacuum(ctx), dropCopies(s.path)); err != nil {
			return err
		}
		for _, p := range pending { // the count differs if another process has erased more meanwhile
			if err := w.exec(ctx, `DELETE FROM bank_state WHERE agent = ? AND key = ? AND value = ?`, p.agent, scrubKey,
				p.value); err != nil {
				return err
			}
		}
		return nil
	}))
}

// pendingScrub is a row of bank_state that says that the file is to be scrubbed because of a bank.
type pendingScrub struct{ agent, value string }

func scanPendingScrub(row rows.Row) (p pendingScrub, err error) {
	err = row.Scan(&p.agent, &p.value)
	return p, err
}

// vacuum merges the text indexes, rewrites the file by VACUUM and truncates the log. It uses a
// connection of its own, because VACUUM fails on one with an unfinished statement, and extensions
// may keep such statements.
func (s *Store) vacuum(ctx context.Context) (err error) {
	db, err := OpenDriver(s.dsn)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	steps := []string{`VACUUM`}
	for _, index := range textIndexes {
		steps = append(steps, fmt.Sprintf(`INSERT INTO %[1]s (%[1]s) VALUES ('optimize')`, index))
	}
	slices.Reverse(steps)
	for _, step := range steps {
		if _, err := db.ExecContext(context.WithoutCancel(ctx), step); err != nil {
			return err
		}
	}
	return emptyLog(ctx, db)
}

// emptyLog moves the whole write-ahead log into the file and truncates it; [memory.CodeUnavailable]
// if others use it for longer than the busy timeout.
func emptyLog(ctx context.Context, db queryer) error {
	var busy, pages, moved int
	if err := db.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &moved); err != nil {
		return err
	}
	if busy != 0 {
		return memory.Errorf(memory.CodeUnavailable, "the write-ahead log is in use").WithHint("another process reads the database")
	}
	return nil
}
