package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"mcp-memory/memory"
)

// writer is the process's one writing connection. Its statements stay prepared
// for the life of the process, because preparing costs more than most of them
// take; database/sql would prepare them anew for every transaction.
type writer struct {
	db         *sql.DB
	conn       *sql.Conn
	lock       chan struct{} // a mutex that a context can stop waiting for: who has its one token may use the connection
	closed     chan struct{}
	queue      commitQueue
	patience   time.Duration // with other processes that write
	logged     int           // pages of the log from which on a commit moves it
	statements map[string]*sql.Stmt
	files      *filesInUse // nil until the schema is up to date
	called     func()      // is told of every write; may be nil
	wiping     bool        // what is deleted is overwritten, until the end of the transaction
	unmerged   bool        // text indexes are not merged, until the end of the write
}

func openWriter(ctx context.Context, dsn string) (*writer, error) {
	db, err := OpenDriver(dsn)
	if err != nil {
		return nil, err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		db.Close()
		return nil, err
	}
	var timeout int64
	var logged int
	err = cmp.Or(conn.QueryRowContext(ctx, "PRAGMA busy_timeout").Scan(&timeout), conn.QueryRowContext(ctx, "PRAGMA wal_autocheckpoint").
		Scan(&logged))
	if err != nil {
		return nil, errors.Join(err, conn.Close(), db.Close())
	}
	w := &writer{patience: time.Duration(timeout) * time.Millisecond, logged: logged, db: db, conn: conn, lock: make(chan struct{}, 1),
		closed: make(chan struct{}), statements: map[string]*sql.Stmt{}}
	w.lock <- struct{}{}
	return w, nil
}

// do runs fn in a transaction that starts with the write lock, so that what fn
// reads is what it changes. An error of fn rolls back what fn did. Writes that
// wait meanwhile are done in the same transaction, see [commitQueue].
func (w *writer) do(ctx context.Context, fn func(*writer) error) error {
	if w.called != nil {
		w.called()
	}
	own := w.queue.push(ctx, fn)
	select {
	case <-own.done:
		return own.wait()
	case <-w.lock:
	case <-w.closed:
		return w.queue.cancel(own, sql.ErrConnDone)
	case <-ctx.Done():
		return w.queue.cancel(own, ctx.Err())
	}
	defer func() { w.lock <- struct{}{} }()
	if !w.queue.remove(own) {
		return own.wait() // it was in the batch before
	}
	return w.transaction(ctx, fn)
}

// transaction runs fn, and what waits when fn has ended, and commits.
func (w *writer) transaction(ctx context.Context, fn func(*writer) error) (err error) {
	err = sql.ErrTxDone // the error of the batch should one of its writes end the goroutine
	var batch []*write
	committed := false
	defer w.stopWiping()
	defer func() { // also when fn panics, or BEGIN was cancelled after it had worked
		if !committed {
			if failed := w.rollback(ctx); failed != nil {
				err = errors.Join(err, failed)
			}
			// Whatever a file without a name has made SQLite say, this is why.
			if exchanged := w.files.check(); exchanged != nil {
				err = exchanged
			}
		}
		for _, one := range batch {
			one.finish(err)
		}
	}()
	if err := w.begin(ctx); err != nil {
		return err
	}
	if err := w.checkSchema(ctx); err != nil {
		return err
	}
	if err := fn(w); err != nil {
		return err
	}
	if err := w.mergeAgain(ctx); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := w.runBatch(&batch); err != nil {
		return err
	}
	if err := w.files.check(); err != nil {
		return err
	}
	if err := w.exec(context.WithoutCancel(ctx), "COMMIT"); err != nil {
		return err
	}
	committed = true
	return w.files.check() // what was committed to a file without a name is gone when the process ends
}

// checkSchema refuses to write to a database that a newer program has changed since
// this one opened it. It takes some microseconds.
func (w *writer) checkSchema(ctx context.Context) error {
	if w.files == nil {
		return nil // it is being opened
	}
	var version int
	if err := w.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version > SchemaVersion() {
		return memory.Errorf(memory.CodeUnavailable, "a newer program has brought the database to schema version %d", version).
			WithHint("nothing was written; restart this one after an update")
	}
	return nil
}

// rollback ends a transaction that failed. SQLite may have ended it already,
// on a full disk for example; then there is nothing left to do.
func (w *writer) rollback(ctx context.Context) error {
	err := w.exec(context.WithoutCancel(ctx), "ROLLBACK")
	if resultCode(err) == codeError {
		return nil
	}
	return err
}

// begin takes the write lock. Only this wait ends when the context does. SQLite would look for the
// lock after longer and longer pauses, of 100 ms in the end, and miss it time and again when another process
// writes often; here a save gets it soon after it is free.
func (w *writer) begin(ctx context.Context) error {
	if err := w.exec(ctx, "PRAGMA busy_timeout = 0"); err != nil {
		return err
	}
	err := w.lockFile(ctx)
	restored := w.exec(context.WithoutCancel(ctx), fmt.Sprintf("PRAGMA busy_timeout = %d", w.patience.Milliseconds()))
	return cmp.Or(err, restored)
}

// How often a lock is looked for that another process has: often at first, for most have it for some milliseconds only.
const (
	lookSoon  = time.Millisecond
	lookLater = 5 * time.Millisecond
	soon      = 100 * time.Millisecond
)

// lockFile begins a transaction once no other process writes, or fails after the busy timeout.
func (w *writer) lockFile(ctx context.Context) error {
	stmt, err := w.prepared("BEGIN IMMEDIATE")
	for begun := time.Now(); err == nil; {
		_, err = stmt.ExecContext(ctx)
		waited := time.Since(begun)
		if resultCode(err)&0xff != codeBusy || waited >= w.patience {
			break
		}
		rest := lookSoon
		if waited > soon {
			rest = lookLater
		}
		if pause(ctx, rest); ctx.Err() != nil {
			return ctx.Err()
		}
		err = nil
	}
	return err
}

// exec runs a statement unless the context has ended before. Once begun it is
// not cut short: SQLite would end the transaction with it, and a COMMIT may
// have happened all the same. It also saves a goroutine a statement.
func (w *writer) exec(ctx context.Context, query string, args ...any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	stmt, err := w.prepared(query)
	if err != nil {
		return err
	}
	_, err = stmt.ExecContext(context.WithoutCancel(ctx), args...)
	return err
}

func (w *writer) prepared(query string) (*sql.Stmt, error) {
	if stmt, ok := w.statements[query]; ok {
		return stmt, nil
	}
	stmt, err := w.conn.PrepareContext(context.Background(), query)
	if err == nil {
		w.statements[query] = stmt
	}
	return stmt, err
}

// QueryContext reads inside the transaction; as for exec, to the end.
func (w *writer) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := w.prepared(query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(context.WithoutCancel(ctx), args...)
}

// QueryRowContext reads one row inside the transaction.
func (w *writer) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	ctx = context.WithoutCancel(ctx)
	stmt, err := w.prepared(query)
	if err != nil {
		return w.conn.QueryRowContext(ctx, query, args...) // reports the same error
	}
	return stmt.QueryRowContext(ctx, args...)
}

// script runs several statements that are needed once.
func (w *writer) script(ctx context.Context, sql string) error {
	_, err := w.conn.ExecContext(ctx, sql)
	return err
}

// withoutTransaction runs fn with the lock, but outside of a transaction.
func (w *writer) withoutTransaction(ctx context.Context, fn func(*writer) error) error {
	select {
	case <-w.lock:
	case <-w.closed:
		return sql.ErrConnDone
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { w.lock <- struct{}{} }()
	if err := w.checkSchema(ctx); err != nil {
		return err
	}
	return fn(w)
}

// close waits for the write in progress and fails those that wait for the
// lock, which is never given back.
func (w *writer) close() error {
	select {
	case <-w.lock:
	case <-w.closed:
		return nil
	}
	close(w.closed)
	for _, stmt := range w.statements {
		stmt.Close()
	}
	return errors.Join(w.conn.Close(), w.db.Close())
}
