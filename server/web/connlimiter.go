package web

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

// connLimiter counts the open connections of all listeners. At the limit it closes a quiet one to
// make room: first one that waits for its next request, as its client has to expect that, then one
// that has not sent a whole request yet. Safe for concurrent use.
//
// [netutil.LimitListener] with short timeouts is not enough. Whoever opens all connections and says
// nothing keeps others out for the timeout, and by connecting again for good. With twice the limit
// of silent connections ahead of it, a client waited two timeouts to be accepted
// (TestIdleConnections; here it is served at once). And a timeout that is short for silent
// connections also ends those of clients that pause between two calls. The LimitListener is still
// used for moments in which connections come faster than room is made.
type connLimiter struct {
	limit int

	mu      sync.Mutex
	open    int                      // connections, without those in closing
	idle    list.List                // of net.Conn between two requests, longest idle first
	unused  list.List                // of net.Conn before their first request, oldest first
	quiet   map[net.Conn]listElement // the position of a connection in idle or unused
	closing map[net.Conn]struct{}    // closed by connLimiter, but not yet reported as closed by net/http
	shut    bool
}

type listElement struct {
	in *list.List
	at *list.Element
}

func newConnLimiter(limit int) *connLimiter {
	return &connLimiter{limit: limit, quiet: map[net.Conn]listElement{}, closing: map[net.Conn]struct{}{}}
}

// stateChanged is the ConnState of an [http.Server].
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

// makeRoom closes the connection that has been quiet for longest. It spares newest and the last one
// in unused, which may be about to send their first request.
func (l *connLimiter) makeRoom(newest net.Conn) {
	for _, quiet := range []*list.List{&l.idle, &l.unused} {
		if first := quiet.Front(); first != nil && (quiet == &l.idle || first != quiet.Back() && first.Value != newest) {
			l.closeConn(first.Value.(net.Conn))
			return
		}
	}
}

// closeConn closes a connection in the background, because with TLS closing first sends a message,
// for which the client may be slow.
func (l *connLimiter) closeConn(conn net.Conn) {
	l.remove(conn)
	l.open--
	l.closing[conn] = struct{}{}
	go conn.Close()
}

// count returns the number of open connections.
func (l *connLimiter) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open
}

// close closes the connections without a first request, and from then on every new one. At shutdown
// net/http would wait five seconds for each of them. It closes idle connections itself, after their
// last answer is sent.
func (l *connLimiter) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shut = true
	for first := l.unused.Front(); first != nil; first = l.unused.Front() {
		l.closeConn(first.Value.(net.Conn))
	}
}
