package web

import (
	"crypto/rand"
	"crypto/sha256"
	"net"
	"net/http"
	"sync"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
)

// session is one browser that was let in.
type session struct {
	id    string // what the cookie says
	key   string // what each form says
	token string // by which it came in; "" for a link or where none is needed
	begun time.Time

	atIssuer bool       // it came in by an issuer's dialogue
	renewing sync.Mutex // held by who looks whether that is still good; for the next four
	login    access.Login
	again    time.Time // before which an issuer that did not answer is not asked again
	failed   error     // what it did then
	ended    bool      // the issuer does not know it any more

	mu       sync.Mutex
	used     time.Time
	identity *access.Identity // nil is the process's own agent
	project  *string          // that was chosen; nil is none yet
	notes    []note           // to be shown once
	events   []eventDone      // the newest last
}

// note is what a page says once about what was done.
type note struct {
	text string
	undo string // id by which it is taken back, "" for none
}

const (
	maxSessions = 256
	// linkLife is how long a link may be used.
	linkLife = 10 * time.Minute
)

// code is that of a link.
type code struct {
	made    time.Time
	session string // that was given for it, "" before
}

// sessions are those of a process; they end with it.
type sessions struct {
	clock memory.Clock
	idle  time.Duration

	mu    sync.Mutex
	open  map[string]*session
	codes map[[sha256.Size]byte]*code
}

func newSessions(clock memory.Clock, idle time.Duration) *sessions {
	return &sessions{clock: clock, idle: idle, open: map[string]*session{}, codes: map[[sha256.Size]byte]*code{}}
}

// newCode returns the code of a link that works once.
func (s *sessions) newCode() string {
	text := rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.codes[sha256.Sum256([]byte(text))] = &code{made: s.clock()}
	return text
}

// exchange gives a session for a code. A code that comes twice was read by somebody
// whom it was not for, perhaps the first time: the session that it gave ends.
func (s *sessions) exchange(text string) (*session, error) {
	refused := memory.Errorf(memory.CodeForbidden, "this link does not work").
		WithHint("start `mcp-memory web` again, which prints a new one")
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.codes[sha256.Sum256([]byte(text))]
	switch {
	case c == nil:
		return nil, refused
	case c.session != "":
		delete(s.open, c.session)
		return nil, memory.Errorf(memory.CodeForbidden, "this link was used before, so whoever used it is signed out").
			WithHint("start `mcp-memory web` again, which prints a new one")
	case s.clock().Sub(c.made) > linkLife:
		return nil, memory.Errorf(memory.CodeExpired, "this link is too old").
			WithHint("start `mcp-memory web` again, which prints a new one")
	}
	one := s.begin(nil, "")
	c.session = one.id
	return one, nil
}

// beginFor lets an identity in.
func (s *sessions) beginFor(identity *access.Identity, token string) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.begin(identity, token)
}

// beginLogin lets in whom an issuer has signed in.
func (s *sessions) beginLogin(l access.Login) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.begin(&l.Identity, "")
	one.atIssuer, one.login = true, l
	return one
}

func (s *sessions) begin(identity *access.Identity, token string) *session {
	now := s.clock()
	for len(s.open) >= maxSessions {
		oldest := ""
		for id, one := range s.open {
			if oldest == "" || one.lastUse().Before(s.open[oldest].lastUse()) {
				oldest = id
			}
		}
		delete(s.open, oldest)
	}
	one := &session{id: rand.Text(), key: rand.Text(), token: token, identity: identity, begun: now, used: now}
	s.open[one.id] = one
	return one
}

// find returns the session of a cookie, or nil, and counts it as used unless only
// looking for news.
func (s *sessions) find(id string, looking bool) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.open[id]
	if one == nil {
		return nil
	}
	now := s.clock()
	if now.Sub(one.lastUse()) > s.idle {
		delete(s.open, id)
		return nil
	}
	if !looking {
		one.mu.Lock()
		one.used = now
		one.mu.Unlock()
	}
	return one
}

func (s *sessions) end(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, id)
}

func (s *session) lastUse() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used
}

// note keeps what the next page says.
func (s *session) note(n note) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes = append(s.notes, n)
}

// takeNotes returns what there is to say, once.
func (s *session) takeNotes() []note {
	s.mu.Lock()
	defer s.mu.Unlock()
	notes := s.notes
	s.notes = nil
	return notes
}

func (s *session) chosen() *string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.project
}

func (s *session) choose(project string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.project = &project
}

func (s *session) who() *access.Identity {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.identity
}

func (s *session) setWho(i access.Identity) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.identity = &i
}

// cookieName has the port: cookies are of a host, and there may be several servers.
func cookieName(r *http.Request) string {
	_, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		return "mcp_memory"
	}
	return "mcp_memory_" + port
}

func setCookie(w http.ResponseWriter, r *http.Request, id string) {
	c := &http.Cookie{
		Name: cookieName(r), Value: id, Path: Root, HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: secure(r),
	}
	if id == "" {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}
