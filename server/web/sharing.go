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

// sharing lets a session of the older era continue at another server on the same database. The
// server that makes a session stores its owner in [memory.Shared], and a server that is asked for
// an unknown session looks there and adopts it. The key is "session/ID", with the id of the owner's
// token. The keys of its subscriptions are "session/ID/URI". A session that ends at one server ends
// at the others when they next look, which servers with a stream of it do once every interval. Safe
// for concurrent use.
type sharing struct {
	shared   memory.Shared // nil if there are no other servers
	server   *server.Server
	sessions *sessions
	interval time.Duration // between looks
	log      *slog.Logger

	mu      sync.Mutex
	streams map[*httpSession]context.Context // sessions with a stream here, with a context that has the identity
	running bool
}

// sharedSession is the key of a session in the shared state. Its value is the id of the owner's
// token.
func sharedSession(id string) string { return "session/" + id }

// ownSessionID matches the ids that sessions.add makes.
var ownSessionID = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// publish stores a new session for other servers. If that fails, only this server knows the
// session.
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

// use is sessions.use that also finds sessions of other servers. It reads the shared state if the
// session is unknown here, or was not looked for within an interval.
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

// follow takes over the subscriptions of a session from the shared state.
func (s *sharing) follow(ctx context.Context, id string, kept map[string]string) {
	told := map[string]string{}
	for key, state := range kept {
		if uri, ok := strings.CutPrefix(key, sharedSession(id)+"/"); ok {
			told[uri] = state
		}
	}
	s.server.TakeOver(context.WithoutCancel(ctx), id, told)
}

// subscribing serves a message, and then stores the changes that it made to the session's
// subscriptions for other servers.
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

// end removes a session from the shared state, so that all servers end it.
func (s *sharing) end(ctx context.Context, id string) {
	if s.shared == nil || !ownSessionID.MatchString(id) {
		return
	}
	if err := s.shared.Unshare(ctx, owner(ctx).Agent, sharedSession(id)); err != nil {
		s.log.WarnContext(ctx, "tell other servers of the end of a session", "error", cause(err))
	}
}

// streaming keeps a session in sync with the shared state until stop is called, while it has a
// stream.
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

// run checks the sessions with streams until there are none. It reads the shared state once for
// each agent.
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

// look compares the sessions of an agent with the shared state.
func (s *sharing) look(agent string, streams map[*httpSession]context.Context) {
	ctx, cancel := context.WithTimeout(context.Background(), checkTimeout)
	defer cancel()
	kept, err := s.shared.Shared(ctx, agent, sharedSession(""))
	if err != nil {
		return // the sessions may still be there
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

// startAnew lets a stream that broke at another server begin anew here, by removing its
// Last-Event-ID. The messages kept for it are at the other server, and what changed meanwhile is
// notified again.
func (s *sharing) startAnew(r *http.Request, id string, e *events) {
	if last := r.Header.Get("Last-Event-ID"); s.shared != nil && last != "" && !e.knows(id, last) {
		r.Header.Del("Last-Event-ID")
	}
}
