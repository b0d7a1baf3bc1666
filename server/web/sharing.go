package web

import (
	"context"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/server"
	"mcp-memory/server/jsonrpc"
)

// sharing lets a session of the older era go on at another server: whoever makes
// it notes whose it is, and whoever is asked for it takes it over. It is under
// "session/ID", what it is subscribed to under "session/ID/URI". A session that ends
// at one server ends at the others when they look, which those with a stream do once
// an interval. Safe for concurrent use.
type sharing struct {
	shared   memory.Shared // nil where a session is of one server
	server   *server.Server
	sessions *sessions
	interval time.Duration // between looks
	log      *slog.Logger

	mu      sync.Mutex
	streams map[*httpSession]context.Context // open here, with who asks
	running bool
}

// sharedSession is what is kept of a session: the id of the token whose it is.
func sharedSession(id string) string { return "session/" + id }

// ownSessionID is the form of ids that this program gives.
var ownSessionID = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// publish notes a new session for other servers. Where that fails it is a session of
// this one.
func (s *sharing) publish(ctx context.Context, id string) {
	if s.shared == nil {
		return
	}
	s.keep(ctx, id, map[string]string{sharedSession(id): owner(ctx).Token})
}

func (s *sharing) keep(ctx context.Context, id string, values map[string]string) {
	if err := s.shared.Share(ctx, owner(ctx).Agent, values, s.sessions.idle); err != nil {
		s.log.WarnContext(ctx, "tell other servers of a session", "error", cause(err))
		return
	}
	s.sessions.seen(id, true)
}

func owner(ctx context.Context) access.Identity {
	identity, _ := access.From(ctx)
	return identity
}

// use is sessions.use for a session that may be another server's. It looks where it has
// not looked for an interval.
func (s *sharing) use(ctx context.Context, id string) (*httpSession, bool) {
	key := owner(ctx).Key()
	h, ok := s.sessions.use(id, key)
	if s.shared == nil || !ownSessionID.MatchString(id) {
		return h, ok
	}
	if ok && !s.sessions.stale(h, s.interval) {
		return h, true
	}
	kept, err := s.shared.Shared(ctx, owner(ctx).Agent, sharedSession(id))
	if err != nil {
		s.log.WarnContext(ctx, "look for a session of other servers", "error", cause(err))
		return h, ok
	}
	token, there := kept[sharedSession(id)]
	switch {
	case !there && ok && s.sessions.wasShared(h):
		s.sessions.release(h)
		s.sessions.finish(id)
		return nil, false
	case !there || token != owner(ctx).Token:
		return h, ok
	case !ok:
		if !s.sessions.makeRoom(key) {
			return nil, false
		}
		s.sessions.adopt(id, key)
		if h, ok = s.sessions.use(id, key); !ok {
			return nil, false
		}
	}
	s.follow(ctx, id, kept)
	if s.sessions.aged(h) {
		s.keep(ctx, id, kept)
	}
	s.sessions.seen(id, false)
	return h, true
}

// follow subscribes a session to what it is subscribed to at other servers.
func (s *sharing) follow(ctx context.Context, id string, kept map[string]string) {
	told := map[string]string{}
	for key, state := range kept {
		if uri, ok := strings.CutPrefix(key, sharedSession(id)+"/"); ok {
			told[uri] = state
		}
	}
	s.server.TakeOver(context.WithoutCancel(ctx), id, told)
}

// subscribing serves a message, and tells other servers what it has changed of the
// subscriptions of a session.
func (s *sharing) subscribing(ctx context.Context, m jsonrpc.Message, id string, serve func()) {
	if s.shared == nil || m.Method != string(mcp.MethodResourcesSubscribe) && m.Method != string(mcp.MethodResourcesUnsubscribe) {
		serve()
		return
	}
	before := s.server.Subscribed(id)
	serve()
	ctx = context.WithoutCancel(ctx)
	after, added := s.server.Subscribed(id), map[string]string{}
	for uri, state := range after {
		if _, known := before[uri]; !known {
			added[sharedSession(id)+"/"+uri] = state
		}
	}
	if len(added) > 0 {
		s.keep(ctx, id, added)
	}
	for uri := range before {
		if _, still := after[uri]; still {
			continue
		}
		if err := s.shared.Unshare(ctx, owner(ctx).Agent, sharedSession(id)+"/"+uri); err != nil {
			s.log.WarnContext(ctx, "tell other servers of a subscription", "error", cause(err))
		}
	}
}

// end forgets a session at all servers.
func (s *sharing) end(ctx context.Context, id string) {
	if s.shared == nil || !ownSessionID.MatchString(id) {
		return
	}
	if err := s.shared.Unshare(ctx, owner(ctx).Agent, sharedSession(id)); err != nil {
		s.log.WarnContext(ctx, "tell other servers of the end of a session", "error", cause(err))
	}
}

// streaming follows a session as long as it has a stream here.
func (s *sharing) streaming(ctx context.Context, h *httpSession) (stop func()) {
	if s.shared == nil {
		return func() {}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.streams[h] = context.WithoutCancel(ctx)
	if !s.running {
		s.running = true
		go s.run()
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.streams, h)
	}
}

// run looks after the sessions with streams until there are none. It asks once for all of an agent.
func (s *sharing) run() {
	tick := time.NewTicker(s.interval)
	defer tick.Stop()
	for range tick.C {
		s.mu.Lock()
		if len(s.streams) == 0 {
			s.running = false
			s.mu.Unlock()
			return
		}
		agents := map[string]map[*httpSession]context.Context{}
		for h, ctx := range s.streams {
			agent := owner(ctx).Agent
			if agents[agent] == nil {
				agents[agent] = map[*httpSession]context.Context{}
			}
			agents[agent][h] = ctx
		}
		s.mu.Unlock()
		for agent, streams := range agents {
			s.look(agent, streams)
		}
	}
}

// look compares the sessions of an agent with what is kept of them.
func (s *sharing) look(agent string, streams map[*httpSession]context.Context) {
	ctx, cancel := context.WithTimeout(context.Background(), checkTimeout)
	defer cancel()
	kept, err := s.shared.Shared(ctx, agent, sharedSession(""))
	if err != nil {
		return // nothing is known
	}
	for h, who := range streams {
		if _, there := kept[sharedSession(h.id)]; !there {
			if s.sessions.wasShared(h) {
				s.sessions.finish(h.id)
			}
			continue
		}
		s.follow(who, h.id, kept)
		if s.sessions.aged(h) {
			own := map[string]string{}
			for key, value := range kept {
				if key == sharedSession(h.id) || strings.HasPrefix(key, sharedSession(h.id)+"/") {
					own[key] = value
				}
			}
			s.keep(who, h.id, own)
		}
	}
}

// startAnew has a stream that broke at another server begin here: the messages that
// were kept for it are there, and what has changed meanwhile is told again.
func (s *sharing) startAnew(r *http.Request, id string, e *events) {
	if last := r.Header.Get("Last-Event-ID"); s.shared != nil && last != "" && !e.knows(id, last) {
		r.Header.Del("Last-Event-ID")
	}
}
