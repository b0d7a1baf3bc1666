package web

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/VictoriaMetrics/metrics"
	mcpserver "github.com/mark3labs/mcp-go/server"
	"golang.org/x/net/netutil"

	"mcp-memory/server"
	"mcp-memory/server/jsonrpc"
)

const (
	headerTimeout  = 10 * time.Second
	idleTimeout    = 2 * time.Minute
	maxHeaderBytes = 32 << 10
)

// Server serves a [server.Server] over HTTP. It is an [http.Handler] for requests. [Server.Serve]
// also manages the connections.
type Server struct {
	server   *server.Server
	opts     Options
	log      *slog.Logger
	handler  http.Handler
	requests *metrics.Set // counters by status

	connections *connLimiter
	rates       *rates
	shares      *shares
	sessions    *sessions
	sharing     *sharing
	events      *events
	watch       *watch
	ids         *jsonrpc.Exact
	stream      *mcpserver.StreamableHTTPServer
	sse         *mcpserver.SSEServer // nil without Options.SSE

	closing    atomic.Bool     // set when the shutdown begins
	streams    context.Context // ends when streams have to end
	endStreams context.CancelFunc
}

// New makes an HTTP server for an MCP server.
func New(mcp *server.Server, o Options) *Server {
	o.fill()
	o.BodyBytes = max(o.BodyBytes, mcp.Options().MaxLine+1)
	s := &Server{
		server: mcp, opts: o, log: mcp.Options().Log, requests: metrics.NewSet(),
		connections: newConnLimiter(o.Connections), rates: newRates(o.Rate, o.Burst, o.Clock, mcp.Options().Shared),
		shares: newShares(o), watch: newWatch(o.Access, o.Recheck), ids: jsonrpc.NewExact(),
		sessions: newSessions(o.Clock, o.Sessions, o.SessionsEach, o.SessionIdle),
	}
	s.streams, s.endStreams = context.WithCancel(context.Background())
	s.sessions.ended = s.endLibrarySession
	s.events = newEvents()
	s.sharing = &sharing{
		shared: mcp.Options().Shared, server: mcp, sessions: s.sessions,
		interval: o.Recheck, log: s.log, streams: map[*httpSession]context.Context{},
	}
	s.sessions.sharing = s.sharing
	s.stream = mcpserver.NewStreamableHTTPServer(mcp.MCP(),
		mcpserver.WithSessionIdManagerResolver(s.sessions),
		mcpserver.WithEventStore(s.events),
		mcpserver.WithHeartbeatInterval(o.Heartbeat),
		mcpserver.WithDisableLocalhostProtection(true), // checkOrigin is stricter, and allows other hosts as well
		// The library logs every client that hangs up as an error.
		mcpserver.WithStreamableHTTPLogger(slog.New(slog.DiscardHandler)),
	)
	if o.SSE {
		s.sse = mcpserver.NewSSEServer(mcp.MCP(),
			mcpserver.WithSessionIDGenerator(sseSessionID),
			mcpserver.WithKeepAliveInterval(o.Heartbeat), mcpserver.WithKeepAlive(true),
			mcpserver.WithSSEDisableLocalhostProtection(true),
		)
	}
	s.handler = s.routes()
	return s
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Serve serves connections until ctx is done or a listener fails. Then requests in progress are
// finished, for up to the server's Grace, and the listeners are closed. The error is nil after ctx
// is done, else that of the listener.
func (s *Server) Serve(ctx context.Context, listeners ...net.Listener) error {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(s.opts.TLS != nil)
	srv := &http.Server{
		Handler: s, TLSConfig: s.opts.TLS, Protocols: protocols,
		ReadHeaderTimeout: s.opts.header, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
		ConnState: s.connections.stateChanged,
		ErrorLog:  slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, len(listeners))
	for _, l := range listeners {
		l = netutil.LimitListener(l, s.opts.Connections)
		go func() {
			if s.opts.TLS != nil && l.Addr().Network() != "unix" {
				failed <- srv.ServeTLS(l, "", "")
			} else {
				failed <- srv.Serve(l)
			}
		}()
	}
	sweeping, stop := context.WithCancel(context.Background())
	defer stop()
	go s.sweep(sweeping)
	select {
	case <-ctx.Done():
		s.shutDown(srv)
		return nil
	case err := <-failed:
		s.shutDown(srv)
		if errors.Is(err, http.ErrServerClosed) {
			return nil
		}
		return err
	}
}

func (s *Server) sweep(ctx context.Context) {
	tick := time.NewTicker(max(s.opts.SessionIdle/4, time.Second))
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			s.sessions.sweep()
		case <-ctx.Done():
			return
		}
	}
}

// shutDown refuses new requests and waits for the calls in progress and for their answers, which
// may be sent on streams. Then it ends the streams.
func (s *Server) shutDown(srv *http.Server) {
	s.closing.Store(true)
	ctx, cancel := context.WithTimeout(context.Background(), s.server.Options().Grace)
	defer cancel()
	closed := make(chan error, 1)
	go func() { closed <- srv.Shutdown(ctx) }()
	s.connections.close()
	s.server.WaitIdle(ctx)
	s.sessions.waitPaid(ctx)
	s.endStreams()
	s.sessions.endStreams()
	if s.sse != nil {
		s.sse.CloseSessions()
	}
	if err := <-closed; err != nil {
		s.log.Warn("requests were not finished at shutdown", "grace", s.server.Options().Grace)
		srv.Close()
	}
	s.stream.CloseSessions(ctx)
}
