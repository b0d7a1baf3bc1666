package timex

import "time"

// Days, weeks and months are worked out on a clock on the wall: a time in UTC
// that shows what the clocks of a zone show. Only what comes of them is given its
// offset, so no day on which the clocks change moves the days around it.

// OnWall returns what the clocks of t's zone show, as a time in UTC.
func OnWall(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.Add(time.Duration(offset) * time.Second).UTC()
}

// halfDay is longer than any change of the clocks and shorter than from one to
// the next.
const halfDay = 12 * time.Hour

// InZone returns the moment at which the clocks of a zone show a time, the
// inverse of [OnWall]. As RFC 5545 has it (3.3.5), a time that they show twice is
// the first of the two, and one that they skip is told by the offset from before.
func InZone(wall time.Time, zone *time.Location) time.Time {
	year, month, day := wall.Date()
	hour, minute, second := wall.Clock()
	found := time.Date(year, month, day, hour, minute, second, wall.Nanosecond(), zone) // one of the two moments, either
	_, offset := found.Add(-halfDay).Zone()
	before := wall.Add(-time.Duration(offset) * time.Second).In(zone)
	if OnWall(before).Equal(wall) || !OnWall(found).Equal(wall) {
		return before
	}
	return found
}

// moment gives an end of an interval its offset. What is open stays so, and now
// is now, also in the hour that clocks show twice.
func (p *parser) moment(wall time.Time) time.Time {
	switch {
	case p.zone == time.UTC || wall.Equal(Earliest) || wall.Equal(Latest):
		return wall
	case wall.Equal(p.now):
		return p.asked
	}
	return InZone(wall, p.zone)
}
