package stdio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"mcp-memory/server"
	"mcp-memory/server/jsonrpc"
	"mcp-memory/tools"
)

// session is the connection as the library sees it: who the client is and how to reach it.
type session struct {
	id          string
	out         *output
	initialized atomic.Bool
	gone        chan struct{} // closed at the end of the client's input
	askTimeout  time.Duration // for a user's answer

	mu           sync.Mutex
	client       mcp.Implementation
	capabilities mcp.ClientCapabilities
	version      string
	level        mcp.LoggingLevel
	filter       mcp.SubscriptionFilter
	asked        int64
	waiting      map[string]chan jsonrpc.Reply // by the id of our request
}

var (
	_ server.Host                             = (*session)(nil)
	_ mcpserver.SessionWithLogging            = (*session)(nil)
	_ mcpserver.SessionWithProtocolVersion    = (*session)(nil)
	_ mcpserver.SessionWithSubscriptionFilter = (*session)(nil)
	_ mcpserver.SessionWithRoots              = (*session)(nil)
)

var connections atomic.Int64

func newSession(out *output) *session {
	return &session{
		id:         "stdio-" + strconv.FormatInt(connections.Add(1), 10),
		out:        out,
		gone:       make(chan struct{}),
		askTimeout: tools.AnswerWithin,
		level:      mcp.LoggingLevelError,
		waiting:    map[string]chan jsonrpc.Reply{},
	}
}

func (s *session) SessionID() string { return s.id }
func (s *session) Initialize()       { s.initialized.Store(true) }
func (s *session) Initialized() bool { return s.initialized.Load() }
func (s *session) NotificationChannel() chan<- mcp.JSONRPCNotification {
	return s.out.notes
}

func locked[T any](s *session, field *T) T {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *field
}

func set[T any](s *session, field *T, value T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*field = value
}

func (s *session) SetLogLevel(l mcp.LoggingLevel)                      { set(s, &s.level, l) }
func (s *session) GetLogLevel() mcp.LoggingLevel                       { return locked(s, &s.level) }
func (s *session) SetClientInfo(c mcp.Implementation)                  { set(s, &s.client, c) }
func (s *session) GetClientInfo() mcp.Implementation                   { return locked(s, &s.client) }
func (s *session) SetClientCapabilities(c mcp.ClientCapabilities)      { set(s, &s.capabilities, c) }
func (s *session) GetClientCapabilities() mcp.ClientCapabilities       { return locked(s, &s.capabilities) }
func (s *session) SetProtocolVersion(v string)                         { set(s, &s.version, v) }
func (s *session) ProtocolVersion() string                             { return locked(s, &s.version) }
func (s *session) SetSubscriptionFilter(filter mcp.SubscriptionFilter) { set(s, &s.filter, filter) }
func (s *session) SubscriptionFilter() (mcp.SubscriptionFilter, bool) {
	f := locked(s, &s.filter)
	return f, !f.IsEmpty()
}

// RequestSampling asks the client's model, in the way of the older era.
func (s *session) RequestSampling(ctx context.Context, r mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	result, err := ask[mcp.CreateMessageResult](ctx, s, mcp.MethodSamplingCreateMessage, r.CreateMessageParams)
	if err != nil {
		return nil, err
	}
	if result.Content, err = mcp.ParseSamplingContent(result.Content); err != nil {
		return nil, fmt.Errorf("read the sampling result: %w", err)
	}
	return result, nil
}

// RequestElicitation asks the client's user, in the way of the older era. A user who does not
// answer in time, or a client that answers with an error, counts as a cancelled form.
func (s *session) RequestElicitation(ctx context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	waiting, cancel := context.WithTimeout(ctx, s.askTimeout)
	defer cancel()
	result, err := ask[mcp.ElicitationResult](waiting, s, mcp.MethodElicitationCreate, r.Params)
	if err != nil && ctx.Err() == nil && !errors.Is(err, errGone) {
		return &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{Action: mcp.ElicitationResponseActionCancel}}, nil
	}
	return result, err
}

// ListRoots asks the client for its root directories.
func (s *session) ListRoots(ctx context.Context, _ mcp.ListRootsRequest) (*mcp.ListRootsResult, error) {
	return ask[mcp.ListRootsResult](ctx, s, mcp.MethodListRoots, nil)
}

var errGone = errors.New("ask the client: it has hung up")

// ask sends the client a request and waits for the answer until ctx is done. Then it tells the
// client that the request is cancelled.
func ask[T any](ctx context.Context, s *session, method mcp.MCPMethod, params any) (*T, error) {
	id, answer := s.expect()
	defer s.unexpect(id)
	request := map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "id": json.RawMessage(id), "method": method}
	if params != nil {
		request["params"] = params
	}
	if err := s.out.send(request); err != nil {
		return nil, fmt.Errorf("ask the client: %w", err)
	}
	select {
	case <-ctx.Done():
		_ = s.out.send(map[string]any{ // an error does not matter: the message only spares the client work
			"jsonrpc": mcp.JSONRPC_VERSION, "method": mcp.MethodNotificationCancelled,
			"params": map[string]any{"requestId": json.RawMessage(id), "reason": "no longer needed"},
		})
		return nil, ctx.Err()
	case <-s.out.ended:
		return nil, errGone
	case <-s.gone:
		return nil, errGone
	case r := <-answer:
		if r.Err != nil {
			return nil, r.Err
		}
		result := new(T)
		if err := json.Unmarshal(r.Result, result); err != nil {
			return nil, fmt.Errorf("read the client's answer to %s: %w", method, err)
		}
		return result, nil
	}
}

func (s *session) expect() (string, <-chan jsonrpc.Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	id, answer := strconv.FormatInt(s.asked, 10), make(chan jsonrpc.Reply, 1)
	s.waiting[id] = answer
	return id, answer
}

func (s *session) unexpect(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.waiting, id)
}

// resolve passes an answer of the client to the request that waits for it. An answer that no
// request waits for is dropped.
func (s *session) resolve(id string, r jsonrpc.Reply) {
	s.mu.Lock()
	answer := s.waiting[id]
	delete(s.waiting, id)
	s.mu.Unlock()
	if answer != nil {
		answer <- r
	}
}
