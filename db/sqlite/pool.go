package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"sync"
)

// pool is the process's reading connections. The statements of queries that
// come again stay prepared: preparing one costs as much as running it.
type pool struct {
	db     *sql.DB
	called func() // is told of every query
	files  *filesInUse

	mu         sync.RWMutex
	statements map[string]*sql.Stmt
}

// maxPrepared bounds the statements: filters make many forms of a query.
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

// prepared returns the query's statement, or nil where there is no more room.
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

// blame returns why a query has failed: a file that was deleted or replaced makes SQLite
// say anything, from a disk's error to a table that is not there.
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
