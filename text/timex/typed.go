package timex

import (
	"strconv"
	"strings"
	"time"

	"mcp-memory/text/lazyregexp"
)

// Direction says whether an expression that may be in the past or the future is
// resolved to the past or the future.
type Direction int

// The directions, for expressions such as "friday", "in May" and "at 9".
const (
	Past   Direction = iota // the latest one
	Future                  // the next one
)

var (
	// fromNow matches a distance from now: "in 2 weeks", "3 days ago", "2 hours
	// from now".
	fromNow = lazyregexp.New(`^(in )?(an?|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,4}) (minute|hour|day|week|month|year)s?( ago| from now)?$`)
	// clock matches a time of day at the end, alone or after a day.
	clock     = lazyregexp.New(`(?:^|[ ,]+)(?:at )?(?:(noon|midnight)|(\d{1,2})(?::(\d{2}))?(?:h| ?([ap])\.?m\.?)?)$`)
	yearAlone = lazyregexp.New(`^\d{4}$`)
	// partOfPeriod matches "end of december" and "the beginning of next month".
	partOfPeriod = lazyregexp.New(`^(?:at |by |in )?(?:the )?(beginning|start|middle|end) of (.+)$`)
)

var counted = map[string]int{"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
	"nine": 9, "ten": 10}

// Typed returns the moment that text means, if text is nothing else, as a
// person types it: "now", "yesterday", "last tuesday", "tomorrow 9am", "friday
// at 17:30", "friday week", "in 2 weeks", "2 hours ago", "march 3", "the 15th",
// "31.12.", "12/31", "2024", "end of december".
// For a day or longer it is the beginning, for the end of a longer period the
// beginning of its last day. It is in the time zone of now. False for any other
// text, and for a day that does not exist.
func Typed(text string, now time.Time, to Direction) (time.Time, bool) {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	if text == "now" {
		return now, true
	}
	if yearAlone().MatchString(text) {
		n, err := strconv.Atoi(text)
		return time.Date(n, 1, 1, 0, 0, 0, 0, now.Location()), err == nil && n > 0
	}
	text = written(text, now, to)
	text = strings.NewReplacer("a fortnight", "2 weeks", "a couple of ", "2 ").Replace(text)
	if m := partOfPeriod().FindStringSubmatch(text); m != nil {
		return ofPeriod(m[1], m[2], now, to)
	}
	if m := fromNow().FindStringSubmatch(text); m != nil && (m[1] == "") == (m[4] != "") {
		return distance(m, now)
	}
	if day, ok := whole(text, now, to); ok {
		return day.From, true
	}
	at := clock().FindStringSubmatchIndex(text)
	if at == nil {
		return time.Time{}, false
	}
	hour, minute, ok := clockTime(clock().FindStringSubmatch(text))
	if !ok {
		return time.Time{}, false
	}
	rest, day := strings.TrimSpace(text[:at[0]]), now
	if rest != "" {
		found, ok := whole(rest, now, to)
		if day = found.From; !ok || !day.Equal(startOfDay(day)) {
			return time.Time{}, false
		}
	}
	found := atClock(day, hour, minute, now.Location())
	switch {
	case to == Future && found.Before(now):
		if rest == "" {
			found = onDay(found, 1)
		} else if next, ok := coming(spelled(rest), Day, now); ok { // "monday 9am" on a Monday at noon
			found = atClock(next.From, hour, minute, now.Location())
		}
	case to == Past && found.After(now):
		if rest == "" {
			found = onDay(found, -1)
		} else if before, ok := only("last "+spelled(strings.TrimPrefix(rest, "on ")), now); ok {
			found = atClock(before.From, hour, minute, now.Location())
		}
	}
	return found, true
}

// atClock returns the moment of that time of day on the day of t, in zone.
func atClock(t time.Time, hour, minute int, zone *time.Location) time.Time {
	year, month, day := t.Date()
	return InZone(time.Date(year, month, day, hour, minute, 0, 0, time.UTC), zone)
}

// onDay returns the moment with the same time of day some days later.
func onDay(t time.Time, days int) time.Time {
	return InZone(OnWall(t).AddDate(0, 0, days), t.Location())
}

// startOfDay returns the beginning of the day of t, in the time zone of t.
func startOfDay(t time.Time) time.Time { return atClock(t, 0, 0, t.Location()) }

func distance(m []string, now time.Time) (time.Time, bool) {
	n, known := counted[m[2]]
	if !known {
		var err error
		if n, err = strconv.Atoi(m[2]); err != nil {
			return time.Time{}, false
		}
	}
	if m[4] == " ago" {
		n = -n
	}
	wall := OnWall(now)
	var found time.Time
	switch m[3] {
	case "minute":
		return now.Add(time.Duration(n) * time.Minute), true
	case "hour":
		return now.Add(time.Duration(n) * time.Hour), true
	case "day":
		found = wall.AddDate(0, 0, n)
	case "week":
		found = wall.AddDate(0, 0, 7*n)
	case "month":
		found = lastOfMonth(wall, wall.AddDate(0, n, 0), n)
	case "year":
		found = lastOfMonth(wall, wall.AddDate(n, 0, 0), 12*n)
	}
	return startOfDay(InZone(found, now.Location())), found.Year() > 0 && found.Year() < 9999
}

// lastOfMonth returns found, which is some months from wall, or if that month
// is too short for the day of wall, its last day.
func lastOfMonth(wall, found time.Time, months int) time.Time {
	if found.Day() == wall.Day() {
		return found
	}
	return time.Date(wall.Year(), wall.Month()+time.Month(months)+1, 0, 0, 0, 0, 0, time.UTC)
}

// whole resolves a text that is one expression of time and nothing else. False
// if its interval is open.
func whole(text string, now time.Time, to Direction) (Span, bool) {
	text = spelled(text)
	found, ok := only(text, now)
	if !ok { // "May" may be a verb, but not after "in"
		found, ok = only("in "+text, now)
		ok = ok && found.Precision == Month
	}
	if !ok || found.Open() {
		return Span{}, false
	}
	if to == Future && !found.To.After(now) {
		if next, ok := coming(text, found.Precision, now); ok {
			return next, true
		}
	}
	return found, true
}

// ofPeriod returns the first or the last day of a week, month or year, such as
// the end of "december", "the month" or "next year". False for the middle, for
// anything that is no such period, and for a day on the other side of now than
// to says.
func ofPeriod(part, period string, now time.Time, to Direction) (day time.Time, ok bool) {
	period = strings.TrimPrefix(period, "the ")
	switch {
	case period == "week", period == "month", period == "year":
		period = "this " + period
	case yearAlone().MatchString(period):
		period = "in " + period
	}
	found, ok := whole(period, now, to)
	if !ok || part == "middle" || found.Precision != Week && found.Precision != Month && found.Precision != Year {
		return time.Time{}, false
	}
	if day = found.From; part == "end" {
		day = startOfDay(onDay(found.To, -1))
	}
	wrongSide := to == Past && day.After(now) || to == Future && day.Before(startOfDay(now))
	return day, !wrongSide
}

// leapYears is the longest time without a 29th of February, as from 1896 to 1904.
const leapYears = 8

// coming returns the next time at which something comes that comes again: a
// weekday, a day of a month, a month or a holiday. False for anything else,
// such as "yesterday" or a date with a year.
func coming(text string, precision Precision, now time.Time) (Span, bool) {
	text = strings.TrimPrefix(strings.TrimPrefix(text, "on "), "in ")
	if precision == Day || precision == Month {
		for year := now.Year(); year <= now.Year()+leapYears; year++ {
			dated, ok := only(text+" "+strconv.Itoa(year), now)
			if ok && dated.Precision == precision && dated.From.After(now) {
				return dated, true
			}
		}
	}
	next, ok := only("next "+text, now)
	return next, ok && next.From.After(now)
}

// spelled writes the names of months and weekdays out: "3 may" becomes "3 May",
// and "sat" "Saturday". In a text that is nothing but a time they cannot mean
// anything else.
func spelled(text string) string {
	words := strings.Fields(text)
	for i, one := range words {
		bare := strings.TrimRight(one, ".,")
		if bare == "" {
			continue
		}
		switch known := lexicon().lookUp(bare); {
		case known == nil || plural(bare) && known.sense == plain:
		case known.month != 0:
			words[i] = known.month.String()
		case known.weekday != 0:
			words[i] = time.Weekday(known.weekday % 7).String()
		default:
			continue
		}
		if strings.HasSuffix(one, ",") {
			words[i] = strings.TrimSuffix(words[i], ",") + ","
		}
	}
	return strings.Join(words, " ")
}

// only returns the expression of time that is the whole text, apart from "on",
// "in" or "the" before it.
func only(text string, now time.Time) (Span, bool) {
	spans := Find(text, now)
	if len(spans) != 1 || spans[0].End != len(text) {
		return Span{}, false
	}
	switch strings.TrimSpace(text[:spans[0].Start]) {
	case "", "on", "in", "the":
		return spans[0], true
	}
	return Span{}, false
}

func clockTime(m []string) (hour, minute int, ok bool) {
	switch m[1] {
	case "noon":
		return 12, 0, true
	case "midnight":
		return 0, 0, true
	}
	hour, _ = strconv.Atoi(m[2])
	minute, _ = strconv.Atoi(m[3]) // 0 if there is none
	if m[3] == "" && m[4] == "" && !strings.HasSuffix(m[0], "h") && !strings.Contains(m[0], "at ") {
		return 0, 0, false // a number alone is not a time
	}
	if m[4] != "" {
		if hour < 1 || hour > 12 {
			return 0, 0, false
		}
		if hour %= 12; m[4] == "p" {
			hour += 12
		}
	}
	return hour, minute, hour < 24 && minute < 60
}
