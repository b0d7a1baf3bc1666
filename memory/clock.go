package memory

import "time"

// Clock tells the time. Use cases get one instead of calling [time.Now], so
// that tests decide what day it is.
type Clock func() time.Time

// Now returns the moment as it is stored; see [StoredTime].
func (c Clock) Now() time.Time { return StoredTime(c()) }

// StoredTime returns a time as every database keeps it: in UTC, in whole
// microseconds. Times that are compared with stored ones have to pass it.
func StoredTime(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }
