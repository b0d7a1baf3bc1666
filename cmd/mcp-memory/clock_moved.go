//go:build movedclock

package main

import (
	"os"
	"time"

	"mcp-memory/memory"
)

// movedClock is the environment variable with the offset of the clock, such as -36h.
const movedClock = "MEMORY_MOVED_CLOCK"

// machineClock is a clock with an offset, for eval/torture, which lets the clock jump between
// starts. Releases are not built with this tag.
func machineClock() memory.Clock {
	by, err := time.ParseDuration(os.Getenv(movedClock))
	if err != nil {
		return time.Now
	}
	return func() time.Time { return time.Now().Add(by) }
}
