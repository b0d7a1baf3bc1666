package stdio

import (
	"context"
	"sync"

	"mcp-memory/server/jsonrpc"
)

// maxQueued is how many bytes of requests may be queued before reading from the client stops. A
// single larger request is still queued.
const maxQueued = 16 << 20

// call is a request that has been read but not answered.
type call struct {
	jsonrpc.Message
	ctx    context.Context
	cancel context.CancelFunc // called when the client cancels, and at the end
}

// calls has the requests of a connection: a queue in order of arrival, and an index by id of all
// that are unanswered, for cancellation. Safe for concurrent use.
type calls struct {
	mu     sync.Mutex
	change sync.Cond
	queue  []*call
	bytes  int // of the queue
	open   map[string]*call
	closed bool
	others sync.WaitGroup // calls that run outside of the queue
}

func newCalls() *calls {
	c := &calls{open: map[string]*call{}}
	c.change.L = &c.mu
	return c
}

// push queues a call, and waits while the queue is full. It returns false if the queue is closed:
// then the call is not made.
func (c *calls) push(one *call) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for !c.closed && len(c.queue) > 0 && c.bytes+len(one.Raw) > maxQueued {
		c.change.Wait()
	}
	if c.closed {
		return false
	}
	c.queue = append(c.queue, one)
	c.bytes += len(one.Raw)
	c.open[string(one.ID)] = one
	c.change.Broadcast()
	return true
}

// pop waits for the next call that was not cancelled. It returns false if the queue is closed and
// empty.
func (c *calls) pop() (*call, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		for len(c.queue) == 0 && !c.closed {
			c.change.Wait()
		}
		if len(c.queue) == 0 {
			return nil, false
		}
		one := c.queue[0]
		c.queue[0] = nil
		c.queue = c.queue[1:]
		c.bytes -= len(one.Raw)
		c.change.Broadcast()
		if one.ctx.Err() == nil {
			return one, true
		}
		c.forget(one)
	}
}

// runConcurrently starts fn for a call that does not go through the queue. It does nothing if calls
// is closed.
func (c *calls) runConcurrently(one *call, fn func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	c.open[string(one.ID)] = one
	c.others.Go(fn)
}

// done forgets a call that was answered.
func (c *calls) done(one *call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget(one)
}

func (c *calls) forget(one *call) {
	one.cancel()
	if c.open[string(one.ID)] == one {
		delete(c.open, string(one.ID))
	}
}

// cancel cancels the unanswered call with that id, if there is one. A call that is still queued
// will not be made.
func (c *calls) cancel(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if one, ok := c.open[id]; ok {
		one.cancel()
	}
}

// close stops accepting calls. Queued calls are still made, unless drop is set.
func (c *calls) close(drop bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if drop {
		c.queue, c.bytes = nil, 0
	}
	c.change.Broadcast()
}
