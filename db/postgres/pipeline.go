package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// Query implements [rows.Source]. It sends the waiting statements before its own, in the same round
// trip.
func (t *tx) Query(fn func(rows.Row) error, sql string, args ...any) error {
	t.ask(fn, sql, args...)
	return t.settle()
}

// Exec implements [rows.Statements]. It only queues the statement, and sends the queue once it has
// maxWaiting. An error of the statement is returned by a later Exec or query, or by the commit.
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

// maxWaiting is how many statements may be queued before Exec sends them.
const maxWaiting = 1000

// ask queues a statement, which the next settle or commit sends. Its rows are then read by fn,
// unless that is nil.
func (t *tx) ask(fn func(rows.Row) error, sql string, args ...any) {
	t.waiting.Queue(bind(sql), args...)
	t.readers = append(t.readers, fn)
}

// settle sends the queued statements in one round trip and reads their results. Once it has failed,
// every further call returns the same error.
func (t *tx) settle() error {
	if t.failed != nil {
		return t.failed
	}
	err := t.store.answering(t.ctx, t.until, func(ctx context.Context) error {
		_, err := t.send(ctx)
		return err
	})
	if err != nil {
		t.failed = err // PostgreSQL has aborted the transaction
	}
	return err
}

// send is settle without regard to t.failed, and without a time limit of its own. It returns the
// command tag of the last statement.
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

// answer reads the result of the next statement of a batch, and passes its rows to fn, unless that
// is nil.
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

// openBank locks the row of the agent's bank, which it creates if there is none. The same round
// trip looks up what e expects.
func (t *tx) openBank(e memory.Expected) error {
	for range 2 {
		t.ask(func(row rows.Row) error { return row.Scan(&t.bank, &t.lastSeq) },
			`SELECT bank, last_seq FROM banks WHERE agent = ? FOR UPDATE`, t.agent)
		if err := t.Expect(e); err != nil || t.bank != 0 {
			return err
		}
		// If another server creates it at the same time, the second SELECT finds it.
		t.ask(nil, `INSERT INTO banks (agent, bank, last_seq, created_at)
			SELECT ?1, n, n << ?2, ?3 FROM nextval('bank_numbers') n ON CONFLICT (agent) DO NOTHING`,
			t.agent, rows.BankShift, t.store.clock().UnixMicro())
	}
	return fmt.Errorf("the bank of %q is not there after it was made", t.agent)
}
