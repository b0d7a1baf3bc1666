// Package testbank wires the use cases over a real database, for tests and measurements: as cmd
// does, with the built-in models, and without the background work of a running server.
//
// The options of each use case are defined here once. A caller that needs other wiring takes the
// options, changes them and makes a service from them:
//
//	o := bank.RecallOptions()
//	o.Without = []string{"salience"}
//	service := recall.New(o)
package testbank

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mcp-memory/actions"
	"mcp-memory/cognition"
	"mcp-memory/consolidate"
	"mcp-memory/contextwindow"
	"mcp-memory/db/sqlite"
	"mcp-memory/embed"
	"mcp-memory/internal/testfiles"
	"mcp-memory/link"
	"mcp-memory/memory"
	"mcp-memory/mirror"
	"mcp-memory/planning"
	"mcp-memory/recall"
	"mcp-memory/remember"
	"mcp-memory/salience"
	"mcp-memory/test/backend"
	"mcp-memory/test/ramdisk"
	"mcp-memory/text/extractive"
	"mcp-memory/text/semantics"
	"mcp-memory/text/taxonomy"
	"mcp-memory/text/tokens"
	"mcp-memory/transfer"
)

// FileName is the name of the database in a bank's directory.
const FileName = "memory.db"

// Options are what a bank is opened with. The zero value is ready for [New].
type Options struct {
	Patience  time.Duration      // how long a write waits for another process; 0 is the default of package db
	Dir       string             // directory of the database and the workspaces; it must exist
	Embedder  memory.Embedder    // nil for the built-in one
	Clock     memory.Clock       // nil for one that stands still at [Start]
	Mirror    bool               // keep MEMORY.md beside the bank
	Supersede remember.Supersede // what saves do with earlier facts; empty for nothing
	Encoder   memory.Embedder    // second embedder; nil for none
}

// Bank has one process's use cases over a database, which other banks may have open too. Its fields
// may be changed before they are used.
type Bank struct {
	Dir        string
	Store      memory.Store
	Embedder   memory.Embedder
	Categories *taxonomy.Classifier
	Tokens     *tokens.Counter
	Clock      memory.Clock
	IDs        *memory.IDs
	Log        *slog.Logger // discards everything
	Waiting    atomic.Int32 // how often the services reported a text that waits for its vector

	Remember *remember.Service
	Recall   *recall.Service // reinforces nothing
	Mirror   *mirror.Service // keeps MEMORY.md; nil unless Options.Mirror is set

	encoder   *recall.Encoder  // nil for none
	encoded   memory.VectorSet // the encoder's vectors
	raw       memory.Store     // the store without the mirror around it
	supersede remember.Supersede
}

// Open opens the database in o.Dir, creating it if there is none. The caller closes the store.
func Open(ctx context.Context, o Options) (*Bank, error) {
	if o.Embedder == nil {
		o.Embedder = embed.NewBuiltin()
	}
	if o.Clock == nil {
		o.Clock = new(Clock).Now
	}
	b := &Bank{
		Dir: o.Dir, Embedder: o.Embedder, Categories: taxonomy.New(memory.DefaultCategories(), semantics.Builtin),
		Tokens: tokens.NewCounter(""), Clock: o.Clock, IDs: memory.NewIDs(o.Clock),
		Log: slog.New(slog.DiscardHandler), supersede: o.Supersede,
	}
	var err error
	if b.Store, err = OpenStore(ctx, o); err != nil {
		return nil, err
	}
	testfiles.Use(o.Dir, b.Store)
	if o.Encoder != nil {
		set, err := b.Store.VectorSet(ctx, o.Encoder.Fingerprint())
		if err != nil {
			return nil, errors.Join(err, b.Store.Close())
		}
		b.encoded = set
		b.encoder = &recall.Encoder{Embedder: o.Encoder, Stored: func() recall.StoredVectors { return set },
			Patience: time.Minute} // so long that what is found does not depend on speed
	}
	if o.Mirror {
		b.Store = b.mirrored(b.Store)
	}
	b.Remember, b.Recall = remember.New(b.RememberOptions()), recall.New(b.RecallOptions())
	return b, nil
}

// OpenStore opens only the database. All fields that it uses must be set.
func OpenStore(ctx context.Context, o Options) (memory.Store, error) {
	return backend.Open(ctx, backend.Database(o.Dir, FileName),
		sqlite.Options{Embedder: o.Embedder.Fingerprint(), Clock: o.Clock, BusyTimeout: o.Patience})
}

// New is [Open] for a test: without o.Dir it uses a new directory, and it closes the store when the
// test ends.
func New(t testing.TB, o Options) *Bank {
	t.Helper()
	collectLess()
	ramdisk.Use()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	b, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Store.Close() }) // it may be closed already
	return b
}

// collectLess lets the collector of garbage run as often as in a command, where it would take a fifth
// of the time of many tests.
var collectLess = sync.OnceFunc(func() { debug.SetGCPercent(400) })

// queued counts reports of texts that wait for a vector.
func (b *Bank) queued() { b.Waiting.Add(1) }

// mirrored returns the store wrapped so that MEMORY.md is kept up to date.
func (b *Bank) mirrored(store memory.Store) memory.Store {
	b.raw = store
	b.Mirror = mirror.New(mirror.Options{
		Store: store, Remember: remember.New(b.RawOptions()), Clock: b.Clock, Log: b.Log, Categories: memory.DefaultCategories(),
		Planning: planning.New(planning.Options{Store: store, Clock: b.Clock, IDs: b.IDs}),
		Files:    func(agent string) mirror.Files { return testfiles.Open(b.Dir, agent) },
	})
	return mirror.Watch(store, b.Mirror.Changed)
}

// RememberOptions are the options for saving. The logs of the day are written into the workspaces.
func (b *Bank) RememberOptions() remember.Options {
	return remember.Options{
		Store: b.Store, Embedder: b.Embedder, Categories: b.Categories, Clock: b.Clock, IDs: b.IDs,
		DayLog: func(agent string) remember.DayLog { return testfiles.Open(b.Dir, agent) },
		Queued: b.queued, Log: b.Log, Supersede: b.supersede,
	}
}

// RawOptions are RememberOptions for a process that dies before it writes MEMORY.md.
func (b *Bank) RawOptions() remember.Options {
	o := b.RememberOptions()
	o.Store = b.raw
	return o
}

// PlanningOptions are the options for to-dos and the calendar.
func (b *Bank) PlanningOptions() planning.Options {
	return planning.Options{Store: b.Store, Clock: b.Clock, IDs: b.IDs}
}

// RawPlanningOptions are PlanningOptions for a process that dies before it writes MEMORY.md.
func (b *Bank) RawPlanningOptions() planning.Options {
	return planning.Options{Store: b.raw, Clock: b.Clock, IDs: b.IDs}
}

// RecallOptions are the options for recall. It reinforces nothing, so that the order of questions
// does not matter.
func (b *Bank) RecallOptions() recall.Options {
	return recall.Options{
		Store: b.Store, Table: semantics.Builtin, Embedder: b.Embedder, Categories: b.Categories, Salience: salience.Default(),
		Tokens: b.Tokens, Clock: b.Clock, Log: b.Log, Recalled: func(memory.Scope, []string) {}, Encoder: b.encoder,
	}
}

// Encode makes the encoder's vectors for all documents that wait for them.
func (b *Bank) Encode(ctx context.Context) error {
	if b.encoder == nil {
		return nil
	}
	_, err := embed.NewWorker(b.encoded, b.encoder, b.Clock, b.Log).Drain(ctx)
	return err
}

// CognitionOptions are the options for what an agent is and knows.
func (b *Bank) CognitionOptions() cognition.Options {
	return cognition.Options{
		Store: b.Store, Remember: b.Remember, Recall: b.Recall, Clock: b.Clock, Log: b.Log,
	}
}

// Summarizers returns only the built-in summarizer.
func (b *Bank) Summarizers() []memory.Summarizer {
	return []memory.Summarizer{extractive.New(extractive.Options{Counter: b.Tokens, Table: semantics.Builtin})}
}

// ConsolidateOptions are the options for consolidation, with the built-in summarizer.
func (b *Bank) ConsolidateOptions() consolidate.Options {
	return consolidate.Options{
		Store: b.Store, Embedder: b.Embedder, Summarizers: b.Summarizers(), Counter: b.Tokens, Table: semantics.Builtin,
		Clock: b.Clock, IDs: b.IDs, Queued: b.queued, Log: b.Log,
	}
}

// WindowOptions are the options for context windows, with the built-in summarizer, the default
// settings and the files of the workspaces.
func (b *Bank) WindowOptions() contextwindow.Options {
	return contextwindow.Options{
		Store: b.Store, Embedder: b.Embedder, Remember: b.Remember, Recall: contextwindow.Recalls(b.Recall), Todos: b.Store,
		Summarizers: b.Summarizers(),
		Files:       func(agent string) contextwindow.Files { return testfiles.Open(b.Dir, agent) },
		Counter:     func(model string) memory.TokenCounter { return tokens.NewCounter(model) },
		Clock:       b.Clock, IDs: b.IDs, Queued: b.queued,
		Met: cognition.New(b.CognitionOptions()).Met, Log: b.Log, Settings: contextwindow.DefaultSettings(),
	}
}

// LinkOptions are the options for links, with the default time to answer.
func (b *Bank) LinkOptions() link.Options {
	return link.Options{Store: b.Store, Clock: b.Clock, IDs: b.IDs, Queued: b.queued, Log: b.Log}
}

// Actions returns a log of actions that keeps a megabyte for each project.
func (b *Bank) Actions() *actions.Service {
	return actions.New(actions.Options{Store: b.Store, Recall: b.Recall, Clock: b.Clock, Embedder: b.Embedder, Keep: 1 << 20})
}

// Transfer returns the dependencies of imports and exports.
func (b *Bank) Transfer() transfer.Deps {
	return transfer.Deps{
		Store: b.Store, Embedder: b.Embedder, Service: b.Remember, Clock: b.Clock, IDs: b.IDs, Queued: b.queued, Log: b.Log,
		Met: cognition.New(b.CognitionOptions()).Met, Acted: b.Actions().Note,
	}
}

// Start is when a [Clock] begins.
var Start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// Clock is a clock that only [Clock.Pass] moves. The zero value stands at [Start]. Safe for
// concurrent use.
type Clock struct{ passed atomic.Int64 }

// Now is a [memory.Clock].
func (c *Clock) Now() time.Time { return Start.Add(time.Duration(c.passed.Load())) }

// Pass moves the clock by d.
func (c *Clock) Pass(d time.Duration) { c.passed.Add(int64(d)) }
