package timex

import "time"

// interval is the half-open interval [from, to), in times on the wall (see
// [OnWall]).
type interval struct {
	from, to  time.Time
	precision Precision
}

func date(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

func midnight(t time.Time) time.Time { return date(t.Date()) }

// monday returns the start of the week that t is in.
func monday(t time.Time) time.Time {
	return midnight(t).AddDate(0, 0, 1-isoWeekday(t))
}

// isoWeekday returns 1 for Monday to 7 for Sunday.
func isoWeekday(t time.Time) int { return (int(t.Weekday())+6)%7 + 1 }

func dayAt(t time.Time) interval {
	from := midnight(t)
	return interval{from, from.AddDate(0, 0, 1), Day}
}

func weekAt(t time.Time) interval {
	from := monday(t)
	return interval{from, from.AddDate(0, 0, 7), Week}
}

func weekendAt(t time.Time) interval {
	from := monday(t).AddDate(0, 0, 5)
	return interval{from, from.AddDate(0, 0, 2), Week}
}

func monthOf(y int, m time.Month) interval {
	from := date(y, m, 1)
	return interval{from, from.AddDate(0, 1, 0), Month}
}

func quarterOf(y, q int) interval {
	from := date(y, time.Month(3*q-2), 1)
	return interval{from, from.AddDate(0, 3, 0), Season}
}

func yearOf(y int) interval { return interval{date(y, 1, 1), date(y+1, 1, 1), Year} }

func decadeOf(y int) interval { return interval{date(y, 1, 1), date(y+10, 1, 1), Decade} }

// dayOf returns a day; false if the month does not have it.
func dayOf(y int, m time.Month, d int) (interval, bool) {
	from := date(y, m, d)
	return dayAt(from), from.Day() == d && from.Month() == m
}

// hours returns the hours from to to of the day that t is in; to may be over
// 24.
func hours(t time.Time, from, to int) interval {
	start := midnight(t)
	return interval{start.Add(time.Duration(from) * time.Hour), start.Add(time.Duration(to) * time.Hour), Moment}
}

func around(t time.Time, tolerance time.Duration) interval {
	return interval{t.Add(-tolerance), t.Add(tolerance), Moment}
}

// union returns the interval from the earlier start to the later end.
func union(a, b interval) interval {
	if b.from.Before(a.from) {
		a.from = b.from
	}
	if b.to.After(a.to) {
		a.to = b.to
	}
	a.precision = max(a.precision, b.precision)
	return a
}

// valid reports whether an interval is not empty and lies in [Earliest,
// Latest].
func (v interval) valid() bool {
	return v.from.Before(v.to) && !v.from.Before(Earliest) && !v.to.After(Latest)
}

// third is the first, second or last third of an interval.
type third int8

const (
	noThird third = iota
	early
	middle
	late
)

// third returns a third of an interval, cut at whole days: a month has the
// thirds 1 to 10, 11 to 20 and the rest. False if the interval is shorter than
// a week or very long.
func (v interval) third(t third) (interval, bool) { return v.slice(int(t)-1, 3) }

// slice returns part i, from 0, of n parts of about equal length, cut at whole
// days.
func (v interval) slice(i, n int) (interval, bool) {
	days := int(v.to.Sub(v.from) / (24 * time.Hour))
	if v.precision < Week || days < n || days > 10000 {
		return v, false
	}
	part := v
	part.from = v.from.AddDate(0, 0, i*days/n)
	if i+1 < n {
		part.to = v.from.AddDate(0, 0, (i+1)*days/n)
	}
	part.precision = v.precision - 1
	return part, true
}
