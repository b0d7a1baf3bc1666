package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"sync"
)

// pool is the process's pool of reading connections. Statements stay prepared for when the same
// query comes again, as preparing one costs as much as running it.
type pool struct {
	db     *sql.DB
	called func() // is called at every query
	files  *filesInUse

	mu         sync.RWMutex
	statements map[string]*sql.Stmt
}

// maxPrepared bounds how many statements stay prepared, as filters make many variants of a query.
const maxPrepared = 200

func openPool(dsn string, called func()) (*pool, error) {
	db, err := OpenDriver(dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(readers)
	db.SetMaxIdleConns(readers)
	return &pool{db: db, called: called, statements: map[string]*sql.Stmt{}}, nil
}

// prepared returns the prepared statement of a query, or nil if maxPrepared others are kept already.
func (p *pool) prepared(ctx context.Context, query string) (*sql.Stmt, error) {
	p.mu.RLock()
	stmt, full := p.statements[query], len(p.statements) >= maxPrepared
	p.mu.RUnlock()
	if stmt != nil || full {
		return stmt, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if stmt := p.statements[query]; stmt != nil {
		return stmt, nil
	}
	stmt, err := p.db.PrepareContext(ctx, query)
	if err == nil {
		p.statements[query] = stmt
	}
	return stmt, err
}

// QueryContext runs a query.
func (p *pool) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	p.called()
	stmt, err := p.prepared(ctx, query)
	if err != nil || stmt == nil {
		return p.db.QueryContext(ctx, query, args...)
	}
	return stmt.QueryContext(ctx, args...)
}

// QueryRowContext runs a query of one row.
func (p *pool) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	p.called()
	stmt, err := p.prepared(ctx, query)
	if err != nil || stmt == nil {
		return p.db.QueryRowContext(ctx, query, args...)
	}
	return stmt.QueryRowContext(ctx, args...)
}

// blame returns the reason why a query has failed with err. If the file was deleted or replaced it
// is that: SQLite then reports anything, from an I/O error to a missing table.
func (p *pool) blame(err error) error {
	return cmp.Or(p.files.check(), err)
}

func (p *pool) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var errs []error
	for _, stmt := range p.statements {
		errs = append(errs, stmt.Close())
	}
	return errors.Join(append(errs, p.db.Close())...)
}
