package render

import (
	"strconv"
	"time"

	"mcp-memory/memory"
)

// Moment formats a stored time in the user's time zone, to the minute. A time at midnight is shown
// as a date only. "" for the zero time.
func (w Words) Moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	at := w.Clock.In(t)
	if hour, minute, second := at.Clock(); hour+minute+second == 0 && at.Nanosecond() == 0 {
		return at.Format(time.DateOnly)
	}
	return at.Format("2006-01-02 15:04")
}

// Age says how long ago a stored time was ("29 days ago"), or in how long it will be ("in 2
// hours"). "" for the zero time.
func (w Words) Age(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	const day = 24 * time.Hour
	apart := w.Clock.Now().Sub(t)
	if memory.DateOnly(t) { // a date is compared by whole days
		today, _ := time.Parse(time.DateOnly, w.Clock.Day(w.Clock.Now()))
		if apart = today.Sub(t); apart == 0 {
			return "today"
		}
	}
	past := apart >= 0
	apart = apart.Abs()
	if apart < time.Minute {
		return "just now"
	}
	text := ""
	for _, unit := range []struct {
		below, of time.Duration
		name      string
	}{{time.Hour, time.Minute, "minute"}, {day, time.Hour, "hour"},
		{60 * day, day, "day"}, {730 * day, 30 * day, "month"}, {1 << 62, 365 * day, "year"}} {
		if apart < unit.below {
			text = counted(int(apart/unit.of), unit.name)
			break
		}
	}
	if past {
		return text + " ago"
	}
	return "in " + text
}

func counted(n int, name string) string {
	if n != 1 {
		name += "s"
	}
	return strconv.Itoa(n) + " " + name
}
