//go:build !movedclock

package main

import (
	"time"

	"mcp-memory/memory"
)

// machineClock is the clock of the machine.
func machineClock() memory.Clock { return time.Now }
