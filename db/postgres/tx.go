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
	waiting   *pgx.Batch             // queued statements; see ask
	readers   []func(rows.Row) error // one for each waiting statement; nil if its rows are not read
	agent     string
	bank      int64
	lastSeq   int64
	dirty     bool
	erased    bool  // a document was erased or is indexed differently now
	queued    bool  // texts were queued for a vector
	emptied   bool  // the bank was erased
	emptiedAt int64 // when, in microseconds since 1970, for a bank moved from elsewhere; 0 is now
	failed    error // the first error of a statement; the transaction is not committed then
	counts    rows.Counts
	groups    rows.GroupCounts
	pending   []*document // to be indexed by flush
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

// transaction runs fn in a transaction of an agent and commits. It repeats that, as long as
// s.patience lasts, if the database was away before the commit or is read-only, or after a conflict
// with other transactions: then nothing was written.
func (s *Store) transaction(ctx context.Context, agent string, fn func(*tx) error) error {
	return s.transactionOn(ctx, s.write, agent, fn)
}

// transactionOn is transaction with a connection of the given pool.
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

// retryError is the error of an attempt that has written nothing and may be repeated.
type retryError struct{ error }

// Unwrap returns what failed.
func (e *retryError) Unwrap() error { return e.error }

// pause waits before the next attempt: longer after each one, up to a second, and for a random
// time, so that several callers do not try at the same moment.
func pause(ctx context.Context, attempt int) error {
	longest := min(10*time.Millisecond<<min(attempt, 7), time.Second)
	select {
	case <-time.After(longest/2 + rand.N(longest/2)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// whileAway runs read, and repeats it while the database is away and s.patience lasts.
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

// until returns when an attempt has to end: s.patience after the call began, or the zero time for
// the first attempt, which answering gives a limit of its own.
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
		done = true // from here on commit rolls back, or the outcome is unknown
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

// commit sends the queued statements and COMMIT. It does not end with the caller's context, since
// the server may commit all the same; it waits for an answer for s.patience, but at least for
// connectTimeout.
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

// unknownOutcome returns the error of a commit of which it is not known whether it was done.
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

// flush writes what is collected until the end of the transaction: index entries, statistics, and
// the bank's last number and counters of changes.
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
	var erasedAt any // NULL unless the bank was erased: any other write brings an erased bank back
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
