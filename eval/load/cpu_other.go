//go:build !unix

package main

import "time"

var started = time.Now()

// cpuTime is the time that has passed, where no processor time is told.
func cpuTime() time.Duration { return time.Since(started) }
