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
	w := &writer{db: db, conn: conn, turn: make(chan struct{}, 1), statements: map[string]*sql.Stmt{}}
	w.turn <- struct{}{}
	return w, nil
}

// do runs fn in one transaction that starts with the write lock, so that what
// fn reads is what it changes. An error of fn rolls back.
func (w *writer) do(ctx context.Context, fn func(*writer) error) (err error) {
	select {
	case <-w.turn:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { w.turn <- struct{}{} }()
	if err := w.exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	committed := false
	defer func() { // also when fn panics
		if !committed {
			err = errors.Join(err, w.rollback(ctx))
		}
	}()
	if err := fn(w); err != nil {
		return err
	}
	if err := w.exec(ctx, "COMMIT"); err != nil {
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

func (w *writer) exec(ctx context.Context, query string, args ...any) error {
	stmt, err := w.prepared(ctx, query)
	if err != nil {
		return err
	}
	_, err = stmt.ExecContext(ctx, args...)
	return err
}

func (w *writer) prepared(ctx context.Context, query string) (*sql.Stmt, error) {
	if stmt, ok := w.statements[query]; ok {
		return stmt, nil
	}
	stmt, err := w.conn.PrepareContext(ctx, query)
	if err == nil {
		w.statements[query] = stmt
	}
	return stmt, err
}

// QueryContext reads inside the transaction.
func (w *writer) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := w.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

// QueryRowContext reads one row inside the transaction.
func (w *writer) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	stmt, err := w.prepared(ctx, query)
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

func (w *writer) close() error {
	<-w.turn // never given back: later writes wait for their context
	for _, stmt := range w.statements {
		stmt.Close()
	}
	return errors.Join(w.conn.Close(), w.db.Close())
}
