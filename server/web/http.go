package web

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/VictoriaMetrics/metrics"
	mcpserver "github.com/mark3labs/mcp-go/server"
	"golang.org/x/net/netutil"

	"mcp-memory/access"
	"mcp-memory/server"
)

// Access knows who makes a request.
type Access interface {
	// Required reports whether requests need a token.
	Required(ctx context.Context) (bool, error)
	// Identify returns whose token it is: [memory.CodeForbidden] if it is not
	// valid, any other error if that cannot be told.
	Identify(ctx context.Context, token string) (access.Identity, error)
}

// Options are what serving over HTTP is made of. Access and Agent are needed.
type Options struct {
	Access  Access
	Agent   string   // of requests that need no token
	Issuers []string // URLs of who else issues tokens, for clients to find
	SSE     bool     // offer the transport of 2024-11-05 too

	Hosts   []string // names by which the server may be asked beside those of the loopback
	Origins []string // of web pages that may ask, beside those from the loopback: https://host:port

	TLS     *tls.Config                                       // nil is none
	Ready   func(ctx context.Context) error                   // whether calls can be served; nil is always
	Metrics func(ctx context.Context) ([]server.Gauge, error) // beside those of calls; nil is none

	Rate  float64 // requests a second and identity; 0 is no limit
	Burst int     // requests at once; 0 is one second's

	Connections  int              // open at once, of all listeners; 0 is [DefaultConnections]
	Sessions     int              // of all identities; 0 is [DefaultSessions]
	SessionsEach int              // of one identity; 0 is [DefaultSessionsEach]
	SessionIdle  time.Duration    // after which a session ends; 0 is [DefaultSessionIdle]
	Timeout      time.Duration    // to send a request, or to take a part of an answer; 0 is [DefaultTimeout]
	Heartbeat    time.Duration    // between pings on streams; 0 is [DefaultHeartbeat]
	Clock        func() time.Time // nil is the system's

	header time.Duration // to send what comes before the body; 0 is headerTimeout
}

// Defaults of [Options].
const (
	DefaultConnections  = 1024
	DefaultSessions     = 4096
	DefaultSessionsEach = 256
	DefaultSessionIdle  = time.Hour
	DefaultTimeout      = 30 * time.Second
	DefaultHeartbeat    = 30 * time.Second
)

const (
	headerTimeout  = 10 * time.Second
	idleTimeout    = 2 * time.Minute
	maxHeaderBytes = 32 << 10
)

func (o *Options) fill() {
	for _, number := range []struct {
		value    *int
		fallback int
	}{{&o.Connections, DefaultConnections}, {&o.Sessions, DefaultSessions}, {&o.SessionsEach, DefaultSessionsEach}, {&o.Burst, max(1, int(o.Rate))}} {
		if *number.value <= 0 {
			*number.value = number.fallback
		}
	}
	for _, span := range []struct {
		value    *time.Duration
		fallback time.Duration
	}{{&o.SessionIdle, DefaultSessionIdle}, {&o.Timeout, DefaultTimeout}, {&o.Heartbeat, DefaultHeartbeat}, {&o.header, headerTimeout}} {
		if *span.value <= 0 {
			*span.value = span.fallback
		}
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
}

// Server serves a [server.Server] over HTTP. It is an [http.Handler];
// [Server.Serve] adds what belongs to connections.
type Server struct {
	server   *server.Server
	opts     Options
	log      *slog.Logger
	sessions *sessions
	rates    *rates
	requests *metrics.Set // counts by status
	stream   *mcpserver.StreamableHTTPServer
	sse      *mcpserver.SSEServer // nil unless asked for
	closing  atomic.Bool
	crowd    *crowd
	open     context.Context // ends when streams have to
	end      context.CancelFunc
}

// New makes the HTTP side of a server.
func New(s *server.Server, o Options) *Server {
	o.fill()
	h := &Server{
		server: s, opts: o, log: s.Options().Log, requests: metrics.NewSet(), rates: newRates(o.Rate, o.Burst, o.Clock),
		sessions: newSessions(o.Clock, o.Sessions, o.SessionsEach, o.SessionIdle), crowd: newCrowd(o.Connections),
	}
	h.open, h.end = context.WithCancel(context.Background())
	quiet := slog.New(slog.DiscardHandler) // it logs every client that hangs up as an error
	h.stream = mcpserver.NewStreamableHTTPServer(s.MCP(),
		mcpserver.WithSessionIdManagerResolver(h.sessions),
		mcpserver.WithEventStore(newEvents()),
		mcpserver.WithHeartbeatInterval(o.Heartbeat),
		mcpserver.WithDisableLocalhostProtection(true), // the gate's is stricter
		mcpserver.WithStreamableHTTPLogger(quiet),
	)
	h.sessions.ended = h.forget
	if o.SSE {
		h.sse = mcpserver.NewSSEServer(s.MCP(),
			mcpserver.WithSessionIDGenerator(newSSESession),
			mcpserver.WithKeepAliveInterval(o.Heartbeat), mcpserver.WithKeepAlive(true),
			mcpserver.WithSSEDisableLocalhostProtection(true),
		)
	}
	return h
}

// forget tells the library that a session is over, the way a client does.
func (h *Server) forget(id string) {
	header := http.Header{}
	header.Set(mcpserver.HeaderKeySessionID, id)
	h.stream.Handle(nobody{header}, &mcpserver.HTTPRequest{Method: http.MethodDelete, Header: header, Context: context.Background()})
}

// nobody takes the library's answer to ourselves.
type nobody struct{ header http.Header }

func (n nobody) Header() http.Header       { return n.header.Clone() }
func (nobody) WriteHeader(int)             {}
func (nobody) Write(p []byte) (int, error) { return len(p), nil }
func (nobody) Flush()                      {}
func (nobody) CanStream() bool             { return false }

// Serve serves connections until ctx is done; then what was begun is finished,
// for up to the server's Grace. The listeners are closed. The error is nil
// after ctx, else why a listener failed.
func (h *Server) Serve(ctx context.Context, listeners ...net.Listener) error {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(h.opts.TLS != nil)
	srv := &http.Server{
		Handler: h, TLSConfig: h.opts.TLS, Protocols: protocols,
		ReadHeaderTimeout: h.opts.header, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
		ConnState: h.crowd.watch,
		ErrorLog:  slog.NewLogLogger(h.log.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, len(listeners))
	for _, l := range listeners {
		l = netutil.LimitListener(l, h.opts.Connections)
		go func() {
			if h.opts.TLS != nil && l.Addr().Network() != "unix" {
				failed <- srv.ServeTLS(l, "", "")
			} else {
				failed <- srv.Serve(l)
			}
		}()
	}
	sweeping, stop := context.WithCancel(context.Background())
	defer stop()
	go h.sweep(sweeping)
	select {
	case <-ctx.Done():
		h.shutDown(srv)
		return nil
	case err := <-failed:
		h.shutDown(srv)
		if errors.Is(err, http.ErrServerClosed) {
			return nil
		}
		return err
	}
}

func (h *Server) sweep(ctx context.Context) {
	tick := time.NewTicker(max(h.opts.SessionIdle/4, time.Second))
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			h.sessions.sweep()
		case <-ctx.Done():
			return
		}
	}
}

// shutDown takes no more requests, lets calls finish, whose answers may go out
// by streams, and only then ends the streams.
func (h *Server) shutDown(srv *http.Server) {
	h.closing.Store(true)
	ctx, cancel := context.WithTimeout(context.Background(), h.server.Options().Grace)
	defer cancel()
	closed := make(chan error, 1)
	go func() { closed <- srv.Shutdown(ctx) }()
	h.crowd.close()
	h.server.WaitIdle(ctx)
	h.end()
	h.sessions.endStreams()
	if h.sse != nil {
		h.sse.CloseSessions()
	}
	if err := <-closed; err != nil {
		h.log.Warn("requests were not finished at shutdown", "grace", h.server.Options().Grace)
		srv.Close()
	}
	h.stream.CloseSessions(ctx)
}
