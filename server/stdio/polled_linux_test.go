package stdio_test

import (
	"context"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"mcp-memory/server/servertest"
	"mcp-memory/server/stdio"
)

const ping = `{"jsonrpc":"2.0","id":6,"method":"ping"}` + "\n"

// TestPolled serves a pipe, and one end of a socket, as hosts give them: both block, and go on
// doing so. A read that waits ends with the server, and what is written then is another's.
func TestPolled(t *testing.T) {
	for name, open := range map[string]func() (fds [2]int, err error){
		"pipe": func() (fds [2]int, err error) { err = unix.Pipe(fds[:]); return fds, err },
		"socket": func() (fds [2]int, err error) {
			return unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		},
	} {
		t.Run(name, func(t *testing.T) {
			fds, err := open()
			if err != nil {
				t.Fatal(err)
			}
			in, client := os.NewFile(uintptr(fds[0]), "in"), os.NewFile(uintptr(fds[1]), "client")
			defer in.Close()
			defer client.Close()
			out, theirs := net.Pipe()
			ctx, cancel := context.WithCancel(t.Context())
			s, _ := servertest.New(t, nil)
			served := make(chan error, 1)
			go func() { served <- stdio.Serve(ctx, s, in, out) }()
			answer := make([]byte, 1000)
			for range 3 {
				if _, err := client.WriteString(ping); err != nil {
					t.Fatal(err)
				}
				if n, err := theirs.Read(answer); err != nil || !strings.Contains(string(answer[:n]), `"id":6,"result"`) {
					t.Fatalf("%q, %v", answer[:n], err)
				}
			}
			if flags, err := unix.FcntlInt(uintptr(fds[0]), unix.F_GETFL, 0); err != nil || flags&unix.O_NONBLOCK != 0 {
				t.Errorf("it does not block any more: flags %x, %v", flags, err)
			}
			cancel()
			if err := <-served; err != nil {
				t.Error(err)
			}
			if _, err := client.WriteString("after"); err != nil {
				t.Fatal(err)
			}
			for range 50 { // a reader that was left behind would take it soon
				time.Sleep(time.Millisecond)
				if n, err := unix.IoctlGetInt(fds[0], unix.TIOCINQ); err != nil || n != len("after") {
					t.Fatalf("of what came after the server %d bytes are left: %v", n, err)
				}
			}
		})
	}
}

// TestPolledEnds serves a pipe until its other end is closed.
func TestPolledEnds(t *testing.T) {
	var fds [2]int
	if err := unix.Pipe(fds[:]); err != nil {
		t.Fatal(err)
	}
	in, client := os.NewFile(uintptr(fds[0]), "in"), os.NewFile(uintptr(fds[1]), "client")
	defer in.Close()
	s, _ := servertest.New(t, nil)
	out := new(strings.Builder)
	served := make(chan error, 1)
	go func() { served <- stdio.Serve(t.Context(), s, in, out) }()
	if _, err := client.WriteString(ping); err != nil {
		t.Fatal(err)
	}
	client.Close()
	if err := <-served; err != nil || !strings.Contains(out.String(), `"id":6,"result"`) {
		t.Errorf("%q, %v", out, err)
	}
}
