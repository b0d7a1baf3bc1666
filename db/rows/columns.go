package rows

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"time"
)

// How values are stored, in pairs: a function that gives a column's value, and
// one that returns where to scan it to.

// Micros is how a time is stored; the zero time is NULL.
func Micros(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMicro()
}

// FromMicros scans what Micros gave.
func FromMicros(t *time.Time) sql.Scanner { return (*storedTime)(t) }

type storedTime time.Time

// The first and last moment that every format can express: RFC 3339 and JSON have years of four
// digits.
var (
	firstMoment = time.Date(1, 1, 2, 0, 0, 0, 0, time.UTC).UnixMicro()
	lastMoment  = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC).UnixMicro()
)

// Moment returns the time of a number of microseconds. One out of range, as in a damaged row,
// becomes the nearest that can be expressed, so that the row can still be shown and exported.
func Moment(n int64) time.Time {
	return time.UnixMicro(min(max(n, firstMoment), lastMoment)).UTC()
}

// Scan implements [sql.Scanner].
func (t *storedTime) Scan(column any) error {
	switch n := column.(type) {
	case nil:
		*t = storedTime{}
	case int64:
		*t = storedTime(Moment(n))
	default:
		return fmt.Errorf("a time is stored as %T", column)
	}
	return nil
}

// Text is how a string is stored; an empty one is NULL.
func Text[T ~string | ~[]byte](s T) any {
	if len(s) == 0 {
		return nil
	}
	return string(s)
}

// FromText scans what Text gave.
func FromText[T ~string | ~[]byte](s *T) ScanFunc {
	return func(column any) error {
		if column == nil {
			var none T
			*s = none
			return nil
		}
		stored, err := StoredText(column)
		*s = T(stored)
		return err
	}
}

// StoredText returns the text in a column, "" for NULL.
func StoredText(column any) (string, error) {
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

// List returns a list as a JSON array: the form in which it is stored, and handed to json_each.
func List[T ~string | ~int64](list []T) string {
	if len(list) == 0 {
		return "[]"
	}
	b, err := json.Marshal(list)
	if err != nil {
		panic(err) // strings and numbers can always be marshalled
	}
	return string(b)
}

// FromList scans a JSON array, such as List gave; an empty one is nil.
func FromList[T any](list *[]T) ScanFunc {
	return func(column any) error {
		stored, err := StoredText(column)
		if err != nil || stored == "" || stored == "[]" {
			return err
		}
		return json.Unmarshal([]byte(stored), list)
	}
}

// Times is how a list of times is stored.
func Times(times []time.Time) string {
	numbers := make([]int64, len(times))
	for i, t := range times {
		numbers[i] = t.UnixMicro()
	}
	return List(numbers)
}

// FromTimes scans what Times gave.
func FromTimes(times *[]time.Time) ScanFunc {
	return func(column any) error {
		var numbers []int64
		if err := FromList(&numbers).Scan(column); err != nil {
			return err
		}
		for _, n := range numbers {
			*times = append(*times, Moment(n))
		}
		return nil
	}
}

// ScanFunc is an [sql.Scanner] made of a function that stores the column's value.
type ScanFunc func(column any) error

// Scan implements [sql.Scanner].
func (f ScanFunc) Scan(column any) error { return f(column) }
