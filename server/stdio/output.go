package stdio

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"syscall"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-memory/server/jsonrpc"
)

// output is the only writer of a connection. One goroutine writes notifications and answers, so a
// call's notifications are written before its answer, and lines are never mixed.
type output struct {
	w     io.Writer
	log   *slog.Logger
	notes chan mcp.JSONRPCNotification
	lines chan outgoing
	quit  chan struct{} // closed to end the goroutine
	ended chan struct{} // closed when nothing is written any more
	err   error         // the error that ended it, or nil; read it only after ended
	ids   *jsonrpc.Exact
}

type outgoing struct {
	data []byte
	done chan error
}

// noteBacklog is how many notifications may wait for a client that reads slowly. Further ones are
// dropped.
const noteBacklog = 256

func newOutput(w io.Writer, log *slog.Logger) *output {
	o := &output{
		w: w, log: log,
		notes: make(chan mcp.JSONRPCNotification, noteBacklog),
		lines: make(chan outgoing),
		quit:  make(chan struct{}),
		ended: make(chan struct{}),
		ids:   jsonrpc.NewExact(),
	}
	go o.run()
	return o
}

func (o *output) run() {
	defer close(o.ended)
	for o.err == nil {
		select {
		case note := <-o.notes:
			o.note(note)
		case line := <-o.lines:
			o.notesWaiting()
			o.write(line.data)
			line.done <- o.err
		case <-o.quit:
			o.notesWaiting()
			return
		}
	}
}

func (o *output) notesWaiting() {
	for {
		select {
		case note := <-o.notes:
			o.note(note)
		default:
			return
		}
	}
}

func (o *output) note(note mcp.JSONRPCNotification) {
	data, err := json.Marshal(note)
	if err != nil {
		o.log.Error("marshal notification", "method", note.Method, "err", err)
		return
	}
	o.write(data)
}

func (o *output) write(data []byte) {
	if o.err == nil {
		_, o.err = o.w.Write(append(o.ids.Reveal(data), '\n'))
	}
}

// errUnfit means that a message cannot be marshalled, so that nothing was written.
var errUnfit = errors.New("cannot be marshalled")

// send writes one message and returns when it is written. After the end of the connection it
// returns the error that ended it, or [io.ErrClosedPipe].
func (o *output) send(message any) error {
	data, err := json.Marshal(message)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnfit, err)
	}
	line := outgoing{data, make(chan error, 1)}
	select {
	case o.lines <- line:
		return <-line.done
	case <-o.ended:
		if o.err != nil {
			return o.err
		}
		return io.ErrClosedPipe
	}
}

// close writes the waiting notifications and ends the goroutine.
func (o *output) close() {
	close(o.quit)
	<-o.ended
}

// hungUp reports whether a write failed because the client is gone, which is a normal end of a
// connection.
func hungUp(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) || errors.Is(err, os.ErrClosed)
}
