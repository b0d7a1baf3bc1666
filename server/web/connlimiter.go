package web

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

// connLimiter counts the open connections of all listeners, and at the limit
// closes one that is quiet to make room: first one that waits for another
// request, whose client expects that it may be closed, then one that has not
// sent a whole request. Safe for concurrent use.
//
// [netutil.LimitListener] and short timeouts do not do it: whoever holds all
// connections and says nothing keeps the others out for the timeout, and by
// connecting again for good. With twice the limit of silent connections ahead, a
// client waited two timeouts to be accepted (TestIdleConnections; here it is
// served at once). And what is short for silence is short for clients that keep
// a connection between two calls. The LimitListener stays for the moments in
// which connections come faster than room is made.
type connLimiter struct {
	limit int

	mu      sync.Mutex
	open    int                      // without those that are closing
	idle    list.List                // of net.Conn between two requests, longest idle first
	unused  list.List                // of net.Conn before their first request, oldest first
	quiet   map[net.Conn]listElement // where in the two lists it is
	closing map[net.Conn]struct{}    // closed by us, of which the server does not know yet
	shut    bool
}

type listElement struct {
	in *list.List
	at *list.Element
}

func newConnLimiter(limit int) *connLimiter {
	return &connLimiter{limit: limit, quiet: map[net.Conn]listElement{}, closing: map[net.Conn]struct{}{}}
}

// stateChanged is an [http.Server]'s ConnState.
func (l *connLimiter) stateChanged(conn net.Conn, state http.ConnState) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.closing[conn]; ok {
		if state == http.StateClosed {
			delete(l.closing, conn)
		}
		return
	}
	l.remove(conn)
	switch state {
	case http.StateNew:
		l.open++
		if l.shut {
			l.closeConn(conn)
			return
		}
		l.add(conn, &l.unused)
	case http.StateIdle:
		l.add(conn, &l.idle)
	case http.StateClosed, http.StateHijacked:
		l.open--
	}
	if l.open >= l.limit {
		l.makeRoom(conn)
	}
}

func (l *connLimiter) add(conn net.Conn, in *list.List) {
	l.quiet[conn] = listElement{in, in.PushBack(conn)}
}

func (l *connLimiter) remove(conn net.Conn) {
	if e, ok := l.quiet[conn]; ok {
		e.in.Remove(e.at)
		delete(l.quiet, conn)
	}
}

// makeRoom closes the connection that was quiet for longest, but not the last one
// that was opened: it may be about to ask, whichever connection's change this is about.
func (l *connLimiter) makeRoom(newest net.Conn) {
	for _, quiet := range []*list.List{&l.idle, &l.unused} {
		if first := quiet.Front(); first != nil && (quiet == &l.idle || first != quiet.Back() && first.Value != newest) {
			l.closeConn(first.Value.(net.Conn))
			return
		}
	}
}

// closeConn closes a connection, not waiting for it: with TLS that says goodbye
// first, and the client may be slow.
func (l *connLimiter) closeConn(conn net.Conn) {
	l.remove(conn)
	l.open--
	l.closing[conn] = struct{}{}
	go conn.Close()
}

// count returns how many are open.
func (l *connLimiter) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open
}

// close closes the connections on which nothing was asked, and those that come
// later: at shutdown net/http would wait five seconds for each to say something.
// It closes the idle ones itself, when what they were told last is sent.
func (l *connLimiter) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shut = true
	for first := l.unused.Front(); first != nil; first = l.unused.Front() {
		l.closeConn(first.Value.(net.Conn))
	}
}
