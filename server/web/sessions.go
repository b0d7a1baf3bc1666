package web

import (
	"context"
	"crypto/rand"
	"net/http"
	"sync"
	"time"

	mcpserver "github.com/mark3labs/mcp-go/server"
)

// sessions are those of the older protocol era. Each belongs to the identity
// that made it; to all others it does not exist. Safe for concurrent use.
type sessions struct {
	clock     func() time.Time
	max, each int           // in all, and of one identity
	idle      time.Duration // after which one is forgotten
	ended     func(id string)
	sharing   *sharing

	mu    sync.Mutex
	all   map[string]*httpSession
	owned map[string]int // by identity
	owing int            // answers that are owed in all
	paid  chan struct{}  // closed when none is; nil unless somebody waits
}

// httpSession is a session. Its context ends with it.
type httpSession struct {
	id, owner string
	used      time.Time
	busy      int // requests and streams that use it
	owing     int // requests that were taken and whose answers are not on its SSE stream
	ctx       context.Context
	end       context.CancelFunc
	looked    time.Time // when other servers were asked last
	shared    time.Time // when other servers were told last; zero for never
}

func newSessions(clock func() time.Time, maximum, each int, idle time.Duration) *sessions {
	return &sessions{clock: clock, max: maximum, each: each, idle: idle, all: map[string]*httpSession{}, owned: map[string]int{}}
}

// makeRoom makes room for one more session of an owner: at its own limit and at
// that of all, the session that it has not used for longest ends. It reports
// false when there is none to be had.
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

// put needs the lock.
func (s *sessions) put(id, owner string) *httpSession {
	h := &httpSession{id: id, owner: owner, used: s.clock()}
	h.ctx, h.end = context.WithCancel(context.Background())
	s.all[id] = h
	s.owned[owner]++
	return h
}

// adopt makes a session of another server one of this as well.
func (s *sessions) adopt(id, owner string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all[id] == nil {
		s.put(id, owner).shared = s.clock()
	}
}

// seen notes that other servers were asked of a session, or were told.
func (s *sessions) seen(id string, told bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.all[id]; h != nil {
		if h.looked = s.clock(); told {
			h.shared = h.looked
		}
	}
}

// stale reports whether other servers were not asked for an interval.
func (s *sessions) stale(h *httpSession, interval time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clock().Sub(h.looked) >= interval
}

// aged reports whether other servers have to be told that a session is still used.
func (s *sessions) aged(h *httpSession) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clock().Sub(h.shared) >= s.idle/4
}

// wasShared reports whether other servers know of a session.
func (s *sessions) wasShared(h *httpSession) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !h.shared.IsZero()
}

// use returns an owner's session, which stays until release.
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

// remove forgets a session and ends its streams.
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

// finish removes a session and what the library keeps of it.
func (s *sessions) finish(id string) {
	if s.remove(id) && s.ended != nil {
		s.ended(id)
	}
}

// sweep ends the sessions that were idle for too long.
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

// owe adds to the answers that are owed on a session's stream. A session that
// has ended owes nothing, and none owes less.
func (s *sessions) owe(h *httpSession, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all[h.id] == h {
		s.owes(h, max(n, -h.owing))
	}
}

// owes needs the lock.
func (s *sessions) owes(h *httpSession, n int) {
	h.owing += n
	s.owing += n
	if s.owing == 0 && s.paid != nil {
		close(s.paid)
		s.paid = nil
	}
}

// waitPaid waits until no answer is owed, or ctx is done.
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

// endStreams ends the streams of all sessions.
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

// ResolveSessionIdManager implements the library's resolver: sessions as the
// identity of a request sees them. The library's own managers know no identities,
// and the one it takes by default accepts every id of the right form; see
// https://github.com/mark3labs/mcp-go/issues/625. It calls this without a request
// to clean up.
func (s *sessions) ResolveSessionIdManager(r *http.Request) mcpserver.SessionIdManager {
	if r == nil {
		return ownedSessions{s, "", context.Background()}
	}
	return ownedSessions{s, owner(r.Context()).Key(), r.Context()}
}

// ownedSessions are the sessions that one identity sees.
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

// Validate implements [mcpserver.SessionIdManager]. [Server.mcp] has checked it
// already; what got past it without a session finds none here.
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

// endLibrarySession ends a session in the library, which offers that to clients
// only: it takes a DELETE.
func (s *Server) endLibrarySession(id string) {
	header := http.Header{}
	header.Set(mcpserver.HeaderKeySessionID, id)
	s.stream.Handle(discardWriter{header}, &mcpserver.HTTPRequest{Method: http.MethodDelete, Header: header, Context: context.Background()})
}

// discardWriter takes the library's answer to endLibrarySession.
type discardWriter struct{ header http.Header }

func (w discardWriter) Header() http.Header       { return w.header.Clone() }
func (discardWriter) WriteHeader(int)             {}
func (discardWriter) Write(p []byte) (int, error) { return len(p), nil }
func (discardWriter) Flush()                      {}
func (discardWriter) CanStream() bool             { return false }
