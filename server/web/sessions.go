package web

import (
	"context"
	"crypto/rand"
	"net/http"
	"sync"
	"time"

	mcpserver "github.com/mark3labs/mcp-go/server"
)

// sessions has the sessions of the older era. Each belongs to the identity that made it, and others
// cannot find it. Safe for concurrent use.
type sessions struct {
	clock     func() time.Time
	max, each int           // limits in all, and for one identity
	idle      time.Duration // time without use after which a session ends
	ended     func(id string)
	sharing   *sharing

	mu    sync.Mutex
	all   map[string]*httpSession
	owned map[string]int // by identity
	owing int            // answers still to be sent, of all sessions
	paid  chan struct{}  // closed when owing is 0; nil if nobody waits
}

// httpSession is a session. Its context is cancelled when it ends.
type httpSession struct {
	id, owner string
	used      time.Time
	busy      int // requests and streams that use it
	owing     int // requests accepted whose answers are not yet on its SSE stream
	ctx       context.Context
	end       context.CancelFunc
	looked    time.Time // when the shared state was last read
	shared    time.Time // when the shared state was last written; zero if other servers do not know the session
}

func newSessions(clock func() time.Time, maximum, each int, idle time.Duration) *sessions {
	return &sessions{clock: clock, max: maximum, each: each, idle: idle, all: map[string]*httpSession{}, owned: map[string]int{}}
}

// makeRoom makes room for one more session of an owner. At the owner's limit or the limit of all,
// it ends the owner's session that was unused for longest. It returns false if the owner has no
// session to end.
func (s *sessions) makeRoom(owner string) bool {
	s.mu.Lock()
	var oldest *httpSession
	full := s.owned[owner] >= s.each || len(s.all) >= s.max
	if full {
		for _, h := range s.all {
			if h.owner == owner && h.busy == 0 && (oldest == nil || h.used.Before(oldest.used)) {
				oldest = h
			}
		}
	}
	s.mu.Unlock()
	if oldest != nil {
		s.finish(oldest.id)
	}
	return !full || oldest != nil
}

// add makes a session.
func (s *sessions) add(owner string) *httpSession {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.put(rand.Text(), owner)
}

// put adds a session. The caller holds the lock.
func (s *sessions) put(id, owner string) *httpSession {
	h := &httpSession{id: id, owner: owner, used: s.clock()}
	h.ctx, h.end = context.WithCancel(context.Background())
	s.all[id] = h
	s.owned[owner]++
	return h
}

// adopt adds a session that another server has made.
func (s *sessions) adopt(id, owner string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all[id] == nil {
		s.put(id, owner).shared = s.clock()
	}
}

// seen notes that the shared state of a session was read, and with told also written.
func (s *sessions) seen(id string, told bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.all[id]; h != nil {
		if h.looked = s.clock(); told {
			h.shared = h.looked
		}
	}
}

// stale reports whether the shared state of a session was last read an interval ago or longer.
func (s *sessions) stale(h *httpSession, interval time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clock().Sub(h.looked) >= interval
}

// aged reports whether the shared state of a session has to be written again, before it expires.
func (s *sessions) aged(h *httpSession) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clock().Sub(h.shared) >= s.idle/4
}

// wasShared reports whether a session was ever in the shared state.
func (s *sessions) wasShared(h *httpSession) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !h.shared.IsZero()
}

// use returns a session of an owner. It is not ended as idle before release.
func (s *sessions) use(id, owner string) (*httpSession, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, ok := s.all[id]
	if !ok || h.owner != owner {
		return nil, false
	}
	h.used = s.clock()
	h.busy++
	return h, true
}

func (s *sessions) release(h *httpSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h.used = s.clock()
	h.busy--
}

// remove removes a session and ends its streams. It returns false if there is none.
func (s *sessions) remove(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, ok := s.all[id]
	if !ok {
		return false
	}
	h.end()
	s.owes(h, -h.owing)
	delete(s.all, id)
	if s.owned[h.owner]--; s.owned[h.owner] == 0 {
		delete(s.owned, h.owner)
	}
	return true
}

// finish removes a session, here and in the library.
func (s *sessions) finish(id string) {
	if s.remove(id) && s.ended != nil {
		s.ended(id)
	}
}

// sweep ends sessions that were idle for too long.
func (s *sessions) sweep() {
	s.mu.Lock()
	var stale []string
	for id, h := range s.all {
		if h.busy == 0 && s.clock().Sub(h.used) >= s.idle {
			stale = append(stale, id)
		}
	}
	s.mu.Unlock()
	for _, id := range stale {
		s.finish(id)
	}
}

// owe adds n to the answers that a session's stream still has to send, which never get below 0. It
// does nothing for a session that has ended.
func (s *sessions) owe(h *httpSession, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all[h.id] == h {
		s.owes(h, max(n, -h.owing))
	}
}

// owes is owe for a caller that holds the lock.
func (s *sessions) owes(h *httpSession, n int) {
	h.owing += n
	s.owing += n
	if s.owing == 0 && s.paid != nil {
		close(s.paid)
		s.paid = nil
	}
}

// waitPaid waits until all answers are sent, or ctx is done.
func (s *sessions) waitPaid(ctx context.Context) {
	s.mu.Lock()
	if s.owing == 0 {
		s.mu.Unlock()
		return
	}
	if s.paid == nil {
		s.paid = make(chan struct{})
	}
	paid := s.paid
	s.mu.Unlock()
	select {
	case <-paid:
	case <-ctx.Done():
	}
}

// endStreams cancels the contexts of all sessions, which ends their streams.
func (s *sessions) endStreams() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.all {
		h.end()
	}
}

func (s *sessions) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.all)
}

// ResolveSessionIdManager implements the library's resolver. It returns the sessions that the
// identity of a request can see. The library's own managers know no identities, and the default one
// accepts every well-formed id; see https://github.com/mark3labs/mcp-go/issues/625. The library
// calls it without a request to clean up.
func (s *sessions) ResolveSessionIdManager(r *http.Request) mcpserver.SessionIdManager {
	if r == nil {
		return ownedSessions{s, "", context.Background()}
	}
	return ownedSessions{s, owner(r.Context()).Key(), r.Context()}
}

// ownedSessions is the view that one identity has of the sessions.
type ownedSessions struct {
	*sessions
	owner string
	ctx   context.Context // of the request
}

// Generate implements [mcpserver.SessionIdManager].
func (s ownedSessions) Generate() string {
	id := s.add(s.owner).id
	s.sharing.publish(s.ctx, id) // before the client knows of it
	return id
}

// Validate implements [mcpserver.SessionIdManager]. [Server.mcp] has checked the session before, so
// this only catches requests that reached the library in another way.
func (s ownedSessions) Validate(id string) (terminated bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, ok := s.all[id]
	return !ok || h.owner != s.owner, nil
}

// Terminate implements [mcpserver.SessionIdManager].
func (s ownedSessions) Terminate(id string) (notAllowed bool, err error) {
	s.sharing.end(s.ctx, id)
	s.remove(id)
	return false, nil
}

// endLibrarySession ends a session in the library, which has no function for that. It takes a
// DELETE request, as from a client.
func (s *Server) endLibrarySession(id string) {
	header := http.Header{}
	header.Set(mcpserver.HeaderKeySessionID, id)
	s.stream.Handle(discardWriter{header}, &mcpserver.HTTPRequest{Method: http.MethodDelete, Header: header, Context: context.Background()})
}

// discardWriter discards the library's answer to endLibrarySession.
type discardWriter struct{ header http.Header }

func (w discardWriter) Header() http.Header       { return w.header.Clone() }
func (discardWriter) WriteHeader(int)             {}
func (discardWriter) Write(p []byte) (int, error) { return len(p), nil }
func (discardWriter) Flush()                      {}
func (discardWriter) CanStream() bool             { return false }
