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

// halfDay is longer than any change of the clocks and shorter than from one to
// the next.
const halfDay = 12 * time.Hour

// inZone is the moment at which the clocks of a zone show a time. As RFC 5545
// has it (3.3.5), a time that they show twice is the first of the two, and one
// that they skip is told by the offset from before.
func inZone(wall time.Time, zone *time.Location) time.Time {
	year, month, day := wall.Date()
	hour, minute, second := wall.Clock()
	found := time.Date(year, month, day, hour, minute, second, 0, zone) // one of the two moments, either
	_, offset := found.Add(-halfDay).Zone()
	before := wall.Add(-time.Duration(offset) * time.Second).In(zone)
	if onWall(before).Equal(wall) || !onWall(found).Equal(wall) {
		return before
	}
	return found
}
