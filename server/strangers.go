package server

import (
	"net"
	"net/http"
	"sync"
)

// strangers are open connections on which nothing was asked yet: clients open
// some ahead. At shutdown the library of HTTP would wait five seconds for each
// to say something. Safe for concurrent use; the zero value has none.
type strangers struct {
	mu   sync.Mutex
	all  map[net.Conn]struct{}
	shut bool
}

// watch is an [http.Server]'s ConnState.
func (s *strangers) watch(c net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case state != http.StateNew:
		delete(s.all, c)
	case s.shut:
		c.Close()
	default:
		if s.all == nil {
			s.all = map[net.Conn]struct{}{}
		}
		s.all[c] = struct{}{}
	}
}

// close closes them, and those that come later.
func (s *strangers) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shut = true
	for c := range s.all {
		c.Close()
	}
}
