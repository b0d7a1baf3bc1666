package web

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-memory/access"
	"mcp-memory/server"
	"mcp-memory/server/jsonrpc"
)

// refusal says why a request is not served: an HTTP status and a JSON-RPC error.
type refusal struct {
	status int
	code   int
	text   string
	id     json.RawMessage // of the request; nil if it is not known
	retry  int             // seconds for Retry-After; 0 sends none
}

func refuse(status int, text string) *refusal {
	return &refusal{status: status, code: mcp.INVALID_REQUEST, text: text}
}

// exchange is one request and its answer. As a response writer it limits how long a client may take
// to accept each part of the answer.
type exchange struct {
	http.ResponseWriter
	r       *http.Request
	control *http.ResponseController
	timeout time.Duration // to send the request, and to accept each part of the answer
	status  int           // 0 until the header is written
	ids     *jsonrpc.Exact
	hold    *hold // the share of the server that it uses; nil before [Server.limitUse]
	whole   bool  // whether the body was read to its end
}

// never is no deadline.
var never time.Time

var goodRequestID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// logAndRecover wraps every request. It gives it an id and a deadline, sends refusals, recovers
// panics, counts and logs. The query is never logged, because it may contain a secret.
func (s *Server) logAndRecover(next handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun, x := time.Now(), newExchange(w, r, s.opts.Timeout, s.ids)
		defer func() {
			ctx := x.r.Context()
			if p := recover(); p != nil {
				s.log.ErrorContext(ctx, "panic", "path", x.r.URL.Path, "panic", p, "stack", string(debug.Stack()))
				if x.status == 0 {
					x.refuse(&refusal{status: http.StatusInternalServerError, code: mcp.INTERNAL_ERROR,
						text: "internal: something went wrong inside the server"})
				}
			}
			s.requests.GetOrCreateCounter(fmt.Sprintf(`mcp_memory_http_requests_total{status="%d"}`, x.status)).Inc()
			s.log.LogAttrs(ctx, slog.LevelDebug, "http", slog.String("method", x.r.Method), slog.String("path", x.r.URL.Path),
				slog.Int("status", x.status), slog.Duration("took", time.Since(begun)))
		}()
		if why := next(x); why != nil {
			x.refuse(why)
		}
	})
}

func newExchange(w http.ResponseWriter, r *http.Request, timeout time.Duration, ids *jsonrpc.Exact) *exchange {
	id := r.Header.Get("X-Request-Id")
	if !goodRequestID.MatchString(id) {
		id = rand.Text()
	}
	w.Header().Set("X-Request-Id", id)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	x := &exchange{ResponseWriter: w, control: http.NewResponseController(w), timeout: timeout, ids: ids}
	x.r = r.WithContext(server.WithRequestID(r.Context(), id))
	// The deadline holds until the body is read, also for the rest of a body that is refused.
	_ = x.control.SetReadDeadline(time.Now().Add(timeout)) // a ResponseRecorder in tests has no deadlines
	return x
}

// setIdentity puts the identity of the caller into the request's context.
func (x *exchange) setIdentity(i access.Identity) {
	x.r = x.r.WithContext(access.With(x.r.Context(), i))
}

// base is the URL by which the client reaches the server, without a path.
func (x *exchange) base() string {
	scheme := "http"
	if x.r.TLS != nil || strings.EqualFold(x.r.Header.Get("X-Forwarded-Proto"), "https") {
		scheme = "https"
	}
	return (&url.URL{Scheme: scheme, Host: x.r.Host}).String()
}

// Unwrap is for [http.ResponseController].
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

func (x *exchange) extendWriteDeadline() {
	_ = x.control.SetWriteDeadline(time.Now().Add(x.timeout)) // a ResponseRecorder in tests has no deadlines
}

// WriteHeader implements [http.ResponseWriter].
func (x *exchange) WriteHeader(status int) {
	if x.status != 0 {
		return
	}
	x.status = status
	x.extendWriteDeadline()
	x.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (x *exchange) Write(p []byte) (int, error) {
	if x.status == 0 {
		x.WriteHeader(http.StatusOK)
	}
	x.extendWriteDeadline()
	if shown := x.ids.Reveal(p); len(shown) != len(p) {
		_, err := x.ResponseWriter.Write(shown)
		return len(p), err
	}
	return x.ResponseWriter.Write(p)
}

// Flush implements [http.Flusher].
func (x *exchange) Flush() {
	if x.status == 0 {
		x.WriteHeader(http.StatusOK)
	}
	x.extendWriteDeadline()
	_ = x.control.Flush() // an error is reported by the next write
}

// restTimeout is how long a client may take to send the rest of a body that is refused. One that
// sends nothing would hold a connection.
const restTimeout = time.Second

// refuse answers with a refusal.
func (x *exchange) refuse(why *refusal) {
	if x.r.Method == http.MethodPost && !x.whole {
		_ = x.control.SetReadDeadline(time.Now().Add(min(restTimeout, x.timeout))) // a ResponseRecorder in tests has no deadlines
	}
	if why.retry > 0 {
		x.Header().Set("Retry-After", strconv.Itoa(why.retry))
	}
	if why.status == http.StatusRequestEntityTooLarge || why.status == http.StatusServiceUnavailable {
		x.Header().Set("Connection", "close")
	}
	data, err := json.Marshal(jsonrpc.Error(why.id, why.code, why.text))
	if err != nil {
		panic(err) // the id is valid JSON, and strings can always be marshalled
	}
	x.send(why.status, "application/json", data)
}

func (x *exchange) send(status int, contentType string, body []byte) {
	x.Header().Set("Content-Type", contentType)
	x.Header().Set("Cache-Control", "no-store")
	x.WriteHeader(status)
	_, _ = x.Write(append(body, '\n')) // an error means that the client is gone
}
