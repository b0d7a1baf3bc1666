//go:build !linux

package postgres

import (
	"syscall"
	"time"
)

// confirmIn does nothing: TCP_USER_TIMEOUT is an option of Linux, elsewhere the system's own
// timeout applies.
func confirmIn(time.Duration) func(network, address string, c syscall.RawConn) error { return nil }
