package web

import (
	"net/http"
	"path"
	"slices"
	"strings"

	"mcp-memory/access"
)

// Paths that other files use as well.
const (
	mcpPath        = "/mcp"
	ssePath        = "/sse"
	messagePath    = "/message"
	memoryToolPath = "/memory-tool"
	metadataPath   = "/.well-known/oauth-protected-resource"
)

// handler serves a request, or returns why it does not. A middleware wraps a handler.
type handler func(*exchange) *refusal

// routes maps paths to handlers, each with its middlewares.
func (s *Server) routes() http.Handler {
	every := func(h handler) http.Handler { return s.logAndRecover(s.checkOrigin(h)) }
	guarded := func(h handler) handler { return s.whileOpen(s.authenticate(s.limitRate(s.limitUse(s.limitBody(h))))) }

	banked := func(h handler) handler { return guarded(s.ofOneBank(h)) }

	mux := http.NewServeMux()
	handle := func(path, methods string, h handler) { mux.Handle(path, every(allow(methods, h))) }
	handle("/healthz", "GET, HEAD", s.health)
	handle("/readyz", "GET, HEAD", s.readiness)
	handle(metadataPath, "GET", s.metadata)
	handle(metadataPath+mcpPath, "GET", s.metadata)
	handle("/metrics", "GET", guarded(s.metrics))
	handle(mcpPath, "GET, POST, DELETE", banked(s.mcp))
	if s.opts.MemoryTool != nil {
		handle(memoryToolPath, "POST", banked(s.memoryTool))
	}
	if s.sse != nil {
		handle(ssePath, "GET", banked(s.sseStream))
		handle(messagePath, "POST", banked(s.sseMessage))
	}
	if s.opts.Page != nil {
		mux.Handle(s.opts.PagePath, s.opts.Page)
	}
	nothing := every(notFound)
	mux.Handle("/", nothing)

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.opts.Page != nil && strings.HasPrefix(r.URL.Path, s.opts.PagePath+"/") {
			s.opts.Page.ServeHTTP(w, r)
			return
		}
		if path.Clean("/"+r.URL.Path) != r.URL.Path {
			nothing.ServeHTTP(w, r) // the mux would redirect to the clean path
			return
		}
		mux.ServeHTTP(w, r)
	})
}

func notFound(*exchange) *refusal {
	return refuse(http.StatusNotFound, "there is nothing here, MCP is at "+mcpPath)
}

// allow refuses methods that are not listed, and answers preflights of browsers. Patterns of the
// mux with methods would allow HEAD wherever GET is allowed, but a HEAD must not open a stream.
func allow(methods string, next handler) handler {
	return func(x *exchange) *refusal {
		switch {
		case x.r.Method == http.MethodOptions && x.r.Header.Get("Origin") != "":
			x.preflight()
			return nil
		case !slices.Contains(strings.Split(methods, ", "), x.r.Method):
			x.Header().Set("Allow", methods)
			return refuse(http.StatusMethodNotAllowed, "use "+methods)
		}
		return next(x)
	}
}

// ofOneBank refuses an operator, whose token is only for the page and for metrics. The handlers
// behind it would refuse each call as well.
func (s *Server) ofOneBank(next handler) handler {
	return func(x *exchange) *refusal {
		if why := access.Refusal(x.r.Context(), "", false, access.Projects); why != nil {
			return refuse(http.StatusForbidden, why.Error())
		}
		return next(x)
	}
}

// whileOpen refuses requests after the shutdown has begun.
func (s *Server) whileOpen(next handler) handler {
	return func(x *exchange) *refusal {
		if s.closing.Load() {
			return refuse(http.StatusServiceUnavailable, "unavailable: the server is shutting down")
		}
		return next(x)
	}
}
