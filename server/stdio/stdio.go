package stdio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"mcp-memory/server"
	"mcp-memory/server/jsonrpc"
)

// connection is a server's connection to one client over two pipes.
type connection struct {
	mcp     *mcpserver.MCPServer
	opts    server.Options
	ctx     context.Context // of calls; cancelled when the time for them after a shutdown is over
	session *session
	calls   *calls
	out     *output
}

// Serve serves one client until in ends, ctx is done or writing to out fails. At the end of in,
// everything that was read is executed and answered first. When ctx is done, the call in progress
// is finished, for up to the server's Grace, and waiting calls are dropped. The error is nil at the
// end of in, after ctx is done, and if the client has hung up. Any other failure to read or write
// is returned.
//
// A read in progress can only be interrupted if in can be polled (a pipe, socket or terminal on
// Linux). Otherwise the reading goroutine stays after ctx is done until in yields something, so in
// should not be used again.
func Serve(ctx context.Context, s *server.Server, in io.Reader, out io.Writer) error {
	o := s.Options()
	c := &connection{mcp: s.MCP(), opts: o, calls: newCalls(), out: newOutput(out, o.Log)}
	c.session = newSession(c.out)
	detach, err := s.Attach(ctx, c.session)
	if err != nil {
		return err
	}
	defer detach()
	base, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	c.ctx = c.mcp.WithContext(base, c.session)

	in, end := poll(in)
	defer end()
	readErr := make(chan error, 1)
	go func() {
		readErr <- c.read(in)
		close(c.session.gone)
		c.calls.close(false)
	}()
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		c.work()
		stop() // calls outside of the queue last until they are cancelled
		c.calls.others.Wait()
		c.out.close()
	}()
	select {
	case <-finished:
	case <-ctx.Done():
		c.shutDown(finished)
	case <-c.out.ended:
		c.shutDown(finished)
	}
	return c.outcome(readErr)
}

// shutDown drops the waiting calls and waits for the call in progress, up to Grace.
func (c *connection) shutDown(finished <-chan struct{}) {
	c.calls.close(true)
	select {
	case <-finished:
	case <-time.After(c.opts.Grace):
		c.opts.Log.Warn("a call was not finished at shutdown", "grace", c.opts.Grace)
	}
}

func (c *connection) outcome(readErr <-chan error) error {
	select {
	case <-c.out.ended:
		if err := c.out.err; err != nil && !hungUp(err) {
			return fmt.Errorf("write to the client: %w", err)
		}
	default:
	}
	select {
	case err := <-readErr:
		return err
	default:
		return nil
	}
}

// read accepts messages until the input ends.
func (c *connection) read(in io.Reader) error {
	lines := newLines(in, c.opts.MaxLine)
	for {
		ln, err := lines.next()
		switch {
		case errors.Is(err, io.EOF), hungUp(err):
			return nil
		case err != nil:
			return fmt.Errorf("read from the client: %w", err)
		}
		if c.accept(ln) != nil {
			return nil // output.err has the reason, unless the connection is shut down
		}
	}
}

// accept handles a line at once or queues it. It only fails if nothing can be written any more, or
// if calls are no longer accepted.
func (c *connection) accept(ln line) error {
	if ln.over {
		return c.out.send(jsonrpc.Error(ln.id(), mcp.INVALID_REQUEST, fmt.Sprintf(
			"too_large: a message may have up to %d bytes (split it into several)", c.opts.MaxLine)))
	}
	m, wrong := jsonrpc.Parse(ln.data)
	if wrong != nil {
		return c.out.send(wrong)
	}
	m = c.out.ids.Hide(m)
	one := &call{Message: m}
	one.ctx, one.cancel = context.WithCancel(c.ctx)
	switch {
	case m.Method == "":
		c.session.resolve(string(m.ID), m.Reply)
	case m.Method == string(mcp.MethodNotificationCancelled):
		c.calls.cancel(cancelled(m.Params))
	case m.ID == nil, m.Method == string(mcp.MethodPing):
		return c.handle(one)
	case m.Method == string(mcp.MethodSubscriptionsListen):
		c.calls.runConcurrently(one, func() { _ = c.handle(one) })
		return nil
	default:
		if !c.calls.push(one) {
			one.cancel()
			return io.ErrClosedPipe
		}
		return nil
	}
	one.cancel()
	return nil
}

// cancelled returns the id of the request that a notification cancels, "" for none.
func cancelled(params json.RawMessage) string {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	_ = json.Unmarshal(params, &p) // without an id it cancels nothing
	return string(p.RequestID)
}

// work makes the queued calls one after the other.
func (c *connection) work() {
	for {
		one, ok := c.calls.pop()
		if !ok {
			return
		}
		if c.handle(one) != nil {
			c.calls.close(true)
			return
		}
	}
}

// handle makes a call and answers it. As the protocol demands, a call that failed because it was
// cancelled gets no answer. One that succeeded nevertheless gets its answer.
func (c *connection) handle(one *call) error {
	defer c.calls.done(one)
	answer := c.dispatch(one)
	if answer == nil || one.ctx.Err() != nil && c.ctx.Err() == nil && failed(answer) {
		return nil
	}
	err := c.out.send(withID(answer, one.ID))
	if errors.Is(err, errUnfit) {
		c.opts.Log.Error("marshal answer", "method", one.Method, "err", err)
		return c.out.send(jsonrpc.Error(one.ID, mcp.INTERNAL_ERROR, "internal: the answer could not be written"))
	}
	return err
}

func (c *connection) dispatch(one *call) (answer mcp.JSONRPCMessage) {
	defer func() {
		if p := recover(); p != nil {
			c.opts.Log.Error("panic", "method", one.Method, "panic", p, "stack", string(debug.Stack()))
			if answer = nil; one.ID != nil {
				answer = *jsonrpc.Error(one.ID, mcp.INTERNAL_ERROR, "internal: something went wrong inside the server")
			}
		}
	}()
	return c.mcp.HandleMessage(one.ctx, one.Raw)
}
