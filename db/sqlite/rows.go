package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"mcp-memory/memory"
)

// queryAll runs a query and reads every row with scan.
func queryAll[T any](ctx context.Context, q queryer, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	return queryInto(ctx, q, nil, scan, query, args...)
}

// queryInto is queryAll that appends to all, for callers that know how many
// rows there are at most.
func queryInto[T any](ctx context.Context, q queryer, all []T, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

func scanInt64(rows *sql.Rows) (n int64, err error) {
	err = rows.Scan(&n)
	return n, err
}

func scanHit(rows *sql.Rows) (h memory.Hit, err error) {
	err = rows.Scan(&h.Seq, &h.Score)
	return h, err
}

// micros is how a time is stored; the zero time is NULL.
func micros(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMicro()
}

// timeOf reverses micros.
func timeOf(n sql.NullInt64) time.Time {
	if !n.Valid {
		return time.Time{}
	}
	return time.UnixMicro(n.Int64).UTC()
}

// scanFunc is a place to scan a column to, see [sql.Scanner].
type scanFunc func(column any) error

// Scan implements [sql.Scanner].
func (f scanFunc) Scan(column any) error { return f(column) }

// fromMicros scans what micros wrote.
func fromMicros(t *time.Time) scanFunc {
	return func(column any) error {
		var n sql.NullInt64
		err := n.Scan(column)
		*t = timeOf(n)
		return err
	}
}

// fromJSON scans a JSON array; an empty one is nil.
func fromJSON[T any](list *[]T) scanFunc {
	return func(column any) error {
		var s sql.NullString
		if err := s.Scan(column); err != nil || s.String == "[]" {
			return err
		}
		return json.Unmarshal([]byte(s.String), list)
	}
}

// text is NULL for an empty string.
func text[T ~string | ~[]byte](s T) any {
	if len(s) == 0 {
		return nil
	}
	return string(s)
}

func jsonList(list []string) string {
	if len(list) == 0 {
		return "[]"
	}
	b, err := json.Marshal(list)
	if err != nil {
		panic(err) // strings can always be marshalled
	}
	return string(b)
}

func listOf(s string) (list []string, err error) {
	if s == "[]" {
		return nil, nil
	}
	return list, json.Unmarshal([]byte(s), &list)
}

// baseTable is where a corpus keeps its documents.
func baseTable(c memory.Corpus) string {
	if c == memory.Conversations {
		return "turns"
	}
	return "records"
}
