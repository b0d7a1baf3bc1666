//go:build unix

package stdio_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"mcp-memory/server/servertest"
	"mcp-memory/server/stdio"
)

// TestPipe serves a pipe as hosts give one, which blocks: it is answered, a read that waits ends
// with the server, and the pipe blocks again.
func TestPipe(t *testing.T) {
	var fds [2]int
	if err := unix.Pipe(fds[:]); err != nil {
		t.Fatal(err)
	}
	in, client := os.NewFile(uintptr(fds[0]), "in"), os.NewFile(uintptr(fds[1]), "client")
	defer in.Close()
	defer client.Close()
	blocks := func() bool {
		flags, err := unix.FcntlInt(in.Fd(), unix.F_GETFL, 0)
		if err != nil {
			t.Fatal(err)
		}
		return flags&unix.O_NONBLOCK == 0
	}
	if !blocks() {
		t.Fatal("the pipe of the test does not block: it shows nothing")
	}
	if _, err := client.WriteString(`{"jsonrpc":"2.0","id":6,"method":"ping"}` + "\n"); err != nil {
		t.Fatal(err)
	}
	s, _ := servertest.New(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	out, pong := new(bytes.Buffer), make(chan struct{})
	served := make(chan error, 1)
	go func() { served <- stdio.Serve(ctx, s, in, writer(func(p []byte) { out.Write(p); close(pong) })) }()
	<-pong
	if blocks() {
		t.Error("the pipe is not polled: it holds a processor")
	}
	cancel()
	select {
	case err := <-served:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the server does not end")
	}
	if got := out.String(); !strings.Contains(got, `"id":6,"result"`) {
		t.Errorf("%s", got)
	}
	if !blocks() {
		t.Error("the pipe does not block any more")
	}
}

// writer is called with what is written.
type writer func([]byte)

func (w writer) Write(p []byte) (int, error) {
	w(p)
	return len(p), nil
}
