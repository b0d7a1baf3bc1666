package stdio

import (
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// polled is a file that is read only when there is something to read. Until then the runtime
// polls: a read that waits in the kernel keeps a processor until the runtime takes it away, a
// millisecond or two later, and with two of them the call that was just read has only one.
// The file stays as it is, since others may have it as well: it is not made non-blocking.
type polled struct {
	file  *os.File
	epoll *os.File // watches the file alone
	ready syscall.RawConn
}

// poll returns a file as one that is polled, and what ends that, and with it a read that
// waits. What cannot be polled, such as a regular file, is returned as it is.
func poll(in io.Reader) (io.Reader, func()) {
	if f, ok := in.(*os.File); ok {
		if p, err := newPolled(f); err == nil {
			return p, func() { p.epoll.Close() }
		}
	}
	return in, func() {}
}

func newPolled(f *os.File) (*polled, error) {
	own, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, err
	}
	if err = unix.SetNonblock(fd, true); err != nil { // what tells NewFile to have it polled
		unix.Close(fd)
		return nil, err
	}
	p := &polled{file: f, epoll: os.NewFile(uintptr(fd), "epoll")}
	failed := own.Control(func(file uintptr) {
		err = unix.EpollCtl(fd, unix.EPOLL_CTL_ADD, int(file), &unix.EpollEvent{Events: unix.EPOLLIN})
	})
	if err == nil {
		err = failed
	}
	if err == nil {
		p.ready, err = p.epoll.SyscallConn()
	}
	if err != nil {
		p.epoll.Close()
		return nil, err
	}
	return p, nil
}

// Read implements [io.Reader].
func (p *polled) Read(b []byte) (int, error) {
	err := p.ready.Read(func(epoll uintptr) bool {
		var events [1]unix.EpollEvent
		n, err := unix.EpollWait(int(epoll), events[:], 0)
		return n > 0 || err != nil && err != unix.EINTR // of an error the read tells more
	})
	if err != nil {
		return 0, err
	}
	return p.file.Read(b)
}
