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
	lock       chan struct{} // a mutex for which waiting can be cancelled: who has its one token may use conn
	closed     chan struct{} // closed by close
	queue      commitQueue
	patience   time.Duration // how long to wait for other processes that write: the busy timeout
	logged     int           // wal_autocheckpoint: at how many pages of the log a commit makes a checkpoint
	statements map[string]*sql.Stmt
	files      *filesInUse // nil until the schema is up to date
	called     func()      // is called at every write; may be nil
	wiping     bool        // deleted rows are overwritten, until the end of the transaction; see wipe
	unmerged   bool        // text indexes are not merged, until the end of the write; see wipe
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

// do runs fn in a transaction that takes the write lock at its start (BEGIN IMMEDIATE), so that
// nothing changes between what fn reads and what it writes. An error of fn rolls back what fn did.
// Writes that wait meanwhile may run in the same transaction, see [commitQueue]; fn itself may run
// on another goroutine.
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
		return own.wait() // the goroutine that had the lock before has run it in its batch
	}
	return w.transaction(ctx, fn)
}

// transaction runs fn and then the writes that wait by then, and commits all of them.
func (w *writer) transaction(ctx context.Context, fn func(*writer) error) (err error) {
	err = sql.ErrTxDone // what the batch gets if one of its writes ends the goroutine
	var batch []*write
	committed := false
	defer w.stopWiping()
	defer func() { // also when fn panics, or BEGIN was cancelled after it had worked
		if !committed {
			if failed := w.rollback(ctx); failed != nil {
				err = errors.Join(err, failed)
			}
			// If the file was deleted or replaced, that is the reason, whatever SQLite reports.
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
	return w.files.check() // a commit to a file that was deleted meanwhile is lost when the process ends
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

// begin begins a transaction with the write lock, for which it waits at most the busy timeout.
// Unlike later statements, this wait ends when the context does. It does not use SQLite's own busy
// handler, which tries at growing intervals of up to 100 ms and so may miss the lock again and again
// while another process writes often.
func (w *writer) begin(ctx context.Context) error {
	if err := w.exec(ctx, "PRAGMA busy_timeout = 0"); err != nil {
		return err
	}
	err := w.lockFile(ctx)
	restored := w.exec(context.WithoutCancel(ctx), fmt.Sprintf("PRAGMA busy_timeout = %d", w.patience.Milliseconds()))
	return cmp.Or(err, restored)
}

// How often lockFile tries to get a lock that another process has: every lookSoon until soon has
// passed, as most hold it for some milliseconds only, then every lookLater.
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

// exec runs a statement unless the context has ended before. Once begun, the statement is not
// cancelled: an interrupted one would make SQLite roll back the transaction, and a COMMIT may have
// succeeded all the same. A context that cannot be cancelled also saves a goroutine for each
// statement.
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

// QueryContext runs a query inside the transaction, which is not cancelled either; see exec.
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

// withoutTransaction runs fn with the writer's lock, but outside of a transaction.
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

// close waits for the write in progress, and lets those that wait for the lock fail; the lock is
// never given back.
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
