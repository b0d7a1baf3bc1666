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

// session is a browser that has signed in. mu guards the fields below it.
type session struct {
	id    string // value of the cookie
	key   string // value of keyField in each form
	token string // token given at sign-in; "" for a link, an issuer or where none is required
	begun time.Time

	atIssuer bool       // signed in at an issuer
	renewing sync.Mutex // guards the next four fields; held while the login is renewed
	login    access.Login
	again    time.Time // when the login may be renewed again after a failure
	failed   error     // error of that failure
	ended    bool      // the issuer has refused to renew the login

	mu       sync.Mutex
	used     time.Time
	identity *access.Identity // nil: the process's own agent
	project  *string          // chosen project; nil before a choice
	notes    []note           // shown on the next page, then removed
	events   []eventDone      // changes that can be undone, newest last
}

// note is a message that the next page shows once.
type note struct {
	text string
	undo string // id for the address /undo, "" if it cannot be undone
}

const (
	maxSessions = 256
	// linkLife is how long after it was made a link can be used.
	linkLife = 10 * time.Minute
)

// code is the state of a link's code.
type code struct {
	made    time.Time
	session string // id of the session it was exchanged for, "" before
}

// sessions are the sessions and links of this process, in memory only.
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

// newCode returns the code of a link that works once. Only its hash is kept.
func (s *sessions) newCode() string {
	text := rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.codes[sha256.Sum256([]byte(text))] = &code{made: s.clock()}
	return text
}

// exchange starts a session for a code. If the code was used before, somebody else has read it,
// perhaps the first user of it. So the session it gave is ended.
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

// beginFor starts a session for an identity, nil for the process's own agent.
func (s *sessions) beginFor(identity *access.Identity, token string) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.begin(identity, token)
}

// beginLogin starts a session for a login at an issuer.
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

// find returns the session of a cookie, or nil. Unless looking is set, the session counts as used
// now.
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

// note adds a note for the next page.
func (s *session) note(n note) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes = append(s.notes, n)
}

// takeNotes returns the notes that were not shown yet, and removes them.
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

// cookieName returns a name that contains the port: cookies are shared by all ports of a host, and
// several servers may run on it.
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
