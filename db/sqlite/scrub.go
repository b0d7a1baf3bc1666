package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"mcp-memory/memory"
)

// scrubKey is the state of a bank that something was erased from: how often
// since the file was scrubbed.
const scrubKey = "scrub"

// EraseTraces implements [memory.Tx].
func (t *tx) EraseTraces(contents []string) error {
	err := t.exec(`DELETE FROM idempotency_keys WHERE agent = ?1 AND EXISTS (
		SELECT 1 FROM json_tree(result) r WHERE r.atom IN (SELECT value FROM json_each(?2)))`, t.agent, jsonList(contents))
	if err != nil {
		return err
	}
	return t.exec(`INSERT INTO bank_state (agent, key, value) VALUES (?, ?, '1')
		ON CONFLICT DO UPDATE SET value = value + 1`, t.agent, scrubKey)
}

// Scrub implements [memory.Scrubber].
//
// A row that is deleted leaves its bytes in free pages, and copies of them in
// the gaps of pages that it once was in. PRAGMA secure_delete wipes the first
// but not all of the second, and FTS5 keeps the terms of a deleted document
// until its segment is merged. So the indexes are merged, VACUUM copies what
// lives into new pages, and the log, which has the old ones, is cut to nothing.
func (s *Store) Scrub(ctx context.Context) error {
	return explain(s.writer.alone(ctx, func(w *writer) error {
		owed, err := queryAll(ctx, w, scanDebt, `SELECT agent, value FROM bank_state WHERE key = ?`, scrubKey)
		if err != nil || len(owed) == 0 {
			return err
		}
		if err := s.rewrite(ctx); err != nil {
			return err
		}
		for _, d := range owed { // unless more was erased meanwhile, by another process
			if err := w.exec(ctx, `DELETE FROM bank_state WHERE agent = ? AND key = ? AND value = ?`, d.agent, scrubKey, d.value); err != nil {
				return err
			}
		}
		return nil
	}))
}

// debt says that the file is to be scrubbed for a bank.
type debt struct{ agent, value string }

func scanDebt(rows *sql.Rows) (d debt, err error) {
	err = rows.Scan(&d.agent, &d.value)
	return d, err
}

// rewrite makes the file anew, and empties the log. It does so on a connection
// of its own, because VACUUM refuses one on which a statement is unfinished,
// and extensions may keep such.
func (s *Store) rewrite(ctx context.Context) (err error) {
	db, err := openDriver(s.dsn)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	for _, step := range []string{
		`INSERT INTO memories_words (memories_words) VALUES ('optimize')`,
		`INSERT INTO memories_parts (memories_parts) VALUES ('optimize')`,
		`VACUUM`,
	} {
		if _, err := db.ExecContext(context.WithoutCancel(ctx), step); err != nil {
			return err
		}
	}
	var busy, pages, moved int
	if err := db.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &moved); err != nil {
		return err
	}
	if busy != 0 {
		return memory.Errorf(memory.CodeUnavailable, "the write-ahead log is in use").WithHint("another process reads the database")
	}
	return nil
}

// alone runs fn in the writer's turn but outside of a transaction.
func (w *writer) alone(ctx context.Context, fn func(*writer) error) error {
	select {
	case <-w.turn:
	case <-w.closed:
		return sql.ErrConnDone
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { w.turn <- struct{}{} }()
	return fn(w)
}
