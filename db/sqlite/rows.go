package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"

	"mcp-memory/memory"
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
func queryEach(ctx context.Context, q queryer, fn func(*sql.Rows) error, query string, args ...any) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := fn(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// queryAll runs a query and reads every row with scan.
func queryAll[T any](ctx context.Context, q queryer, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	return queryInto(ctx, q, nil, scan, query, args...)
}

// queryInto is queryAll that appends to all, for callers that know how many
// rows there are at most.
func queryInto[T any](ctx context.Context, q queryer, all []T, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	err := queryEach(ctx, q, func(rows *sql.Rows) error {
		one, err := scan(rows)
		if err == nil {
			all = append(all, one)
		}
		return err
	}, query, args...)
	if err != nil {
		return nil, err
	}
	return all, nil
}

// queryOne runs a query for a row that may be missing: then it returns nil.
func queryOne[T any](ctx context.Context, q queryer, scan func(*sql.Rows) (T, error), query string, args ...any) (*T, error) {
	all, err := queryAll(ctx, q, scan, query, args...)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return &all[0], nil
}

// orError returns the row of queryOne, and missing if there is none.
func orError[T any](row *T, err, missing error) (found T, _ error) {
	switch {
	case err != nil:
		return found, err
	case row == nil:
		return found, missing
	}
	return *row, nil
}

// orNil returns the JSON of queryOne, or nil if there is none.
func orNil(row *json.RawMessage) json.RawMessage {
	if row == nil {
		return nil
	}
	return *row
}

// eachPage reads page by page and calls fn, which returns where it stands, for
// each row. No query is open while fn works.
func eachPage[K, T any](after K, page func(after K) ([]T, error), fn func(T) (K, error)) error {
	for {
		rows, err := page(after)
		if err != nil {
			return explain(err)
		}
		for _, row := range rows {
			if after, err = fn(row); err != nil {
				return err
			}
		}
		if len(rows) < pageSize {
			return nil
		}
	}
}

func scanText(rows *sql.Rows) (s string, err error) {
	err = rows.Scan(&s)
	return s, err
}

func scanJSON(rows *sql.Rows) (j json.RawMessage, err error) {
	err = rows.Scan(fromText(&j))
	return j, err
}

func scanInt64(rows *sql.Rows) (n int64, err error) {
	err = rows.Scan(&n)
	return n, err
}

func scanHit(rows *sql.Rows) (h memory.Hit, err error) {
	err = rows.Scan(&h.Seq, &h.Score)
	return h, err
}

// baseTable is where a corpus keeps its documents.
func baseTable(c memory.Corpus) string {
	if c == memory.Memories {
		return "records"
	}
	return "turns"
}
