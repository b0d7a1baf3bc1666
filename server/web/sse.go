package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-memory/access"
)

type sseSessionKey struct{}

// sseSessionID tells the library the id of the session that sseStream made. Otherwise the library
// would make a session that belongs to no identity.
func sseSessionID(_ context.Context, r *http.Request) (string, error) {
	session, ok := r.Context().Value(sseSessionKey{}).(*httpSession)
	if !ok {
		return "", errors.New("there is no session")
	}
	return session.id, nil
}

// sseStream serves the event stream of the HTTP+SSE transport of 2024-11-05. Its session ends with
// the stream.
func (s *Server) sseStream(x *exchange) *refusal {
	identity, _ := access.From(x.r.Context())
	owner := identity.Key()
	if !s.sessions.makeRoom(owner) {
		return &refusal{status: http.StatusServiceUnavailable, code: mcp.INTERNAL_ERROR, text: "unavailable: too many sessions are open"}
	}
	session, _ := s.sessions.use(s.sessions.add(owner).id, owner)
	defer s.sessions.remove(session.id)
	x.r = x.r.WithContext(context.WithValue(x.r.Context(), sseSessionKey{}, session))
	return s.streamUntil(session.ctx, x, func() {
		out := corsWriter{x, x.Header().Get("Access-Control-Allow-Origin")}
		s.sse.SSEHandler().ServeHTTP(answerWriter{out, func() { s.sessions.owe(session, -1) }}, x.r)
	})
}

// answerWriter calls answered for each answer that is written to a stream. The library writes each
// event with one Write.
type answerWriter struct {
	corsWriter
	answered func()
}

// Write implements [http.ResponseWriter].
func (w answerWriter) Write(p []byte) (int, error) {
	n, err := w.corsWriter.Write(p)
	if isAnswer(p) {
		w.answered()
	}
	return n, err
}

// isAnswer reports whether an event is an answer, and not a request or notification of the server.
// It parses only as much as it needs.
func isAnswer(event []byte) bool {
	_, data, _ := bytes.Cut(event, []byte("data:"))
	message := json.NewDecoder(bytes.NewReader(data))
	if brace, err := message.Token(); err != nil || brace != json.Delim('{') {
		return false
	}
	for {
		var value json.RawMessage
		switch key, _ := message.Token(); key {
		case "result", "error":
			return true
		case "jsonrpc", "id":
			if message.Decode(&value) != nil {
				return false
			}
		default:
			return false
		}
	}
}

// corsWriter restores the header Access-Control-Allow-Origin. Unless it has a fixed list of
// origins, the library sets it to *, so that every web page could read an SSE stream. A fixed list
// cannot express all ports of the loopback; see https://github.com/mark3labs/mcp-go/issues/810.
type corsWriter struct {
	*exchange
	origin string
}

// WriteHeader implements [http.ResponseWriter].
func (w corsWriter) WriteHeader(status int) {
	if w.origin == "" {
		w.Header().Del("Access-Control-Allow-Origin")
	} else {
		w.Header().Set("Access-Control-Allow-Origin", w.origin)
	}
	w.exchange.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (w corsWriter) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	return w.exchange.Write(p)
}

// sseMessage accepts a message of the HTTP+SSE transport of 2024-11-05. The answer is sent on the
// stream.
func (s *Server) sseMessage(x *exchange) *refusal {
	m, why := s.readMessage(x)
	if why != nil {
		return why
	}
	identity, _ := access.From(x.r.Context())
	id := x.r.URL.Query().Get("sessionId")
	session, ok := s.sessions.use(id, identity.Key())
	if !ok {
		return &refusal{status: http.StatusNotFound, code: mcp.INVALID_REQUEST,
			text: "there is no such session, " + ssePath + " gives one", id: m.ID}
	}
	defer s.sessions.release(session)
	identity.Session = id
	x.setIdentity(identity)
	// Headers that repeat the message belong to Streamable HTTP. If this header is set, the library
	// requires them here too, but clients do not send them.
	x.r.Header.Del(mcp.HeaderProtocolVersion)
	if m.Method == "" || m.ID == nil { // it gets no answer
		s.sse.MessageHandler().ServeHTTP(x, x.r)
		return nil
	}
	s.sessions.owe(session, 1)
	if s.closing.Load() { // a shutdown may no longer wait for this answer
		s.sessions.owe(session, -1)
		return &refusal{status: http.StatusServiceUnavailable, code: mcp.INTERNAL_ERROR,
			text: "unavailable: the server is shutting down", id: m.ID}
	}
	s.sse.MessageHandler().ServeHTTP(x, x.r)
	if x.status != http.StatusAccepted {
		s.sessions.owe(session, -1)
	}
	return nil
}
