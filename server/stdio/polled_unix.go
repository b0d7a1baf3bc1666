//go:build unix

package stdio

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// polled returns a pipe or socket as one that the runtime polls, and what ends that. A read
// that waits in the kernel keeps a processor until the runtime takes it away, a millisecond
// or two later: with two of them the call that was just read had only one. Anything else is
// returned as it is: a terminal may be shared with who started the program.
func polled(in io.Reader) (io.Reader, func()) {
	asIs := func() {}
	f, ok := in.(*os.File)
	if !ok {
		return in, asIs
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&(os.ModeNamedPipe|os.ModeSocket) == 0 {
		return in, asIs
	}
	raw, err := f.SyscallConn()
	if err != nil {
		return in, asIs
	}
	fd := -1
	control := raw.Control(func(own uintptr) {
		if flags, failed := unix.FcntlInt(own, unix.F_GETFL, 0); failed == nil && flags&unix.O_NONBLOCK == 0 { // else it is polled
			fd, _ = unix.FcntlInt(own, unix.F_DUPFD_CLOEXEC, 0)
		}
	})
	if control != nil || fd < 0 {
		return in, asIs
	}
	if unix.SetNonblock(fd, true) != nil {
		_ = unix.Close(fd)
		return in, asIs
	}
	copied := os.NewFile(uintptr(fd), f.Name()) // which polls what does not block
	return copied, func() {
		_ = unix.SetNonblock(fd, false) // of both, and of whoever else has it
		copied.Close()
	}
}
