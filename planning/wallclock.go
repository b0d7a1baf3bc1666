package planning

import "time"

// Rules are computed with times "on the wall": what the clocks of the event's
// zone show, written as a time in UTC. Only the result is converted to a
// moment. So a change of the clocks does not move the days after it.

// onWall returns what the clocks of t's zone show at t.
func onWall(t time.Time) time.Time {
	year, month, day := t.Date()
	return clockOn(t, year, int(month), day)
}

// clockOn returns the time on the wall of that day at the time of day of t.
func clockOn(t time.Time, year, month, day int) time.Time {
	hour, minute, second := t.Clock()
	return time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC)
}
