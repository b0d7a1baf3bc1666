package postgres

import (
	"syscall"
	"time"
)

// tcpUserTimeout is TCP_USER_TIMEOUT, which package syscall does not name.
const tcpUserTimeout = 0x12

// confirmIn returns a function for [net.Dialer.Control] that sets TCP_USER_TIMEOUT: the system
// closes a connection whose other end acknowledges no sent data for the time limit. By default
// Linux goes on sending for a quarter of an hour.
func confirmIn(limit time.Duration) func(network, address string, c syscall.RawConn) error {
	return func(network, _ string, c syscall.RawConn) error {
		if network == "unix" {
			return nil
		}
		return c.Control(func(fd uintptr) {
			// If the system refuses the option, its default stays.
			_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout, int(limit.Milliseconds()))
		})
	}
}
