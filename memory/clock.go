package memory

import "time"

// Clock tells the time. Use cases get one instead of calling [time.Now], so
// that tests decide what day it is. The location of what it returns is the time
// zone of the user: there, days begin and end.
type Clock func() time.Time

// Now returns the moment as it is stored; see [StoredTime].
func (c Clock) Now() time.Time { return StoredTime(c()) }

// Zone returns the time zone of the user.
func (c Clock) Zone() *time.Location { return c().Location() }

// Here returns the moment as it is stored, in the time zone of the user.
func (c Clock) Here() time.Time {
	t := c()
	return StoredTime(t).In(t.Location())
}

// In returns a stored time in the time zone of the user. A date without an hour
// ([DateOnly]) stays in UTC, where it shows that date.
func (c Clock) In(t time.Time) time.Time {
	if DateOnly(t) {
		return t
	}
	return t.In(c.Zone())
}

// Day returns the date of a stored time where the user is, YYYY-MM-DD.
func (c Clock) Day(t time.Time) string { return c.In(t).Format(time.DateOnly) }

// StoredTime returns a time as every database keeps it: in UTC, in whole microseconds. A time that
// is compared with stored ones has to be converted by it first.
func StoredTime(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// Clocked is a [Store] that several machines share. They all go by the database's clock, as a lease
// would end too early or too late on a machine whose own clock is wrong.
type Clocked interface {
	// Offset is what has to be added to this machine's time, 0 if they agree within a second.
	Offset() time.Duration
}

// DateOnly reports whether a stored time is a date without an hour, which is
// kept as midnight in UTC and is that date in every time zone.
func DateOnly(t time.Time) bool { return t.Truncate(24 * time.Hour).Equal(t) }
