package timex

import (
	"strconv"
	"strings"
	"time"

	"mcp-memory/text/lazyregexp"
)

// timeBehind is the end of an expression for a day, with a time of day or without.
const timeBehind = `((?:,? (?:at )?\d| noon| midnight).*)?$`

var (
	// ofMonth matches a day that is named by its number alone: "the 15th at 9:00".
	ofMonth = lazyregexp.New(`^(?:on )?(?:the )?(\d{1,2})(?:st|nd|rd|th)` + timeBehind)
	// dotted and slashed match a day and its month as numbers: "31.12.", "12/31".
	dotted  = lazyregexp.New(`^(?:on |am )?(\d{1,2})\.(\d{1,2})(\.?)` + timeBehind)
	slashed = lazyregexp.New(`^(?:on )?(\d{1,2})/(\d{1,2})` + timeBehind)
	// dayWeek matches a weekday of the week after next: "friday week".
	dayWeek = lazyregexp.New(`^(?:on )?(\pL+) week` + timeBehind)
)

// written writes a day that a person types as numbers, or as "friday week", with the name of its month and
// its year. Other texts are returned as they are, also what may be two days ("3/4").
func written(text string, now time.Time, to Direction) string {
	if m := ofMonth().FindStringSubmatch(text); m != nil {
		return nearest(m[1], 0, m[2], text, now, to)
	}
	if m := dotted().FindStringSubmatch(text); m != nil && (m[3] != "" || atoi(m[1]) > 23) { // no time of day
		return nearest(m[1], atoi(m[2]), m[4], text, now, to)
	}
	if m := slashed().FindStringSubmatch(text); m != nil {
		switch a, b := atoi(m[1]), atoi(m[2]); {
		case b > 12, a == b:
			return nearest(m[2], a, m[3], text, now, to)
		case a > 12:
			return nearest(m[1], b, m[3], text, now, to)
		}
	}
	if m := dayWeek().FindStringSubmatch(text); m != nil && to == Future {
		named := lexicon().lookUp(m[1])
		if day, ok := whole(m[1], now, Future); ok && named != nil && named.weekday != 0 {
			return onDay(day.From, 7).Format("2 January 2006") + m[2]
		}
	}
	return text
}

// nearest writes the latest or the next day with a number, of a month or of any (0), with rest behind it. It
// returns text if there is no such day within leapYears.
func nearest(number string, month int, rest, text string, now time.Time, to Direction) string {
	today, step := startOfDay(now), 1
	if to == Past {
		step = -1
	}
	for i := range 12 * leapYears {
		first := time.Date(today.Year(), today.Month()+time.Month(i*step), 1, 0, 0, 0, 0, time.UTC)
		day := first.AddDate(0, 0, atoi(number)-1)
		if day.Month() != first.Month() || month != 0 && int(day.Month()) != month {
			continue
		}
		if date := atClock(day, 0, 0, now.Location()); date.Equal(today) || date.After(today) == (to == Future) {
			return day.Format("2 January 2006") + rest
		}
	}
	return text
}

// atoi returns a number of at most two digits.
func atoi(digits string) int {
	n, _ := strconv.Atoi(strings.TrimSpace(digits))
	return n
}
