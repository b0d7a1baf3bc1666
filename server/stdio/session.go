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

// session is what the library needs to know of a connection: who the client is
// and how to reach it.
type session struct {
	id          string
	out         *output
	initialized atomic.Bool
	gone        chan struct{} // closed when the client says nothing more
	askTimeout  time.Duration // of a user who is asked

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

// RequestSampling asks the client's model, in the era of the handshake.
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

// RequestElicitation asks the client's user, in the era of the handshake. Who
// does not answer in time, or cannot, has not agreed.
func (s *session) RequestElicitation(ctx context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	waiting, cancel := context.WithTimeout(ctx, s.askTimeout)
	defer cancel()
	result, err := ask[mcp.ElicitationResult](waiting, s, mcp.MethodElicitationCreate, r.Params)
	if err != nil && ctx.Err() == nil && !errors.Is(err, errGone) {
		return &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{Action: mcp.ElicitationResponseActionCancel}}, nil
	}
	return result, err
}

// ListRoots asks for the client's directories.
func (s *session) ListRoots(ctx context.Context, _ mcp.ListRootsRequest) (*mcp.ListRootsResult, error) {
	return ask[mcp.ListRootsResult](ctx, s, mcp.MethodListRoots, nil)
}

var errGone = errors.New("ask the client: it has hung up")

// ask sends the client a request and waits for its answer, until ctx is done:
// then the client is told.
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
		_ = s.out.send(map[string]any{ // it only spares the client work
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

// resolve passes a client's answer to whoever waits for it. One that nobody
// waits for is dropped.
func (s *session) resolve(id string, r jsonrpc.Reply) {
	s.mu.Lock()
	answer := s.waiting[id]
	delete(s.waiting, id)
	s.mu.Unlock()
	if answer != nil {
		answer <- r
	}
}
