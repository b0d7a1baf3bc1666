package stdio

import (
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// polled is a file that is read only when the runtime's poller says that there is something to
// read. A read that blocks in the kernel would hold a processor until the runtime takes it away, a
// millisecond or two later. With two processors, the call that was just read then has only one. The
// file itself is not made non-blocking, because other processes may share it.
type polled struct {
	file  *os.File
	epoll *os.File // watches the file only
	ready syscall.RawConn
}

// poll returns in wrapped as polled, and a function that ends the polling and with it a read that
// is waiting. What cannot be polled, such as a regular file, is returned as it is.
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
	if err = unix.SetNonblock(fd, true); err != nil { // then os.NewFile registers it with the runtime's poller
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
		return n > 0 || err != nil && err != unix.EINTR // after an error, the read reports it
	})
	if err != nil {
		return 0, err
	}
	return p.file.Read(b)
}
