package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// Query implements [rows.Source]: what waits goes first.
func (t *tx) Query(fn func(rows.Row) error, sql string, args ...any) error {
	t.ask(fn, sql, args...)
	return t.settle()
}

// Exec implements [rows.Statements]: it notes a statement. An error of it shows in what is asked next, or in the commit.
func (t *tx) Exec(sql string, args ...any) error {
	if t.failed != nil {
		return t.failed
	}
	t.dirty = true
	t.ask(nil, sql, args...)
	if t.waiting.Len() >= maxWaiting {
		return t.settle()
	}
	return nil
}

// maxWaiting bounds the statements that wait in memory.
const maxWaiting = 1000

// ask notes a statement whose rows, unless fn is nil, are read when it is sent: with the next
// question, by settle, or with the commit.
func (t *tx) ask(fn func(rows.Row) error, sql string, args ...any) {
	t.waiting.Queue(bind(sql), args...)
	t.readers = append(t.readers, fn)
}

// settle sends what waits, all on one way, and reads the answers.
func (t *tx) settle() error {
	if t.failed != nil {
		return t.failed
	}
	err := t.store.answering(t.ctx, t.until, func(ctx context.Context) error {
		_, err := t.send(ctx)
		return err
	})
	if err != nil {
		t.failed = err // PostgreSQL has ended the transaction with it
	}
	return err
}

// send is settle without a look at what went before. It returns what the last statement did.
func (t *tx) send(ctx context.Context) (last pgconn.CommandTag, err error) {
	results, readers := t.conn.SendBatch(ctx, t.waiting), t.readers
	t.waiting, t.readers = &pgx.Batch{}, nil
	for _, read := range readers {
		if last, err = answer(results, read); err != nil {
			break
		}
	}
	if closed := results.Close(); err == nil {
		err = closed
	}
	return last, err
}

// answer reads what the next statement of a batch has to say.
func answer(results pgx.BatchResults, fn func(rows.Row) error) (pgconn.CommandTag, error) {
	if fn == nil {
		return results.Exec()
	}
	found, err := results.Query()
	for err == nil && found.Next() {
		err = fn(found)
	}
	if found == nil {
		return pgconn.CommandTag{}, err
	}
	found.Close()
	if err == nil {
		err = found.Err()
	}
	return found.CommandTag(), err
}

// openBank locks the agent's bank, or makes it, and finds out on the same way what is there of
// what is expected.
func (t *tx) openBank(e memory.Expected) error {
	for range 2 {
		t.ask(func(row rows.Row) error { return row.Scan(&t.bank, &t.lastSeq) },
			`SELECT bank, last_seq FROM banks WHERE agent = ? FOR UPDATE`, t.agent)
		if err := t.Expect(e); err != nil || t.bank != 0 {
			return err
		}
		// Another may make it at the same time; then it is found the second time.
		t.ask(nil, `INSERT INTO banks (agent, bank, last_seq, created_at)
			SELECT ?1, n, n << ?2, ?3 FROM nextval('bank_numbers') n ON CONFLICT (agent) DO NOTHING`,
			t.agent, rows.BankShift, t.store.clock().UnixMicro())
	}
	return fmt.Errorf("the bank of %q is not there after it was made", t.agent)
}
