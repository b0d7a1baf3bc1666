package contextwindow

import (
	"context"
	"hash/maphash"
	"log/slog"
	"sync"
	"time"

	"mcp-memory/internal/job"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

// Store is what this package needs of a database.
type Store interface {
	memory.Writer
	memory.Reader
	memory.WorkingReader
	memory.Catalog
}

// Files are the files of an agent that this package writes to; see package workspace. Every
// method is idempotent.
type Files interface {
	// Memory returns MEMORY.md, "" if there is none.
	Memory(ctx context.Context) (string, error)
	// MergeMemory adds facts to MEMORY.md, each under the heading of its
	// category. One that is there, by id, is not written again; what a person
	// wrote stays.
	MergeMemory(ctx context.Context, facts []memory.Record) error
	// Loaded returns what a person wrote in the files that sessions are given: for
	// each a title, and behind it the lines that fit into its share of room, as count
	// measures it.
	Loaded(ctx context.Context, room int, count func(string) int, brief bool) [][]string
	// AppendHistory adds an entry to memory/HISTORY.md, once per id.
	AppendHistory(ctx context.Context, id string, at time.Time, text string) error
	// AppendSession adds turns to the file of a session. A turn that is there,
	// by index, is not written again.
	AppendSession(ctx context.Context, session string, turns []memory.Turn) error
}

// Options are what a [Service] is made of. All fields are needed unless they
// say otherwise.
type Options struct {
	Store    Store
	Embedder memory.Embedder
	Remember *remember.Service
	Recall   Recaller // may be nil: prompts are assembled without memories
	Todos    Todos    // may be nil: prompts are assembled without stored to-dos
	// Summarizers find facts and summarise, tried in order. One of them should be
	// local; see the package document.
	Summarizers []memory.Summarizer
	Files       func(agent string) Files // may be nil or return nil: then without files
	Counter     func(model string) memory.TokenCounter
	Rules       *Rules // nil is DefaultRules
	Clock       memory.Clock
	IDs         *memory.IDs
	Queued      func() // told that something waits for its vector; must not block
	// Met is told of the turns that a transaction stores, inside of it; see
	// [mcp-memory/cognition.Service.Met]. May be nil.
	Met      func(ctx context.Context, tx memory.Tx, scope memory.Scope, turns []memory.Turn) error
	Log      *slog.Logger
	Settings Settings
	// Holder names the process in the jobs that it works on; empty is a random
	// name. Gone reports whether the process of such a name has certainly
	// ended, so that its jobs need not wait for the end of their lease; may be nil.
	Holder string
	Gone   func(holder string) bool
	// Recorded is told which step of a job was recorded, for tests; may be nil.
	Recorded func(step string)
}

// Service manages context windows. Safe for concurrent use.
type Service struct {
	store       Store
	embedder    memory.Embedder
	remember    *remember.Service
	recall      Recaller
	todos       Todos
	summarizers []memory.Summarizer
	files       func(agent string) Files
	counter     func(model string) memory.TokenCounter
	rules       *Rules
	clock       memory.Clock
	ids         *memory.IDs
	queued      func()
	met         func(ctx context.Context, tx memory.Tx, scope memory.Scope, turns []memory.Turn) error
	log         *slog.Logger
	settings    Settings
	recorded    func(step string)

	seed  maphash.Seed
	locks [64]sync.Mutex // of sessions, by the hash of their key
	cache liveCache
	queue *queue
	jobs  *job.Worker
	beat  time.Duration // between renewals of a job's lease
}

// New returns a service over a store. It starts nothing: call
// [Service.Resume] to go on with what an earlier process left, and
// [Service.Close] at the end.
func New(o Options) *Service {
	if o.Files == nil {
		o.Files = func(string) Files { return nil }
	}
	if o.Met == nil {
		o.Met = func(context.Context, memory.Tx, memory.Scope, []memory.Turn) error { return nil }
	}
	if o.Rules == nil {
		o.Rules = DefaultRules()
	}
	if o.Recorded == nil {
		o.Recorded = func(string) {}
	}
	s := &Service{
		store: o.Store, embedder: o.Embedder, remember: o.Remember, recall: o.Recall, todos: o.Todos, summarizers: o.Summarizers,
		files: o.Files, counter: o.Counter, rules: o.Rules, clock: o.Clock, ids: o.IDs, queued: o.Queued, met: o.Met, log: o.Log,
		settings: o.Settings, recorded: o.Recorded,
		seed: maphash.MakeSeed(), cache: liveCache{entries: map[key]*cached{}}, beat: job.Beat,
		jobs: job.New(job.Options{
			Store: o.Store, Kind: jobKind, Clock: o.Clock, IDs: o.IDs, Holder: o.Holder, Gone: o.Gone, Recorded: o.Recorded,
		}),
	}
	s.queue = newQueue(o.Settings.Workers, o.Settings.QueueLimit, s.runInBackground)
	return s
}

// key names a session of a bank.
type key struct{ agent, session string }

// lock makes the caller the only one in this process that works on a session. Changes by other
// processes are found out in transactions, by the window's version.
func (s *Service) lock(k key) (unlock func()) {
	m := &s.locks[maphash.Comparable(s.seed, k)%uint64(len(s.locks))]
	m.Lock()
	return m.Unlock
}

// now is the time as it is stored.
func (s *Service) now() time.Time { return s.clock.Now() }

// inBackground reports whether jobs are done in the background: if the first summarizer, the
// preferred one, is not local and would keep callers waiting.
func (s *Service) inBackground() bool { return len(s.summarizers) > 0 && !s.summarizers[0].Local() }
