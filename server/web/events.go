package web

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"

	mcpserver "github.com/mark3labs/mcp-go/server"
)

// How much is kept of a session for a client that lost its stream: up to keptEvents messages and
// keptBytes bytes, but at least one message. All sessions together keep up to keptInAll bytes,
// which they share equally.
const (
	keptEvents = 256
	keptBytes  = 1 << 20
	keptInAll  = 64 << 20
)

// events keeps the last messages of each session's streams, so that a client can continue where its
// connection broke (Last-Event-ID). The library's own store keeps all messages as long as the
// session lives, see https://github.com/mark3labs/mcp-go/pull/930. Safe for concurrent use.
type events struct {
	process  string // random prefix of event ids, so that no other process has the same ids
	mu       sync.Mutex
	last     int64
	sessions map[string]*sessionEvents
}

var _ mcpserver.EventStore = (*events)(nil)

// sessionEvents are the kept messages of a session, oldest first.
type sessionEvents struct {
	events []event
	bytes  int
}

type event struct {
	id      int64
	stream  string
	message json.RawMessage
}

func newEvents() *events {
	return &events{process: rand.Text()[:8], sessions: map[string]*sessionEvents{}}
}

// StoreEvent implements [mcpserver.EventStore].
func (e *events) StoreEvent(_ context.Context, session, stream string, message json.RawMessage) (string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	k := e.sessions[session]
	if k == nil {
		k = &sessionEvents{}
		e.sessions[session] = k
	}
	e.last++
	k.events = append(k.events, event{e.last, stream, append(json.RawMessage(nil), message...)})
	k.bytes += len(message)
	room := min(keptBytes, keptInAll/len(e.sessions))
	for len(k.events) > keptEvents || k.bytes > room && len(k.events) > 1 {
		k.bytes -= len(k.events[0].message)
		k.events[0] = event{}
		k.events = k.events[1:]
	}
	return e.name(e.last), nil
}

// name returns the id of an event as clients see it.
func (e *events) name(id int64) string { return e.process + "-" + strconv.FormatInt(id, 10) }

// knows reports whether an event of a session is still kept here.
func (e *events) knows(session, id string) bool {
	_, _, ok := e.after(session, id)
	return ok
}

// ReplayEventsAfter implements [mcpserver.EventStore].
func (e *events) ReplayEventsAfter(_ context.Context, session, lastID string, send func(string, json.RawMessage) error) (string, error) {
	stream, missed, ok := e.after(session, lastID)
	if !ok {
		return "", fmt.Errorf("%w: %q", mcpserver.ErrUnknownEventID, lastID)
	}
	for _, m := range missed {
		if err := send(e.name(m.id), m.message); err != nil {
			return "", err
		}
	}
	return stream, nil
}

func (e *events) after(session, lastID string) (stream string, missed []event, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	k := e.sessions[session]
	if k == nil {
		return "", nil, false
	}
	for _, one := range k.events {
		switch {
		case e.name(one.id) == lastID:
			stream, ok = one.stream, true
		case ok && one.stream == stream:
			missed = append(missed, one)
		}
	}
	return stream, missed, ok
}

// PurgeSession implements [mcpserver.EventStore].
func (e *events) PurgeSession(_ context.Context, session string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.sessions, session)
	return nil
}
