package consolidate

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"mcp-memory/internal/job"
	"mcp-memory/memory"
	"mcp-memory/text/semantics"
)

// The bounds of self-care; see the package document.
const (
	MinMemories    = 30      // fewest memories for a call; in PhaseConversations fewest turns
	MaxMemories    = 500     // memories in a batch
	MaxTurns       = 1000    // turns that are left alone; with more, the older are summarised
	KeptTurns      = 500     // newest turns that are kept then
	MaxBefore      = 100_000 // tokens that a call reads in a phase
	MaxAfter       = 50_000  // tokens of the summaries that a call makes in a phase
	MaxAgentTokens = 15_000  // tokens of a batch in ModeAgent: hosts cut off longer answers
)

// Store is what this package needs of a database.
type Store interface {
	memory.Writer
	memory.Reader
	memory.Catalog
	memory.WorkingReader
}

// Options are what a [Service] is made of. All fields are needed unless they
// say otherwise.
type Options struct {
	Store    Store
	Embedder memory.Embedder
	// Summarizers are tried in order. One of them should be local.
	Summarizers []memory.Summarizer
	Counter     memory.TokenCounter
	Table       func() *semantics.Table // tells which words are near a focus
	Clock       memory.Clock
	IDs         *memory.IDs
	Queued      func() // called when a summary waits for its vector; must not block
	Log         *slog.Logger
	// Home, if set, is the only Request.Location from which self-care is
	// allowed. Case and surrounding blanks do not matter.
	Home string
	// Holder names this process in the jobs that it works on; empty means a
	// random name. Gone reports whether the process of such a name has
	// certainly ended, so that its jobs can be taken over before their lease
	// ends; may be nil.
	Holder string
	Gone   func(holder string) bool
	// Recorded is called with each step of a job that was recorded, for tests;
	// may be nil.
	Recorded func(step string)
}

// Service does self-care. Safe for concurrent use.
type Service struct {
	store       Store
	embedder    memory.Embedder
	summarizers []memory.Summarizer
	counter     memory.TokenCounter
	table       func() *semantics.Table
	clock       memory.Clock
	ids         *memory.IDs
	queued      func()
	log         *slog.Logger
	home        string
	jobs        *job.Worker
	beat        time.Duration // interval between renewals of a job's lease
}

// New returns a service over a store. It starts nothing.
func New(o Options) *Service {
	jobs := job.New(job.Options{
		Store: o.Store, Kind: jobKind, Parked: StepWaiting, Clock: o.Clock,
		IDs: o.IDs, Holder: o.Holder, Gone: o.Gone, Recorded: o.Recorded,
	})
	return &Service{o.Store, o.Embedder, o.Summarizers, o.Counter, o.Table, o.Clock, o.IDs, o.Queued, o.Log, strings.TrimSpace(o.Home),
		jobs, job.Beat}
}

// now is the clock's time as databases keep it.
func (s *Service) now() time.Time { return s.clock.Now() }

// SelfCare does what a request asks for. Errors: [memory.CodeInvalidArgument]
// for arguments that do not go together, [memory.CodeForbidden] away from home,
// [memory.CodeUnavailable] in [ModeLLM] without a model that answers,
// [memory.CodeNotFound] for a batch or undo that the bank does not have, and
// [memory.CodeConflict] for one that is stale or was done before, or while
// another call is at work.
func (s *Service) SelfCare(ctx context.Context, r Request) (Result, error) {
	if err := s.check(&r); err != nil {
		return Result{}, err
	}
	switch {
	case r.Undo != "":
		return s.undo(ctx, r)
	case r.BatchID != "":
		return s.submit(ctx, r)
	}
	m, err := s.modelOf(r.Mode)
	if err != nil {
		return Result{}, err
	}
	p := &pass{Service: s, Request: r, model: m, result: Result{Phase: r.Phase, Summaries: []Summary{}}}
	return p.run(ctx)
}
