package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// tx is one writing transaction over one bank.
type tx struct {
	rows.PortableTx
	ctx       context.Context
	until     time.Time // see [Store.answering]
	store     *Store
	conn      *pgxpool.Conn
	waiting   *pgx.Batch             // statements that go with the next question, or with the commit
	readers   []func(rows.Row) error // of what waits, in its order; nil where no rows are read
	agent     string
	bank      int64
	lastSeq   int64
	dirty     bool
	erased    bool  // a document is gone, or not what it was
	queued    bool  // texts wait for a vector
	emptied   bool  // all of the bank is gone
	emptiedAt int64 // when that was elsewhere, for a bank that is carried; 0 is now
	failed    error // of a statement; such a transaction is never committed
	counts    rows.Counts
	groups    rows.GroupCounts
	pending   []*document // to be indexed at the end
	foreseen  rows.Foreseen
}

var (
	_ memory.Tx              = (*tx)(nil)
	_ memory.ExpectingWriter = (*Store)(nil)
)

// Write implements [memory.Writer].
func (s *Store) Write(ctx context.Context, agent string, fn func(memory.Tx) error) error {
	return s.WriteExpecting(ctx, agent, memory.Expected{}, fn)
}

// WriteExpecting implements [memory.ExpectingWriter].
func (s *Store) WriteExpecting(ctx context.Context, agent string, e memory.Expected, fn func(memory.Tx) error) error {
	if agent == "" {
		return memory.Errorf(memory.CodeInvalidArgument, "agent is empty")
	}
	grown := int64(0)
	err := s.transaction(ctx, agent, func(t *tx) error {
		if err := t.openBank(e); err != nil {
			return err
		}
		was := t.lastSeq
		if err := fn(t); err != nil {
			return err
		}
		grown = t.lastSeq - was
		return t.flush()
	})
	if err == nil && grown >= muchAtOnce {
		s.lookAtPlans(ctx)
	}
	return err
}

// transaction runs fn in a transaction of an agent and commits. It begins anew where
// the database was away before anything was asked of it, and where others were in
// the way: then nothing was written.
func (s *Store) transaction(ctx context.Context, agent string, fn func(*tx) error) error {
	return s.transactionOn(ctx, s.write, agent, fn)
}

// transactionOn is transaction on the connections of a pool.
func (s *Store) transactionOn(ctx context.Context, pool *pgxpool.Pool, agent string, fn func(*tx) error) error {
	began := time.Now()
	for attempt := 0; ; attempt++ {
		err := s.attempt(ctx, pool, agent, s.until(began, attempt), fn)
		var again *retryError
		if !errors.As(err, &again) || ctx.Err() != nil || time.Since(began) > s.patience {
			return explain(err)
		}
		if paused := pause(ctx, attempt); paused != nil {
			return explain(paused)
		}
	}
}

// retryError is of an attempt after which nothing was written and that may be repeated.
type retryError struct{ error }

// Unwrap returns what failed.
func (e *retryError) Unwrap() error { return e.error }

// pause waits a little longer after each attempt, up to a second, not at the same time as others.
func pause(ctx context.Context, attempt int) error {
	longest := min(10*time.Millisecond<<min(attempt, 7), time.Second)
	select {
	case <-time.After(longest/2 + rand.N(longest/2)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// whileAway runs a read, and again while the database is away and there is patience.
func (s *Store) whileAway(ctx context.Context, read func(until time.Time) error) error {
	began := time.Now()
	for attempt := 0; ; attempt++ {
		err := read(s.until(began, attempt))
		s.noteAway(err)
		if err == nil || !away(err) || ctx.Err() != nil || s.closed.Load() || time.Since(began) > s.patience {
			return explain(err)
		}
		if paused := pause(ctx, attempt); paused != nil {
			return explain(paused)
		}
	}
}

// until is when a further attempt of a call has to have its answer, zero for the first.
func (s *Store) until(began time.Time, attempt int) time.Time {
	if attempt == 0 {
		return time.Time{}
	}
	return began.Add(s.patience)
}

func (s *Store) attempt(ctx context.Context, pool *pgxpool.Pool, agent string, until time.Time, fn func(*tx) error) (err error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		s.noteAway(err)
		if away(err) && !s.closed.Load() {
			return &retryError{err}
		}
		return err
	}
	t := &tx{ctx: ctx, until: until, store: s, conn: conn, waiting: &pgx.Batch{}, agent: agent}
	t.PortableTx = rows.NewPortableTx(agent, s.clock, t)
	done := false
	defer func() { // also when fn panics, or ends the goroutine
		if !done {
			t.rollback()
		}
		conn.Release()
	}()
	t.ask(nil, `BEGIN`)
	t.ask(nil, s.plannedToWrite(nameWriter), agent, max(s.patience, time.Second).Milliseconds())
	err = fn(t)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		done = true // or nobody knows
		if err = t.commit(); t.queued {
			s.noteQueued(agent)
		}
		s.noteAway(err)
	} else {
		s.noteAway(err)
		if away(err) && !s.closed.Load() {
			return &retryError{err}
		}
	}
	switch sqlState(err) {
	case codeSerialization, codeDeadlock:
		return &retryError{err}
	case codeReadOnly: // what was the primary is a standby now: another connection may find the new one
		conn.Conn().Close(context.WithoutCancel(ctx))
		return &retryError{err}
	}
	return err
}

// commit sends what waits, and COMMIT behind it. Once begun it is not cut short by the
// caller, since it may have happened all the same; a database that does not answer has
// as long as one that is away.
func (t *tx) commit() error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), max(t.store.patience, connectTimeout))
	defer cancel()
	wire := t.conn.Conn().PgConn()
	forgetWarning(wire)
	t.ask(nil, `COMMIT`)
	last, err := t.send(ctx)
	switch {
	case err != nil && sqlState(err) != "" && !away(err) && ctx.Err() == nil:
		t.rollback()
		return err
	case err != nil:
		return unknownOutcome(err)
	case warning(wire) != "":
		return unknownOutcome(errors.New(warning(wire)))
	case last.String() != "COMMIT":
		return fmt.Errorf("the transaction ended with %s", last)
	}
	return nil
}

// unknownOutcome is the error of a commit that nobody answered.
func unknownOutcome(err error) error {
	return memory.Errorf(memory.CodeUnavailable, "the database went away while it was writing").
		WithHint("it may have been written: look, or repeat the call with the same idempotency key").WithCause(err)
}

// rollback ends the transaction; a connection on which that fails is closed by the pool.
func (t *tx) rollback() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), connectTimeout)
	defer cancel()
	if _, err := t.conn.Exec(ctx, `ROLLBACK`); err != nil {
		t.conn.Conn().Close(ctx)
	}
}

// flush notes what was collected until the end: indexes, statistics and how far the
// bank has got.
func (t *tx) flush() error {
	if t.failed != nil {
		return t.failed
	}
	if err := t.writePending(); err != nil {
		return err
	}
	if err := t.writeCounts(); err != nil || !t.dirty {
		return err
	}
	rewrites := 0
	if t.erased {
		rewrites = 1
	}
	var erasedAt any // any write but an erasure begins the bank anew
	if t.emptied {
		erasedAt = cmp.Or(t.emptiedAt, t.store.clock().UnixMicro())
	}
	return t.Exec(`UPDATE banks SET last_seq = ?, changes = changes + 1, rewrites = rewrites + ?, erased_at = ? WHERE agent = ?`,
		t.lastSeq, rewrites, erasedAt, t.agent)
}

func (t *tx) nextSeq() int64 {
	t.lastSeq++
	return t.lastSeq
}
