package when

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/timex"
)

// own returns the expressions that this package reads itself.
func own(text string, said time.Time) []span {
	var spans []span
	there, low := triggersIn(text), folded(text)
	for _, r := range rules {
		if !r.mayMatch(there, low) {
			continue
		}
		for from := 0; ; {
			at := r.pattern().FindStringSubmatchIndex(text[from:])
			if at == nil {
				break
			}
			g, start, end := groups(text[from:], at)
			start, end = start+from, end+from
			from = max(end, from+1)
			s, ok := r.read(g, said)
			if !ok || slices.ContainsFunc(spans, func(o span) bool { return start < o.end && o.start < end }) {
				continue
			}
			s.start, s.end = start, end
			if s.relation == "" {
				s.relation = relationBefore(text[:start])
			}
			if (s.relation == memory.MentionBy || s.relation == memory.MentionUntil) &&
				strings.HasSuffix(strings.ToLower(text[:start]), "end of ") {
				s.from = s.to.AddDate(0, 0, -1)
			}
			spans = append(spans, s)
		}
	}
	return spans
}

// groups returns the texts of a match's groups in lower case, without groups that took no part,
// and the bounds of the expression: those of the match, or those of the first group if the second
// lies inside it (so "by (the (3rd))" leaves out "by"). Blanks and punctuation at the end do not
// count. at is as [regexp.Regexp.FindStringSubmatchIndex] returns it.
func groups(text string, at []int) (g []string, start, end int) {
	start, end = at[0], at[1]
	for i := 2; i < len(at); i += 2 {
		if at[i] < 0 {
			continue
		}
		if len(g) == 0 && i == 2 && len(at) > 4 && at[4] >= at[2] && at[4] < at[3] {
			start, end = at[2], at[3]
		}
		g = append(g, strings.ToLower(text[at[i]:at[i+1]]))
	}
	for end > start && strings.ContainsAny(text[end-1:end], " .,;:!?)") {
		end--
	}
	return g, start, end
}

func dayOf(from time.Time) span {
	return span{from: from, to: from.AddDate(0, 0, 1), precision: timex.Day, fixed: true}
}

// weekdayNumber returns the number of a day of the week by its name or abbreviation, 0 for Monday.
func weekdayNumber(name string) int {
	return slices.IndexFunc(weekdays[:7], func(w string) bool { return strings.HasPrefix(w, name[:3]) })
}

func monthNumber(name string) time.Month {
	return time.Month(slices.IndexFunc(months[:12], func(m string) bool { return strings.HasPrefix(m, name[:3]) }) + 1)
}

// nextDay returns the next such day of the week (0 for Monday) after the day of said.
func nextDay(said time.Time, weekday int) time.Time {
	d := (weekday - (int(said.Weekday())+6)%7 + 7) % 7
	if d == 0 {
		d = 7
	}
	return day(said).AddDate(0, 0, d)
}

func monday(t time.Time) time.Time { return day(t).AddDate(0, 0, -(int(t.Weekday())+6)%7) }

func weekOn(g []string, said time.Time) (span, bool) {
	return dayOf(nextDay(said, weekdayNumber(g[0])).AddDate(0, 0, 7)), true
}

func afterNext(g []string, said time.Time) (span, bool) {
	return dayOf(nextDay(said, weekdayNumber(g[0])).AddDate(0, 0, 7)), true
}

func tomorrowWeek(_ []string, said time.Time) (span, bool) {
	return dayOf(day(said).AddDate(0, 0, 8)), true
}

func comingDay(g []string, said time.Time) (span, bool) {
	return dayOf(nextDay(said, weekdayNumber(g[0]))), true
}

func nthWeekday(g []string, said time.Time) (span, bool) {
	first := time.Date(said.Year(), said.Month(), 1, 0, 0, 0, 0, said.Location())
	of := func(first time.Time) time.Time {
		n := slices.Index([]string{"first", "second", "third", "fourth", "fifth"}, g[0])
		d := first.AddDate(0, 0, (weekdayNumber(g[1])-(int(first.Weekday())+6)%7+7)%7)
		if n < 0 {
			last := first.AddDate(0, 1, -1)
			return last.AddDate(0, 0, -((int(last.Weekday())+6)%7-weekdayNumber(g[1])+7)%7)
		}
		return d.AddDate(0, 0, 7*n)
	}
	switch g[2] {
	case "next month":
		return dayOf(of(first.AddDate(0, 1, 0))), true
	case "this month", "the month":
		return dayOf(of(first)), g[2] == "this month"
	}
	first = time.Date(said.Year(), monthNumber(g[2]), 1, 0, 0, 0, 0, said.Location())
	if at := of(first); at.Before(day(said)) { // without a year, the coming one is meant
		return dayOf(of(first.AddDate(1, 0, 0))), true
	}
	return dayOf(of(first)), true
}

func weekdayBefore(g []string, said time.Time) (span, bool) {
	var at time.Time
	for y := said.Year(); ; y++ {
		switch {
		case g[1] == "easter":
			at = easterOf(y, said.Location())
		case g[1] == "christmas":
			at = time.Date(y, 12, 25, 0, 0, 0, 0, said.Location())
		default:
			at = time.Date(y, 12, 31, 0, 0, 0, 0, said.Location())
		}
		if at.After(said) {
			break
		}
	}
	d := at.AddDate(0, 0, -1)
	for (int(d.Weekday())+6)%7 != weekdayNumber(g[0]) {
		d = d.AddDate(0, 0, -1)
	}
	return dayOf(d), true
}

func lastWorkingDay(g []string, said time.Time) (span, bool) {
	return yearlyOn(said, func(y int) time.Time {
		end := time.Date(y, monthNumber(g[0])+1, 0, 0, 0, 0, 0, said.Location())
		for end.Weekday() == time.Saturday || end.Weekday() == time.Sunday {
			end = end.AddDate(0, 0, -1)
		}
		return end
	}), true
}

// yearlyOn returns the span of a day that each year has, though not always on the same date: of
// returns it for a year. It is that of the year of said, and recurs by of.
func yearlyOn(said time.Time, of func(y int) time.Time) span {
	s := dayOf(of(said.Year()))
	s.fixed, s.every = false, step{years: 1}
	s.again = func(from time.Time, sign int) time.Time { return of(from.Year() + sign) }
	return s
}

func number(text string) int {
	n, _ := strconv.Atoi(strings.TrimRight(text, "sthndr"))
	if text == "first" {
		return 1
	}
	return n
}

func dayOfThisMonth(g []string, said time.Time) (span, bool) {
	n := number(g[0])
	if n < 1 || n > 31 {
		return span{}, false
	}
	// The next or previous month that has a day n: for n = 31 not all of them do.
	month := func(from time.Time, sign int) time.Time {
		first := time.Date(from.Year(), from.Month(), 1, 0, 0, 0, 0, from.Location())
		for {
			first = first.AddDate(0, sign, 0)
			if at := first.AddDate(0, 0, n-1); at.Month() == first.Month() {
				return at
			}
		}
	}
	at := time.Date(said.Year(), said.Month(), n, 0, 0, 0, 0, said.Location())
	if at.Month() != said.Month() {
		at = month(said, 1)
	}
	s := dayOf(at)
	s.fixed, s.every, s.again = false, step{months: 1}, month
	return s, true
}

// counted are words behind an ordinal that is no day of the month: "the 3rd floor".
var counted = strings.Fields("of floor time attempt edition grade century place version anniversary birthday item row column chapter one street avenue sprint iteration line try retry person party parallel generation class round question point time step run build release quarter month week year hour minute percentile element argument parameter key commit page section paragraph amendment")

func dayOfMonth(g []string, said time.Time) (span, bool) {
	if len(g) > 2 && slices.Contains(counted, strings.TrimSuffix(g[2], "s")) {
		return span{}, false
	}
	return dayOfThisMonth(g[1:2], said)
}

func weekOfDay(g []string, said time.Time) (span, bool) {
	s, ok := dayOfThisMonth(g, said)
	if ok && s.to.Before(day(said)) {
		s = s.by(1)
	}
	from := monday(s.from)
	return span{from: from, to: from.AddDate(0, 0, 7), precision: timex.Week, fixed: true}, ok
}

func halfOfMonth(g []string, said time.Time) (span, bool) {
	from := time.Date(said.Year(), monthNumber(g[1]), 1, 0, 0, 0, 0, said.Location())
	middle := from.AddDate(0, 0, 15)
	s := span{from: from, to: middle, precision: timex.Week, every: step{years: 1}}
	if g[0] == "second" {
		s.from, s.to = middle, from.AddDate(0, 1, 0)
	}
	return s, true
}

func midNextWeek(_ []string, said time.Time) (span, bool) {
	return dayOf(monday(said).AddDate(0, 0, 9)), true
}

func weekdaysAgo(g []string, said time.Time) (span, bool) {
	n := slices.Index([]string{"", "one", "two", "three", "four", "five", "six"}, g[0])
	if n < 0 {
		n = number(g[0])
	}
	last := nextDay(said, weekdayNumber(g[1])).AddDate(0, 0, -7)
	if !last.Before(day(said)) {
		last = last.AddDate(0, 0, -7)
	}
	return dayOf(last.AddDate(0, 0, -7*(n-1))), n > 0
}

func aYearAgo(_ []string, said time.Time) (span, bool) {
	at := day(said).AddDate(-1, 0, 0)
	return span{from: at.AddDate(0, 0, -7), to: at.AddDate(0, 0, 8), precision: timex.Week, fixed: true}, true
}

func tomorrow(_ []string, said time.Time) (span, bool) {
	return dayOf(day(said).AddDate(0, 0, 1)), true
}

func inMonth(g []string, said time.Time) (span, bool) {
	if len(g) > 2 && slices.Contains([]string{"this", "last", "next", "of", "or", "and"}, g[2]) {
		return span{}, false // timex reads the whole
	}
	from := time.Date(said.Year(), monthNumber(g[1]), 1, 0, 0, 0, 0, said.Location())
	return span{from: from, to: from.AddDate(0, 1, 0), precision: timex.Month, every: step{years: 1}}, true
}

func weekend(_ []string, said time.Time) (span, bool) {
	saturday := monday(said).AddDate(0, 0, 5)
	return span{from: saturday, to: saturday.AddDate(0, 0, 2), precision: timex.Week, every: step{days: 7}}, true
}

// easterOf is Easter Sunday of a year, by the anonymous Gregorian algorithm.
func easterOf(y int, zone *time.Location) time.Time {
	a, b, c := y%19, y/100, y%100
	h := (19*a + b - b/4 - (b-(b+8)/25+1)/3 + 15) % 30
	l := (32 + 2*(b%4) + 2*(c/4) - h - c%4) % 7
	m := (a + 11*h + 22*l) / 451
	n := h + l - 7*m + 114
	return time.Date(y, time.Month(n/31), n%31+1, 0, 0, 0, 0, zone)
}

func easter(g []string, said time.Time) (span, bool) {
	y, fixed := said.Year(), false
	if len(g) > 1 {
		y, _ = strconv.Atoi(g[1])
		fixed = true
	}
	of := func(y int) span {
		sunday := easterOf(y, said.Location())
		switch g[0] {
		case "good friday":
			return dayOf(sunday.AddDate(0, 0, -2))
		case "easter monday":
			return dayOf(sunday.AddDate(0, 0, 1))
		case "whit monday":
			return dayOf(sunday.AddDate(0, 0, 50))
		case "ascension day":
			return dayOf(sunday.AddDate(0, 0, 39))
		case "easter sunday":
			return dayOf(sunday)
		}
		return span{from: sunday, to: sunday.AddDate(0, 0, 2), precision: timex.Week, fixed: true}
	}
	s := of(y)
	if !fixed && s.to.AddDate(0, 0, 60).Before(said) { // 60 days past: next year's, whose date is another
		s = of(y + 1)
	}
	return s, true
}

func quarterOf(g []string, said time.Time) (span, bool) {
	q, _ := strconv.Atoi(g[1])
	y := said.Year()
	if len(g) > 2 {
		y, _ = strconv.Atoi(g[2])
	}
	from := time.Date(y, time.Month(3*q-2), 1, 0, 0, 0, 0, said.Location())
	return span{from: from, to: from.AddDate(0, 3, 0), precision: timex.Season, fixed: len(g) > 2, every: step{years: 1}}, true
}

// dayAndMonth reads "15/11" if only one of the numbers can be the month, or both are the same.
// With dots, as in "5.3.", the day comes first.
func dayAndMonth(g []string, said time.Time) (span, bool) {
	a, _ := strconv.Atoi(g[1])
	b, _ := strconv.Atoi(g[2])
	if a <= 12 && b > 12 {
		a, b = b, a
	}
	if g[0] == "24/7" {
		return span{}, false
	}
	if dotted := strings.Contains(g[0], "."); a < 1 || a > 31 || b < 1 || b > 12 || a <= 12 && a != b && !dotted {
		return span{}, false
	}
	at := time.Date(said.Year(), time.Month(b), a, 0, 0, 0, 0, said.Location())
	s := dayOf(at)
	s.fixed, s.every = false, step{years: 1}
	return s, at.Day() == a
}

func daysOfWeek(g []string, said time.Time) (span, bool) {
	week := monday(said).AddDate(0, 0, 7*(slices.Index([]string{"last", "this", "next"}, g[2])-1))
	from, to := week.AddDate(0, 0, weekdayNumber(g[0])), week.AddDate(0, 0, weekdayNumber(g[1])+1)
	return span{from: from, to: to, precision: timex.Week, fixed: true}, from.Before(to)
}

func now(_ []string, said time.Time) (span, bool) { return dayOf(day(said)), true }

func betweenYears(_ []string, said time.Time) (span, bool) {
	from := time.Date(said.Year(), 12, 27, 0, 0, 0, 0, said.Location())
	return span{from: from, to: from.AddDate(0, 0, 5), precision: timex.Week, every: step{years: 1}}, true
}
