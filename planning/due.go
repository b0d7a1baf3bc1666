package planning

import (
	"slices"
	"strings"
	"time"

	"mcp-memory/text/lazyregexp"
	"mcp-memory/text/timex"
)

// weekday finds weekdays in expressions of time: they recur every week.
var weekday = lazyregexp.New(`(?i)\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:mon|tue|wed|thu|fri|sat|sun)\b`)

// calendarDay finds months and days without a year: they recur every year.
var calendarDay = lazyregexp.New(`(?i)\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b\d{1,2}[./]\d{1,2}\b`)

// past finds words about the past, and years: such a time does not recur.
var past = lazyregexp.New(`(?i)\b(?:ago|last|since|yesterday)\b|\d{4}`)

// DueIn returns when a to-do is due according to its text, which was written at
// the moment written. It is a date, as midnight in UTC, or a time. It is zero if
// the text names none, or only one that is over, has no end or is as long as a
// year. A weekday or a day without a year means the next one, a week or a month
// means its last day. Of several times the most precise one counts, and of
// equally precise ones the first.
func DueIn(text string, written time.Time) time.Time {
	var best time.Time
	precision := timex.Year
	for _, s := range timex.Find(text, written) {
		if due := dueOf(s, written); !due.IsZero() && s.Precision < precision {
			best, precision = due, s.Precision
		}
	}
	return best
}

// dueOf returns when a to-do is due that has the expression s in its text, or
// zero if s says nothing of that or is over.
func dueOf(s timex.Span, written time.Time) time.Time {
	if s.To.Equal(timex.Latest) {
		return time.Time{}
	}
	from, last := s.From, s.To.AddDate(0, 0, -1) // last: the last of the whole days
	if s.Precision == timex.Moment {
		last = s.From
	}
	coming := func(years, days int) {
		for range 100 {
			if s.Precision == timex.Moment && !last.Before(written) || !last.Before(startOfDay(written)) {
				return
			}
			from, last = from.AddDate(years, 0, days), last.AddDate(years, 0, days)
		}
	}
	switch {
	case past().MatchString(s.Text):
	case weekday().MatchString(s.Text):
		coming(0, 7)
	case calendarDay().MatchString(s.Text):
		coming(1, 0)
	}
	if last.Before(startOfDay(written)) {
		return time.Time{}
	}
	if s.Precision == timex.Moment {
		if from.Before(written) { // "before 15:00"
			from = s.To
		}
		return from.UTC()
	}
	return time.Date(last.Year(), last.Month(), last.Day(), 0, 0, 0, 0, time.UTC)
}

func startOfDay(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

// SameTimes reports whether two texts have the same expressions of time, word
// for word.
func SameTimes(a, b string) bool {
	times := func(text string) (all []string) {
		for _, s := range timex.Find(text, time.Unix(0, 0)) {
			all = append(all, strings.ToLower(s.Text))
		}
		return all
	}
	return slices.Equal(times(a), times(b))
}
