// Package told keeps what agents were given of their banks: each recall, start page and
// what a host's hook put into a prompt, so that "why did it say that" has an answer.
//
// What was given is kept by its id, with its score, never its text: a memory that is erased
// leaves nothing here. Of a question its beginning is kept.
//
// Nobody waits for it. [Service.Note] puts an entry aside, and [Service.Run] writes what was put aside,
// a second later, many at a time; what is not yet written when a process is killed is lost.
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
	count   int
	wake    chan struct{}
}

const (
	// delay is how long entries are collected: one write serves many.
	delay = time.Second
	// most is how many wait at once; should the database be away for long, what is more is lost.
	most = 5000
)

// New returns a service over a store.
func New(o Options) *Service {
	return &Service{o: o, pending: map[string][]memory.Told{}, wake: make(chan struct{}, 1)}
}

// Answer notes what an answer showed; via is the tool that asked.
func (s *Service) Answer(scope memory.Scope, via, query string, a recall.Answer) {
	entry := memory.Told{Via: via, Query: query, Tokens: a.TotalTokens}
	for _, r := range a.Results {
		if r.ID != "" { // a passage of a file has none
			entry.Results = append(entry.Results, memory.ToldResult{ID: r.ID, Score: r.Score})
		}
	}
	s.Note(scope, entry)
}

// Page notes that memories were given unasked; via says on what occasion.
func (s *Service) Page(scope memory.Scope, via, query string, ids []string, tokens int) {
	entry := memory.Told{Via: via, Query: query, Tokens: tokens}
	for _, id := range ids {
		entry.Results = append(entry.Results, memory.ToldResult{ID: id})
	}
	s.Note(scope, entry)
}

// Note keeps an entry, which gets its id, time, project and session here. It never blocks.
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

// beginning is a question as far as it is kept.
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

// Run writes what was noted until ctx ends, and then what is left, and removes what was
// kept for long enough in the banks that it writes to.
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

// Flush writes what was noted so far.
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

// pruned is how many old entries are removed at once.
const pruned = 500

// List returns up to limit entries of an agent that are older than the one with the ID before,
// or the newest for "", newest first.
func (s *Service) List(ctx context.Context, agent, before string, limit int) ([]memory.Told, error) {
	return s.o.Store.Told(ctx, agent, before, limit)
}
