package sqlite

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"mcp-memory/memory"
)

// How values are stored, in pairs: a function that gives a column's value, and
// one that returns where to scan it to.

// micros is how a time is stored; the zero time is NULL.
func micros(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMicro()
}

// fromMicros scans what micros gave.
func fromMicros(t *time.Time) sql.Scanner { return (*storedTime)(t) }

type storedTime time.Time

// The first and last moment that every form of a time can tell: a year has four digits.
var (
	firstMoment = time.Date(1, 1, 2, 0, 0, 0, 0, time.UTC).UnixMicro()
	lastMoment  = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC).UnixMicro()
)

// storedMoment reads a time. A damaged one becomes the nearest that can be told, so that
// the row can be shown and exported.
func storedMoment(n int64) time.Time {
	return time.UnixMicro(min(max(n, firstMoment), lastMoment)).UTC()
}

// Scan implements [sql.Scanner].
func (t *storedTime) Scan(column any) error {
	switch n := column.(type) {
	case nil:
		*t = storedTime{}
	case int64:
		*t = storedTime(storedMoment(n))
	default:
		return fmt.Errorf("a time is stored as %T", column)
	}
	return nil
}

// text is how a string is stored; an empty one is NULL.
func text[T ~string | ~[]byte](s T) any {
	if len(s) == 0 {
		return nil
	}
	return string(s)
}

// fromText scans what text gave.
func fromText[T ~string | ~[]byte](s *T) scanFunc {
	return func(column any) error {
		if column == nil {
			var none T
			*s = none
			return nil
		}
		stored, err := storedText(column)
		*s = T(stored)
		return err
	}
}

// storedText returns the text in a column, "" for NULL.
func storedText(column any) (string, error) {
	switch s := column.(type) {
	case nil:
		return "", nil
	case string:
		return s, nil
	case []byte:
		return string(s), nil
	}
	return "", fmt.Errorf("a text is stored as %T", column)
}

// jsonList is how a list is stored, and handed to json_each.
func jsonList[T ~string | ~int64](list []T) string {
	if len(list) == 0 {
		return "[]"
	}
	b, err := json.Marshal(list)
	if err != nil {
		panic(err) // strings and numbers can always be marshalled
	}
	return string(b)
}

// fromJSON scans a JSON array, such as jsonList gave; an empty one is nil.
func fromJSON[T any](list *[]T) scanFunc {
	return func(column any) error {
		stored, err := storedText(column)
		if err != nil || stored == "" || stored == "[]" {
			return err
		}
		return json.Unmarshal([]byte(stored), list)
	}
}

// jsonTimes is how a list of times is stored.
func jsonTimes(times []time.Time) string {
	numbers := make([]int64, len(times))
	for i, t := range times {
		numbers[i] = t.UnixMicro()
	}
	return jsonList(numbers)
}

// fromTimes scans what jsonTimes gave.
func fromTimes(times *[]time.Time) scanFunc {
	return func(column any) error {
		var numbers []int64
		if err := fromJSON(&numbers).Scan(column); err != nil {
			return err
		}
		for _, n := range numbers {
			*times = append(*times, storedMoment(n))
		}
		return nil
	}
}

// scanFunc is a place to scan a column to.
type scanFunc func(column any) error

// Scan implements [sql.Scanner].
func (f scanFunc) Scan(column any) error { return f(column) }

// ofRow says which row cannot be read, if there is an error.
func ofRow(err error, what string, id any) error {
	if err == nil {
		return nil
	}
	if resultCode(err) == 0 { // SQLite has read it: what it says makes no sense
		err = fmt.Errorf("%w: %w", memory.ErrDamaged, err)
	}
	return fmt.Errorf("read %s %v: %w", what, id, err)
}
