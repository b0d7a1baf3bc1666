package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// scrubKey is the state of a bank that something was erased from: how often
// since the file was scrubbed.
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
// A row that is deleted leaves its bytes in free pages, and copies of them in
// the gaps of pages that it once was in, and FTS5 keeps the terms of a deleted document
// until its segment is merged. PRAGMA secure_delete, which an erasure switches on, wipes
// the row itself. The rest is done step by step, so that nobody waits for more than one of them:
// the indexes are merged, every page is looked at and its gaps are cleared, the file is cut by most of its
// free pages, and the log, which has the old ones, is cut to nothing. Where SQLite does not show its pages, VACUUM does all of it at once.
func (s *Store) Scrub(ctx context.Context) error {
	if s.stepwise(ctx) {
		err := s.scrubSteps(ctx)
		if err != nil {
			select { // whoever tends the store goes on
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
		for _, p := range pending { // unless more was erased meanwhile, by another process
			if err := w.exec(ctx, `DELETE FROM bank_state WHERE agent = ? AND key = ? AND value = ?`, p.agent, scrubKey,
				p.value); err != nil {
				return err
			}
		}
		return nil
	}))
}

// pendingScrub says that the file is to be scrubbed for a bank.
type pendingScrub struct{ agent, value string }

func scanPendingScrub(row rows.Row) (p pendingScrub, err error) {
	err = row.Scan(&p.agent, &p.value)
	return p, err
}

// vacuum merges the indexes, writes the file anew and empties the log. It does
// so on a connection of its own, because VACUUM refuses one on which a
// statement is unfinished, and extensions may keep such.
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
