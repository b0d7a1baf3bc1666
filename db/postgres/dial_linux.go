package postgres

import (
	"syscall"
	"time"
)

// tcpUserTimeout is TCP_USER_TIMEOUT, which package syscall does not name.
const tcpUserTimeout = 0x12

// confirmIn ends a connection whose other end does not confirm what was sent for so long.
// Without it the system tries for a quarter of an hour.
func confirmIn(limit time.Duration) func(network, address string, c syscall.RawConn) error {
	return func(network, _ string, c syscall.RawConn) error {
		if network == "unix" {
			return nil
		}
		return c.Control(func(fd uintptr) {
			// Where the system refuses it, its own patience is what remains.
			_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout, int(limit.Milliseconds()))
		})
	}
}
