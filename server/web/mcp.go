package web

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"mcp-memory/access"
	"mcp-memory/server/jsonrpc"
)

// mcp serves the Streamable HTTP transport.
func (s *Server) mcp(x *exchange) *refusal {
	var m jsonrpc.Message
	if x.r.Method == http.MethodPost {
		var why *refusal
		if m, why = s.readMessage(x); why != nil {
			return why
		}
	}
	if isModern(x.r, m) {
		return s.stateless(x, m)
	}
	identity, _ := access.From(x.r.Context())
	if m.Method == string(mcp.MethodInitialize) {
		if !s.sessions.makeRoom(identity.Key()) {
			return &refusal{status: http.StatusServiceUnavailable, code: mcp.INTERNAL_ERROR,
				text: "unavailable: too many sessions are open", id: m.ID}
		}
		s.stream.ServeHTTP(x, x.r)
		return nil
	}
	id := x.r.Header.Get(mcpserver.HeaderKeySessionID)
	if id == "" {
		return &refusal{status: http.StatusBadRequest, code: mcp.INVALID_REQUEST,
			text: "Mcp-Session-Id is missing, initialize gives one", id: m.ID}
	}
	session, ok := s.sharing.use(x.r.Context(), id)
	if !ok {
		return &refusal{status: http.StatusNotFound, code: mcp.INVALID_REQUEST,
			text: "there is no such session, initialize gives one", id: m.ID}
	}
	defer s.sessions.release(session)
	identity.Session = id
	x.setIdentity(identity)
	if x.r.Method == http.MethodGet {
		s.sharing.startAnew(x.r, id, s.events)
		defer s.sharing.streaming(x.r.Context(), session)()
		return s.streamUntil(session.ctx, x, func() { s.stream.ServeHTTP(x, x.r) })
	}
	s.sharing.subscribing(x.r.Context(), m, id, func() { s.stream.ServeHTTP(x, x.r) })
	return nil
}

// stateless serves a request of the newer era. There a client cancels by closing its connection.
// The library also accepts a cancelling notification, but finds the request to cancel by session
// and id, and sessions of this era have no id. The notification would cancel any client's request
// with that id, so it is not passed to the library.
func (s *Server) stateless(x *exchange, m jsonrpc.Message) *refusal {
	switch m.Method {
	case string(mcp.MethodNotificationCancelled):
		x.WriteHeader(http.StatusAccepted)
		return nil
	case string(mcp.MethodSubscriptionsListen):
		why := s.streamUntil(s.streams, x, func() { s.stream.ServeHTTP(x, x.r) })
		if why != nil {
			why.id = m.ID
		}
		return why
	}
	s.stream.ServeHTTP(x, x.r)
	return nil
}

// isModern reports whether a request is of the newer era, by its header or its body. It parses the
// body in the same way as the library, so that for a message with two params both come to the same
// era.
func isModern(r *http.Request, m jsonrpc.Message) bool {
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

// streamUntil serves an answer that is a stream. It ends when ctx is done or when the token is no
// longer valid.
func (s *Server) streamUntil(ctx context.Context, x *exchange, serve func()) *refusal {
	if why := x.hold.take(share{streams: 1, requests: -1}); why != nil {
		return why
	}
	_ = x.control.SetReadDeadline(never) // a ResponseRecorder in tests has no deadlines
	both, cancel := context.WithCancel(x.r.Context())
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	x.r = x.r.WithContext(both)
	defer s.watch.add(x.r, cancel)()
	serve()
	return nil
}
