package web

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

// crowd are the open connections of all listeners. When they reach the limit,
// those on which nothing is asked make room, so that nobody keeps others out by
// connecting: first one that waits for another request, whose client expects
// that it may be closed, then one that has not said anything whole. Safe for
// concurrent use.
type crowd struct {
	limit int

	mu      sync.Mutex
	open    int       // without those that are leaving
	idle    list.List // of net.Conn after a request, quiet for longest first
	fresh   list.List // of net.Conn before their first
	quiet   map[net.Conn]place
	leaving map[net.Conn]struct{} // closed by us, of which the server does not know yet
	shut    bool
}

// place is where a quiet connection is.
type place struct {
	in *list.List
	at *list.Element
}

func newCrowd(limit int) *crowd {
	return &crowd{limit: limit, quiet: map[net.Conn]place{}, leaving: map[net.Conn]struct{}{}}
}

// watch is an [http.Server]'s ConnState.
func (c *crowd) watch(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.leaving[conn]; ok {
		if state == http.StateClosed {
			delete(c.leaving, conn)
		}
		return
	}
	c.forget(conn)
	switch state {
	case http.StateNew:
		c.open++
		c.add(conn, &c.fresh)
	case http.StateIdle:
		c.add(conn, &c.idle)
	case http.StateClosed, http.StateHijacked:
		c.open--
	}
	if c.open >= c.limit {
		c.makeRoom(conn)
	}
}

func (c *crowd) forget(conn net.Conn) {
	if p, ok := c.quiet[conn]; ok {
		p.in.Remove(p.at)
		delete(c.quiet, conn)
	}
}

func (c *crowd) add(conn net.Conn, to *list.List) {
	if c.shut && to == &c.fresh {
		c.hangUp(conn)
		return
	}
	c.quiet[conn] = place{to, to.PushBack(conn)}
}

// makeRoom closes the connection that was quiet for longest, but not one that
// has only come.
func (c *crowd) makeRoom(come net.Conn) {
	for _, l := range []*list.List{&c.idle, &c.fresh} {
		if first := l.Front(); first != nil && (first.Value != come || l == &c.idle) {
			conn := first.Value.(net.Conn)
			c.hangUp(conn)
			return
		}
	}
}

// hangUp closes a connection, not waiting for it: with TLS that says goodbye
// first, and the client may be slow.
func (c *crowd) hangUp(conn net.Conn) {
	c.forget(conn)
	c.open--
	c.leaving[conn] = struct{}{}
	go conn.Close()
}

// count returns how many are open.
func (c *crowd) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open
}

// close closes the connections on which nothing was asked, and those that come
// later: the library of HTTP would wait five seconds for each to say something.
// It closes the idle ones itself, when what they were told last is sent.
func (c *crowd) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shut = true
	for first := c.fresh.Front(); first != nil; first = c.fresh.Front() {
		c.hangUp(first.Value.(net.Conn))
	}
}
