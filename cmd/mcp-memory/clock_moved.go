//go:build movedclock

package main

import (
	"os"
	"time"

	"mcp-memory/memory"
)

// movedClock is the variable of the environment that says by how much the clock is wrong, such as -36h.
const movedClock = "MEMORY_MOVED_CLOCK"

// machineClock is the clock of a machine whose clock is wrong: for eval/torture, which lets it jump between
// starts. No release is built with this tag.
func machineClock() memory.Clock {
	by, err := time.ParseDuration(os.Getenv(movedClock))
	if err != nil {
		return time.Now
	}
	return func() time.Time { return time.Now().Add(by) }
}
