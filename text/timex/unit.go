package timex

import "time"

type unit int8

const (
	noUnit unit = iota
	second
	minute
	hour
	day
	week
	weekend
	fortnight
	month
	quarter
	year
	decade
)

// unitFacts has the facts about each unit.
var unitFacts = [...]struct {
	length    time.Duration // approximate
	half      int           // half of the unit, in halfUnits: 6 months for a year
	halfUnit  unit
	precision Precision
}{
	second:    {time.Second, 0, second, Moment},
	minute:    {time.Minute, 30, second, Moment},
	hour:      {time.Hour, 30, minute, Moment},
	day:       {24 * time.Hour, 12, hour, Day},
	week:      {7 * 24 * time.Hour, 3, day, Week},
	weekend:   {7 * 24 * time.Hour, 0, day, Week},
	fortnight: {14 * 24 * time.Hour, 7, day, Week},
	month:     {30 * 24 * time.Hour, 15, day, Month},
	quarter:   {91 * 24 * time.Hour, 45, day, Season},
	year:      {365 * 24 * time.Hour, 6, month, Year},
	decade:    {3652 * 24 * time.Hour, 5, year, Decade},
}

// farthest bounds distances from now: "5000 years ago" is not about a time in a
// memory.
const farthest = 200 * 365 * 24 * time.Hour

func (u unit) allows(n int) bool { return n >= 0 && n <= int(farthest/unitFacts[u].length) }

// inHalves returns n and a half of u as a number of smaller units. A unit
// without a half stays as it is.
func (u unit) inHalves(n int) (int, unit) {
	f := unitFacts[u]
	if f.half == 0 {
		return n, u
	}
	per := 2 * f.half
	if u == week {
		per = 7
	}
	return n*per + f.half, f.halfUnit
}

// months is the number of months of those units that have no fixed number of
// days.
var months = [...]int{month: 1, quarter: 3, year: 12, decade: 120}

// shift returns the moment n units after t. If a month is too short for the day
// of t, it is the last day of that month.
func (u unit) shift(t time.Time, n int) time.Time {
	switch u {
	case day, week, weekend, fortnight:
		return t.AddDate(0, 0, n*int(unitFacts[u].length/(24*time.Hour)))
	case month, quarter, year, decade:
		first := date(t.Year(), t.Month(), 1).AddDate(0, n*months[u], 0)
		clock := t.Sub(midnight(t))
		last := first.AddDate(0, 1, -1).Day()
		return first.AddDate(0, 0, min(t.Day(), last)-1).Add(clock)
	default:
		return t.Add(time.Duration(n) * unitFacts[u].length)
	}
}

// away returns the moment n units from now. Hours and less are counted in real
// time, also where the clocks are changed.
func (p *parser) away(u unit, n int) time.Time {
	switch u {
	case second, minute, hour:
		return OnWall(u.shift(p.asked, n))
	}
	return u.shift(p.now, n)
}

// near returns the interval that people mean by a distance in units whose exact
// moment is at: that day; seven days around it for weeks; the calendar month or
// year; five years to both sides for decades.
func (u unit) near(at time.Time) interval {
	switch u {
	case week, fortnight:
		from := midnight(at).AddDate(0, 0, -3)
		return interval{from, from.AddDate(0, 0, 7), Week}
	case decade:
		return interval{date(at.Year()-5, 1, 1), date(at.Year()+5, 1, 1), Decade}
	case second, minute, hour:
		return around(at, max(unitFacts[u].length/2, time.Second))
	default:
		return u.around(at)
	}
}

// calendar returns the unit of the calendar that is n units from the one that t
// is in.
func (u unit) calendar(t time.Time, n int) interval {
	if u == week || u == weekend || u == fortnight {
		return u.around(unit.shift(week, t, n))
	}
	return u.around(u.shift(t, n))
}

// around returns the unit of the calendar that t is in.
func (u unit) around(t time.Time) interval {
	switch u {
	case week, fortnight:
		return weekAt(t)
	case weekend:
		return weekendAt(t)
	case month:
		return monthOf(t.Year(), t.Month())
	case quarter:
		return quarterOf(t.Year(), (int(t.Month())+2)/3)
	case year:
		return yearOf(t.Year())
	case decade:
		return decadeOf(t.Year() - t.Year()%10)
	case day:
		return dayAt(t)
	default:
		return around(t, unitFacts[u].length)
	}
}
