// Package told keeps a log of what agents were given from their banks: each
// recall, start page and text that a host's hook has put into a prompt, so that
// "why did it say that" can be answered.
//
// A memory is logged by its id and score, never by its text, so nothing of an
// erased memory stays here. Of a question only the beginning is kept.
//
// Nobody waits for the log. [Service.Note] queues an entry, and [Service.Run]
// writes the queue a second later, many entries at a time. Entries still in the
// queue when a process is killed are lost.
package told

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"mcp-memory/memory"
	"mcp-memory/recall"
)

// Options are what a [Service] is made of. All fields but Keep are needed.
type Options struct {
	Store memory.ToldLog
	Clock memory.Clock
	IDs   *memory.IDs
	Log   *slog.Logger
	Keep  time.Duration // how long an entry is kept; 0 keeps none
}

// Service keeps the log. Safe for concurrent use.
type Service struct {
	o       Options
	mu      sync.Mutex
	pending map[string][]memory.Told // by agent
	count   int                      // number of entries in pending
	wake    chan struct{}
}

const (
	// delay is how long entries are collected before they are written together.
	delay = time.Second
	// most is how many entries the queue holds. While the database does not
	// take them, further ones are dropped.
	most = 5000
)

// New returns a service over a store.
func New(o Options) *Service {
	return &Service{o: o, pending: map[string][]memory.Told{}, wake: make(chan struct{}, 1)}
}

// Answer logs what an answer showed. via is the tool that asked.
func (s *Service) Answer(scope memory.Scope, via, query string, a recall.Answer) {
	entry := memory.Told{Via: via, Query: query, Tokens: a.TotalTokens}
	for _, r := range a.Results {
		if r.ID != "" { // a passage of a file has no id
			entry.Results = append(entry.Results, memory.ToldResult{ID: r.ID, Score: r.Score})
		}
	}
	s.Note(scope, entry)
}

// Page logs memories that were given without a question to the memory. via says
// on what occasion.
func (s *Service) Page(scope memory.Scope, via, query string, ids []string, tokens int) {
	entry := memory.Told{Via: via, Query: query, Tokens: tokens}
	for _, id := range ids {
		entry.Results = append(entry.Results, memory.ToldResult{ID: id})
	}
	s.Note(scope, entry)
}

// Note queues an entry. It sets the entry's id, time, project and session. It
// never blocks.
func (s *Service) Note(scope memory.Scope, entry memory.Told) {
	if s == nil || s.o.Keep == 0 {
		return
	}
	entry.ID, entry.At, entry.Project, entry.Session = s.o.IDs.New(), s.o.Clock.Now(), scope.Project, scope.Session
	entry.Query = beginning(entry.Query)
	if entry.Project == memory.AllProjects {
		entry.Project = ""
	}
	s.mu.Lock()
	if s.count < most {
		s.pending[scope.Agent] = append(s.pending[scope.Agent], entry)
		s.count++
	}
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default: // Run will wake up already
	}
}

// beginning returns the part of a question that is kept: at most
// [memory.MaxToldQuery] bytes.
func beginning(query string) string {
	query = strings.TrimSpace(query)
	if len(query) <= memory.MaxToldQuery {
		return query
	}
	n := memory.MaxToldQuery - len("…")
	for !utf8.RuneStart(query[n]) {
		n--
	}
	return query[:n] + "…"
}

// Run writes the queue until ctx ends, and then what is left in it. In the
// banks that it writes to it removes entries older than Options.Keep.
func (s *Service) Run(ctx context.Context) {
	for {
		select {
		case <-s.wake:
			select {
			case <-time.After(delay):
				s.Flush(ctx)
			case <-ctx.Done():
			}
		case <-ctx.Done():
			s.Flush(context.WithoutCancel(ctx))
			return
		}
	}
}

// Flush writes the queue. Entries of a bank that cannot be written are lost.
func (s *Service) Flush(ctx context.Context) {
	s.mu.Lock()
	pending := s.pending
	s.pending, s.count = map[string][]memory.Told{}, 0
	s.mu.Unlock()
	for agent, entries := range pending {
		err := s.o.Store.NoteTold(ctx, agent, entries)
		if err == nil {
			_, err = s.o.Store.PruneTold(ctx, agent, s.o.Clock.Now().Add(-s.o.Keep), pruned)
		}
		if err != nil {
			s.o.Log.InfoContext(ctx, "what was told was not noted", "error", err)
		}
	}
}

// pruned is how many old entries are removed at most after each write.
const pruned = 500

// List returns up to limit entries of an agent, newest first: those older than
// the entry with the id before, or if that is empty the newest.
func (s *Service) List(ctx context.Context, agent, before string, limit int) ([]memory.Told, error) {
	return s.o.Store.Told(ctx, agent, before, limit)
}
