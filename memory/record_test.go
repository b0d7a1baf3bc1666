package memory

import (
	"testing"
	"time"
)

func TestTrueAt(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 3, n, 0, 0, 0, 0, time.UTC) }
	var never time.Time
	for _, c := range []struct {
		from, until, at time.Time
		want            bool
	}{
		{never, never, day(1), true},
		{day(2), never, day(1), false},
		{day(2), never, day(2), true}, // inclusive
		{day(2), never, day(3), true},
		{never, day(2), day(1), true},
		{never, day(2), day(2).Add(-time.Microsecond), true},
		{never, day(2), day(2), false}, // exclusive
		{never, day(2), day(3), false},
		{day(2), day(4), day(1), false},
		{day(2), day(4), day(3), true},
		{day(2), day(4), day(4), false},
	} {
		r := Record{ValidFrom: c.from, ValidUntil: c.until, SupersededBy: "another", ArchivedAt: day(1)}
		if got := r.TrueAt(c.at); got != c.want {
			t.Errorf("from %v until %v at %v: %v", c.from, c.until, c.at, got)
		}
	}
}
