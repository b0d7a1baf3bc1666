package sqlite

import (
	"context"
	"database/sql"

	"mcp-memory/db/rows"
)

// queryer is what the writer and the reading pool have in common for reading.
//
// A query with exactly one row, such as a count, goes through QueryRowContext.
// Every other one goes through the functions below: queryAll for a list,
// queryOne for a row that may be missing, queryEach for anything else. How a
// row is read is a function of its own, in which each column scans itself into
// its field, see columns.go.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// queryEach runs a query and calls fn for each row. A query can fail between
// two rows: then this error is returned after some calls.
func queryEach(ctx context.Context, q queryer, fn func(rows.Row) error, query string, args ...any) error {
	err := eachRow(ctx, q, fn, query, args...)
	if p, reads := q.(*pool); reads && err != nil {
		return p.blame(err)
	}
	return err
}

func eachRow(ctx context.Context, q queryer, fn func(rows.Row) error, query string, args ...any) error {
	found, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer found.Close()
	for found.Next() {
		if err := fn(found); err != nil {
			return err
		}
	}
	return found.Err()
}

// queryAll runs a query and reads every row with scan.
func queryAll[T any](ctx context.Context, q queryer, scan func(rows.Row) (T, error), query string, args ...any) ([]T, error) {
	return queryInto(ctx, q, nil, scan, query, args...)
}

// queryInto is queryAll that appends to all, for callers that know how many
// rows there are at most.
func queryInto[T any](ctx context.Context, q queryer, all []T, scan func(rows.Row) (T, error), query string, args ...any) ([]T, error) {
	err := queryEach(ctx, q, func(row rows.Row) error {
		one, err := scan(row)
		if err == nil {
			all = append(all, one)
		}
		return senseless(err)
	}, query, args...)
	if err != nil {
		return nil, err
	}
	return all, nil
}

// queryOne runs a query for a row that may be missing: then it returns nil.
func queryOne[T any](ctx context.Context, q queryer, scan func(rows.Row) (T, error), query string, args ...any) (*T, error) {
	all, err := queryAll(ctx, q, scan, query, args...)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return &all[0], nil
}

// eachPage reads rows page by page (of pageSize) and calls fn for each; fn returns the row's key,
// behind which the next page begins. No query is open while fn runs.
func eachPage[K, T any](after K, page func(after K) ([]T, error), fn func(T) (K, error)) error {
	for {
		list, err := page(after)
		if err != nil {
			return explain(err)
		}
		for _, row := range list {
			if after, err = fn(row); err != nil {
				return err
			}
		}
		if len(list) < pageSize {
			return nil
		}
	}
}
