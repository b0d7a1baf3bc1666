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
	"mcp-memory/resources"
	"mcp-memory/salience"
	"mcp-memory/text/extractive"
	"mcp-memory/text/semantics"
	"mcp-memory/text/taxonomy"
	"mcp-memory/text/tokens"
	"mcp-memory/workspace"
)

// system is the use cases over an empty store, with the program's own defaults
// and a clock that stands still until it is set.
type system struct {
	dir      string
	store    memory.Store
	remember *remember.Service
	recall   *recall.Service
	pages    *resources.Service
	window   *contextwindow.Service
	now      time.Time
}

func open(ctx context.Context) (*system, error) {
	dir, err := os.MkdirTemp("", "judgement-")
	if err != nil {
		return nil, err
	}
	s := &system{dir: dir, now: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}
	clock := func() time.Time { return s.now }
	embedder, ids := embed.NewBuiltin(), memory.NewIDs(clock)
	s.store, err = db.Open(ctx, filepath.Join(dir, "memory.db"), db.Options{Embedder: embedder.Fingerprint(), Clock: clock})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	counter := tokens.NewCounter("")
	categories := taxonomy.New(memory.DefaultCategories(), semantics.Builtin)
	s.remember = remember.New(remember.Options{
		Store: s.store, Embedder: embedder, Categories: categories, Clock: clock, IDs: ids,
		DayLog: func(agent string) remember.DayLog { return workspace.Open(dir, agent) }, Queued: func() {}, Log: log,
	})
	s.recall = recall.New(recall.Options{
		Store: s.store, Table: semantics.Builtin, Embedder: embedder, Categories: categories, Salience: salience.Default(),
		Tokens: counter, Clock: clock, Log: log, Recalled: func(memory.Scope, []string) {},
	})
	s.pages = resources.New(resources.Options{
		Store: s.store, Salience: salience.Default(), Tokens: counter, Clock: clock,
		Files: func(agent string) resources.Files { return workspace.Open(dir, agent) },
	})
	s.window = contextwindow.New(contextwindow.Options{
		Store: s.store, Embedder: embedder, Remember: s.remember, Recall: contextwindow.Recalls(s.recall), Todos: s.store,
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
