//go:build !linux

package postgres

import (
	"syscall"
	"time"
)

// confirmIn does nothing: the system's own patience counts.
func confirmIn(time.Duration) func(network, address string, c syscall.RawConn) error { return nil }
