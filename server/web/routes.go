package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/server"
	"mcp-memory/server/jsonrpc"
)

// The paths.
const (
	mcpPath      = "/mcp"
	ssePath      = "/sse"
	messagePath  = "/message"
	metadataPath = "/.well-known/oauth-protected-resource"
)

// ServeHTTP implements [http.Handler].
func (h *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := h.visit(w, r)
	defer x.finish()
	if why := x.place(); why != nil {
		x.refuse(why)
		return
	}
	handler, methods := x.route()
	switch {
	case handler == nil:
		x.refuse(refuse(http.StatusNotFound, "there is nothing here, MCP is at "+mcpPath))
	case r.Method == http.MethodOptions && r.Header.Get("Origin") != "":
		x.preflight()
	case !slices.Contains(strings.Split(methods, ", "), r.Method):
		x.Header().Set("Allow", methods)
		x.refuse(refuse(http.StatusMethodNotAllowed, "use "+methods))
	default:
		if why := handler(); why != nil {
			x.refuse(why)
		}
	}
}

// route returns what serves a path, and by which methods.
func (x *visit) route() (func() *refusal, string) {
	switch path := x.r.URL.Path; {
	case path == mcpPath:
		return x.guarded(x.mcp), "GET, POST, DELETE"
	case path == ssePath && x.web.sse != nil:
		return x.guarded(x.sse), "GET"
	case path == messagePath && x.web.sse != nil:
		return x.guarded(x.message), "POST"
	case path == "/metrics":
		return x.guarded(x.metrics), "GET"
	case path == "/healthz":
		return x.health, "GET, HEAD"
	case path == "/readyz":
		return x.readiness, "GET, HEAD"
	case path == metadataPath, path == metadataPath+mcpPath:
		return x.metadata, "GET"
	}
	return nil, ""
}

// guarded is a handler for those who may ask.
func (x *visit) guarded(handler func() *refusal) func() *refusal {
	return func() *refusal {
		if x.web.closing.Load() {
			return refuse(http.StatusServiceUnavailable, "unavailable: the server is shutting down")
		}
		if why := x.admit(); why != nil {
			return why
		}
		return handler()
	}
}

func (x *visit) health() *refusal {
	x.send(http.StatusOK, "text/plain; charset=utf-8", []byte("ok"))
	return nil
}

func (x *visit) readiness() *refusal {
	if !x.web.ready(x.r.Context()) {
		x.send(http.StatusServiceUnavailable, "text/plain; charset=utf-8", []byte("not ready"))
		return nil
	}
	x.send(http.StatusOK, "text/plain; charset=utf-8", []byte("ready"))
	return nil
}

// metadata tells a client where tokens come from (RFC 9728).
func (x *visit) metadata() *refusal {
	data, err := json.Marshal(mcpserver.ProtectedResourceMetadataConfig{
		Resource: x.base() + mcpPath, AuthorizationServers: x.web.opts.Issuers,
		BearerMethodsSupported: []string{"header"}, ResourceName: x.web.server.Options().Title,
	})
	if err != nil {
		return &refusal{status: http.StatusInternalServerError, code: mcp.INTERNAL_ERROR, text: "internal: there is no metadata"}
	}
	x.send(http.StatusOK, "application/json", data)
	return nil
}

func (x *visit) metrics() *refusal {
	gauges := []server.Gauge{
		{Name: "mcp_memory_sessions", Value: float64(x.web.sessions.count())},
		{Name: "mcp_memory_connections", Value: float64(x.web.crowd.count())},
	}
	if x.web.opts.Metrics != nil {
		more, err := x.web.opts.Metrics(x.r.Context())
		if err != nil {
			x.web.log.WarnContext(x.r.Context(), "measure", "error", err)
		}
		gauges = append(gauges, more...)
	}
	var text bytes.Buffer
	x.web.requests.WritePrometheus(&text)
	x.web.server.WriteMetrics(&text, gauges)
	x.send(http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", text.Bytes())
	return nil
}

// body reads the message that was posted.
func (x *visit) body() (jsonrpc.Message, *refusal) {
	limit := int64(x.web.server.Options().MaxLine)
	tooLarge := refuse(http.StatusRequestEntityTooLarge, "too_large: a message may have up to "+byteCount(limit))
	if encoding := x.r.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return jsonrpc.Message{}, refuse(http.StatusUnsupportedMediaType, "compressed requests are not supported")
	}
	if x.r.ContentLength > limit {
		return jsonrpc.Message{}, tooLarge
	}
	data, err := io.ReadAll(http.MaxBytesReader(x.ResponseWriter, x.r.Body, limit))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return jsonrpc.Message{}, tooLarge
	case err != nil:
		return jsonrpc.Message{}, refuse(http.StatusRequestTimeout, "the message did not arrive")
	}
	// What follows may last as long as it likes.
	_ = x.control.SetReadDeadline(never) // a recorder in a test has none
	data = jsonrpc.Trim(data)
	if len(data) == 0 {
		return jsonrpc.Message{}, &refusal{status: http.StatusBadRequest, code: mcp.PARSE_ERROR, text: "Parse error: the body is empty"}
	}
	m, wrong := jsonrpc.Parse(data)
	if wrong != nil {
		why := &refusal{status: http.StatusBadRequest, code: wrong.Error.Code, text: wrong.Error.Message}
		if id, ok := wrong.ID.Value().(json.RawMessage); ok {
			why.id = id
		}
		return m, why
	}
	x.r.Body = io.NopCloser(bytes.NewReader(m.Raw))
	return m, nil
}

// mcp serves the Streamable HTTP transport.
func (x *visit) mcp() *refusal {
	var m jsonrpc.Message
	if x.r.Method == http.MethodPost {
		var why *refusal
		if m, why = x.body(); why != nil {
			return why
		}
	}
	if modern(x.r, m) {
		return x.stateless(m)
	}
	identity, _ := access.From(x.r.Context())
	if m.Method == string(mcp.MethodInitialize) {
		if !x.web.sessions.room(identity.Key()) {
			return &refusal{status: http.StatusServiceUnavailable, code: mcp.INTERNAL_ERROR, text: "unavailable: too many sessions are open", id: m.ID}
		}
		x.web.stream.ServeHTTP(x, x.r)
		return nil
	}
	id := x.r.Header.Get(mcpserver.HeaderKeySessionID)
	if id == "" {
		return &refusal{status: http.StatusBadRequest, code: mcp.INVALID_REQUEST, text: "Mcp-Session-Id is missing, initialize gives one", id: m.ID}
	}
	session, ok := x.web.sessions.use(id, identity.Key())
	if !ok {
		return &refusal{status: http.StatusNotFound, code: mcp.INVALID_REQUEST, text: "there is no such session, initialize gives one", id: m.ID}
	}
	defer x.web.sessions.release(session)
	identity.Session = id
	x.as(identity)
	if x.r.Method == http.MethodGet {
		defer x.until(session.ctx)()
	}
	x.web.stream.ServeHTTP(x, x.r)
	return nil
}

// stateless serves a request of the newer era. There a client cancels by
// closing its connection. The library would take a notification that says so
// too, and as such clients have no session, cancel the request of that id
// whosever it is; so it does not get one.
func (x *visit) stateless(m jsonrpc.Message) *refusal {
	switch m.Method {
	case string(mcp.MethodNotificationCancelled):
		x.WriteHeader(http.StatusAccepted)
		return nil
	case string(mcp.MethodSubscriptionsListen):
		defer x.until(x.web.open)()
	}
	x.web.stream.ServeHTTP(x, x.r)
	return nil
}

// until makes a stream end with ctx, and when its token is no longer valid. The
// function has to be called.
func (x *visit) until(ctx context.Context) (release func()) {
	_ = x.control.SetReadDeadline(never) // a recorder in a test has none
	both, cancel := context.WithCancel(x.r.Context())
	stop := context.AfterFunc(ctx, cancel)
	x.r = x.r.WithContext(both)
	go x.recheck(both, cancel)
	return func() { stop(); cancel() }
}

// recheck asks from time to time whether who has a stream may still have it.
func (x *visit) recheck(ctx context.Context, cancel context.CancelFunc) {
	header := x.r.Header.Values("Authorization")
	tick := time.NewTicker(x.web.opts.Heartbeat)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		token, ok := bearer(header)
		required, err := x.web.opts.Access.Required(ctx)
		if ok && err == nil {
			_, err = x.web.opts.Access.Identify(ctx, token)
		}
		if err == nil && required && !ok || memory.CodeOf(err) == memory.CodeForbidden {
			cancel()
			return
		}
	}
}

// modern reports whether a request is of the stateless era, which its header
// or its body says. It reads the body the way the library does: of a message
// with two params, the gate must not see another era than what serves it.
func modern(r *http.Request, m jsonrpc.Message) bool {
	if mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)) {
		return true
	}
	var body struct {
		Params struct {
			Meta *mcp.Meta `json:"_meta"`
		} `json:"params"`
	}
	return json.Unmarshal(m.Raw, &body) == nil && mcp.IsModernProtocol(body.Params.Meta.ProtocolVersion())
}
