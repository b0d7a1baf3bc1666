package sqlite

import (
	"context"
	"database/sql"
	"errors"
)

// writer is the process's one writing connection. Its statements stay prepared
// for the life of the process, because preparing costs more than most of them
// take; database/sql would prepare them anew for every transaction.
type writer struct {
	db         *sql.DB
	conn       *sql.Conn
	turn       chan struct{} // holds one token: who has it may use the connection
	closed     chan struct{}
	waiting    waiting
	statements map[string]*sql.Stmt
}

func openWriter(ctx context.Context, dsn string) (*writer, error) {
	db, err := openDriver(dsn)
	if err != nil {
		return nil, err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		db.Close()
		return nil, err
	}
	w := &writer{db: db, conn: conn, turn: make(chan struct{}, 1), closed: make(chan struct{}), statements: map[string]*sql.Stmt{}}
	w.turn <- struct{}{}
	return w, nil
}

// do runs fn in a transaction that starts with the write lock, so that what fn
// reads is what it changes. An error of fn takes back what fn did. Writes that
// wait meanwhile go along in the same transaction, see [waiting].
func (w *writer) do(ctx context.Context, fn func(*writer) error) error {
	own := w.waiting.join(ctx, fn)
	select {
	case <-own.over:
		return own.outcome()
	case <-w.turn:
	case <-w.closed:
		return w.waiting.leave(own, sql.ErrConnDone)
	case <-ctx.Done():
		return w.waiting.leave(own, ctx.Err())
	}
	defer func() { w.turn <- struct{}{} }()
	if !w.waiting.take(own) {
		return own.outcome() // it went along with the write before
	}
	return w.transaction(ctx, fn)
}

// transaction runs fn, and what waits when fn has ended, and commits.
func (w *writer) transaction(ctx context.Context, fn func(*writer) error) (err error) {
	err = sql.ErrTxDone // what is told to those taken along should one of them end the goroutine
	var along []*write
	committed := false
	defer func() { // also when fn panics, or BEGIN was cancelled after it had worked
		if !committed {
			if failed := w.rollback(ctx); failed != nil {
				err = errors.Join(err, failed)
			}
		}
		for _, one := range along {
			one.finish(err)
		}
	}()
	if err := w.begin(ctx); err != nil {
		return err
	}
	if err := fn(w); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := w.takeAlong(&along); err != nil {
		return err
	}
	if err := w.exec(context.WithoutCancel(ctx), "COMMIT"); err != nil {
		return err
	}
	committed = true
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

// begin takes the write lock. Only this wait ends when the context does.
func (w *writer) begin(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	stmt, err := w.prepared("BEGIN IMMEDIATE")
	if err != nil {
		return err
	}
	_, err = stmt.ExecContext(ctx)
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

// close waits for the write in progress and fails those that wait for their
// turn. The turn is never given back.
func (w *writer) close() error {
	select {
	case <-w.turn:
	case <-w.closed:
		return nil
	}
	close(w.closed)
	for _, stmt := range w.statements {
		stmt.Close()
	}
	return errors.Join(w.conn.Close(), w.db.Close())
}
