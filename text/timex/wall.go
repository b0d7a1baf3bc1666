package timex

import "time"

// Days, weeks and months are computed with times "on the wall": what the clocks
// of a zone show, written as a time in UTC. Only the result is converted to a
// moment. So a change of the clocks does not move the days around it.

// OnWall returns what the clocks of t's zone show, as a time in UTC.
func OnWall(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.Add(time.Duration(offset) * time.Second).UTC()
}

// halfDay is longer than any change of the clocks for summer time, and shorter
// than the time between two changes.
const halfDay = 12 * time.Hour

// InZone returns the moment at which the clocks of a zone show a time; it is
// the inverse of [OnWall]. As RFC 5545 (3.3.5) says, a time that they show
// twice means the first of the two moments, and a time that they skip is
// computed with the offset before the change.
func InZone(wall time.Time, zone *time.Location) time.Time {
	year, month, day := wall.Date()
	hour, minute, second := wall.Clock()
	// If the clocks show wall twice, found is one of the two moments.
	found := time.Date(year, month, day, hour, minute, second, wall.Nanosecond(), zone)
	_, offset := found.Add(-halfDay).Zone()
	before := wall.Add(-time.Duration(offset) * time.Second).In(zone)
	if OnWall(before).Equal(wall) || !OnWall(found).Equal(wall) {
		return before
	}
	return found
}

// moment converts an end of an interval to a moment. The bounds of open
// intervals stay as they are, and now gives the moment that was asked for, also
// in an hour that the clocks show twice.
func (p *parser) moment(wall time.Time) time.Time {
	switch {
	case p.zone == time.UTC || wall.Equal(Earliest) || wall.Equal(Latest):
		return wall
	case wall.Equal(p.now):
		return p.asked
	}
	return InZone(wall, p.zone)
}
