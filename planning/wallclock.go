package planning

import "time"

// Rules are worked out on a clock on the wall, a time in UTC that shows what
// the clocks of the event's zone show, and only what comes of them is given its
// offset. So no day on which the clocks change moves the days after it.

// onWall is what the clocks of t's zone show.
func onWall(t time.Time) time.Time {
	year, month, day := t.Date()
	return clockOn(t, year, int(month), day)
}

// clockOn is a day on the wall at the time of day of t.
func clockOn(t time.Time, year, month, day int) time.Time {
	hour, minute, second := t.Clock()
	return time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC)
}
