package web

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"runtime/debug"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-memory/access"
	"mcp-memory/server"
	"mcp-memory/server/jsonrpc"
)

// refusal is why a request is not served: an HTTP status and a JSON-RPC error.
type refusal struct {
	status int
	code   int
	text   string
	id     json.RawMessage // of the request; nil if it is not known
}

func refuse(status int, text string) *refusal {
	return &refusal{status: status, code: mcp.INVALID_REQUEST, text: text}
}

// visit is one request and its answer. As a response writer it gives a
// client only so long to take each part of an answer.
type visit struct {
	http.ResponseWriter
	control *http.ResponseController
	r       *http.Request
	web     *Server
	id      string
	begun   time.Time
	status  int // 0 until the header is written
}

var goodRequestID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

func (h *Server) visit(w http.ResponseWriter, r *http.Request) *visit {
	id := r.Header.Get("X-Request-Id")
	if !goodRequestID.MatchString(id) {
		id = rand.Text()
	}
	w.Header().Set("X-Request-Id", id)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	x := &visit{ResponseWriter: w, control: http.NewResponseController(w), web: h, id: id, begun: time.Now()}
	x.r = r.WithContext(server.WithRequestID(r.Context(), id))
	// Until the body is read; also for what is left of one that is refused.
	_ = x.control.SetReadDeadline(x.begun.Add(h.opts.Timeout)) // a recorder in a test has none
	return x
}

// as sets who makes the request.
func (x *visit) as(i access.Identity) { x.r = x.r.WithContext(access.With(x.r.Context(), i)) }

// Unwrap is for [http.ResponseController].
func (x *visit) Unwrap() http.ResponseWriter { return x.ResponseWriter }

func (x *visit) hurry() {
	_ = x.control.SetWriteDeadline(time.Now().Add(x.web.opts.Timeout)) // as above
}

// WriteHeader implements [http.ResponseWriter].
func (x *visit) WriteHeader(status int) {
	if x.status != 0 {
		return
	}
	x.status = status
	x.hurry()
	x.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (x *visit) Write(p []byte) (int, error) {
	if x.status == 0 {
		x.WriteHeader(http.StatusOK)
	}
	x.hurry()
	return x.ResponseWriter.Write(p)
}

// Flush implements [http.Flusher].
func (x *visit) Flush() {
	if x.status == 0 {
		x.WriteHeader(http.StatusOK)
	}
	x.hurry()
	_ = x.control.Flush() // the next write says why
}

// refuse answers with an error.
func (x *visit) refuse(why *refusal) {
	if why.status == http.StatusRequestEntityTooLarge || why.status == http.StatusServiceUnavailable {
		x.Header().Set("Connection", "close")
	}
	data, err := json.Marshal(jsonrpc.Error(why.id, why.code, why.text))
	if err != nil {
		panic(err) // an id that was valid JSON, and texts of ours
	}
	x.send(why.status, "application/json", data)
}

func (x *visit) send(status int, contentType string, body []byte) {
	x.Header().Set("Content-Type", contentType)
	x.Header().Set("Cache-Control", "no-store")
	x.WriteHeader(status)
	_, _ = x.Write(append(body, '\n')) // the client is gone
}

// finish ends the visit, also after a panic. The log never gets the query,
// which may hold what should not be there.
func (x *visit) finish() {
	ctx := x.r.Context()
	if p := recover(); p != nil {
		x.web.log.ErrorContext(ctx, "panic", "path", x.r.URL.Path, "panic", p, "stack", string(debug.Stack()))
		if x.status == 0 {
			x.refuse(&refusal{status: http.StatusInternalServerError, code: mcp.INTERNAL_ERROR, text: "internal: something went wrong inside the server"})
		}
	}
	x.web.requests.GetOrCreateCounter(fmt.Sprintf(`mcp_memory_http_requests_total{status="%d"}`, x.status)).Inc()
	x.web.log.LogAttrs(ctx, slog.LevelDebug, "http", slog.String("method", x.r.Method), slog.String("path", x.r.URL.Path),
		slog.Int("status", x.status), slog.Duration("took", time.Since(x.begun)))
}
