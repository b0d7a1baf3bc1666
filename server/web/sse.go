package web

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-memory/access"
)

// never is no deadline.
var never time.Time

type streamKey struct{}

// newSSESession gives the library the id of the session that the gate made.
func newSSESession(_ context.Context, r *http.Request) (string, error) {
	session, ok := r.Context().Value(streamKey{}).(*held)
	if !ok {
		return "", errors.New("there is no session")
	}
	return session.id, nil
}

// sse serves the stream of the transport of 2024-11-05. Its session ends with it.
func (x *visit) sse() *refusal {
	identity, _ := access.From(x.r.Context())
	owner := identity.Key()
	if !x.web.sessions.room(owner) {
		return &refusal{status: http.StatusServiceUnavailable, code: mcp.INTERNAL_ERROR, text: "unavailable: too many sessions are open"}
	}
	session, _ := x.web.sessions.use(x.web.sessions.add(owner).id, owner)
	defer x.web.sessions.remove(session.id)
	x.r = x.r.WithContext(context.WithValue(x.r.Context(), streamKey{}, session))
	defer x.until(session.ctx)()
	x.web.sse.SSEHandler().ServeHTTP(strict{x, x.Header().Get("Access-Control-Allow-Origin")}, x.r)
	return nil
}

// strict takes back the leave that the library gives to every web page.
type strict struct {
	*visit
	origin string
}

// WriteHeader implements [http.ResponseWriter].
func (s strict) WriteHeader(status int) {
	if s.origin == "" {
		s.Header().Del("Access-Control-Allow-Origin")
	} else {
		s.Header().Set("Access-Control-Allow-Origin", s.origin)
	}
	s.visit.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (s strict) Write(p []byte) (int, error) {
	if s.status == 0 {
		s.WriteHeader(http.StatusOK)
	}
	return s.visit.Write(p)
}

// message takes a message of the transport of 2024-11-05. The answer goes out
// by the stream.
func (x *visit) message() *refusal {
	m, why := x.body()
	if why != nil {
		return why
	}
	identity, _ := access.From(x.r.Context())
	id := x.r.URL.Query().Get("sessionId")
	session, ok := x.web.sessions.use(id, identity.Key())
	if !ok {
		return &refusal{status: http.StatusNotFound, code: mcp.INVALID_REQUEST, text: "there is no such session, " + ssePath + " gives one", id: m.ID}
	}
	defer x.web.sessions.release(session)
	identity.Session = id
	x.as(identity)
	// Headers that repeat the message are for Streamable HTTP. The library asks
	// for them here too when it sees this one, and clients do not send them.
	x.r.Header.Del(mcp.HeaderProtocolVersion)
	x.web.sse.MessageHandler().ServeHTTP(x, x.r)
	return nil
}

func byteCount(n int64) string { return strconv.FormatInt(n, 10) + " bytes" }
