package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"mcp-memory/contextwindow"
	"mcp-memory/db"
	"mcp-memory/embed"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
	"mcp-memory/salience"
	"mcp-memory/text/extractive"
	"mcp-memory/text/semantics"
	"mcp-memory/text/taxonomy"
	"mcp-memory/text/tokens"
	"mcp-memory/workspace"
)

const agent = "measured"

var scope = memory.Scope{Agent: agent}

// system is the use cases over a new bank, with the program's own defaults and
// the clock of the conversation.
type system struct {
	dir    string
	store  memory.Store
	window *contextwindow.Service
	recall *recall.Service
	now    time.Time
}

func open(ctx context.Context) (*system, error) {
	dir, err := os.MkdirTemp("", "window-")
	if err != nil {
		return nil, err
	}
	s := &system{dir: dir, now: time.Now().UTC()}
	clock := func() time.Time { return s.now }
	embedder, ids := embed.NewBuiltin(), memory.NewIDs(clock)
	s.store, err = db.Open(ctx, filepath.Join(dir, "memory.db"), db.Options{Embedder: embedder.Fingerprint(), Clock: clock})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	categories := taxonomy.New(memory.DefaultCategories(), semantics.Builtin)
	s.recall = recall.New(recall.Options{
		Store: s.store, Table: semantics.Builtin, Embedder: embedder, Categories: categories, Salience: salience.Default(),
		Tokens: tokens.NewCounter(""), Clock: clock, Log: log, Recalled: func(memory.Scope, []string) {},
	})
	s.window = contextwindow.New(contextwindow.Options{
		Store: s.store, Embedder: embedder,
		Remember: remember.New(remember.Options{
			Store: s.store, Embedder: embedder, Categories: categories, Clock: clock, IDs: ids,
			DayLog: func(string) remember.DayLog { return workspace.Open(dir, agent) }, Queued: func() {}, Log: log,
		}),
		Recall: contextwindow.Recalls(s.recall), Todos: s.store,
		Summarizers: []memory.Summarizer{extractive.New(extractive.Options{Table: semantics.Builtin})},
		Files:       func(agent string) contextwindow.Files { return workspace.Open(dir, agent) },
		Counter:     func(model string) contextwindow.TokenCounter { return tokens.NewCounter(model) },
		Clock:       clock, IDs: ids, Queued: func() {}, Log: log, Settings: contextwindow.DefaultSettings(),
	})
	return s, nil
}

func (s *system) close(ctx context.Context) error {
	return errors.Join(s.window.Close(ctx), s.store.Close(), os.RemoveAll(s.dir))
}
