//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpuTime is what this process has used of all processors, system calls
// included.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
