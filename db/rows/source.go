package rows

import "encoding/json"

// Source answers queries on behalf of one agent: a transaction, or a store
// outside of one.
type Source interface {
	// Query calls fn for each row of the result. In the SQL of every backend a
	// question mark stands for the next argument, and ?2 for the second.
	Query(fn func(Row) error, sql string, args ...any) error
}

// All runs a query and reads every row with scan.
func All[T any](src Source, scan func(Row) (T, error), sql string, args ...any) ([]T, error) {
	var list []T
	err := src.Query(func(row Row) error {
		one, err := scan(row)
		if err == nil {
			list = append(list, one)
		}
		return err
	}, sql, args...)
	if err != nil {
		return nil, err
	}
	return list, nil
}

// One runs a query for a row that may be missing: then it returns nil.
func One[T any](src Source, scan func(Row) (T, error), sql string, args ...any) (*T, error) {
	list, err := All(src, scan, sql, args...)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// Into reads the columns of one row into dest, which stays as it is where there is none.
func Into(src Source, dest []any, sql string, args ...any) error {
	return src.Query(func(row Row) error { return row.Scan(dest...) }, sql, args...)
}

// OrError returns the row of [One], and missing if there is none.
func OrError[T any](row *T, err, missing error) (found T, _ error) {
	switch {
	case err != nil:
		return found, err
	case row == nil:
		return found, missing
	}
	return *row, nil
}

// OrNil returns the JSON of [One], or nil if there is none.
func OrNil(row *json.RawMessage) json.RawMessage {
	if row == nil {
		return nil
	}
	return *row
}
