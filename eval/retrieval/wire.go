package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"path/filepath"

	"mcp-memory/db"
	"mcp-memory/embed"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
	"mcp-memory/salience"
	"mcp-memory/text/semantics"
	"mcp-memory/text/taxonomy"
	"mcp-memory/text/tokens"
	"mcp-memory/transfer"
)

// system is what is measured: the use cases over a store, with the program's
// own defaults. Everything that cmd wires differently for a measurement is in
// this file.
type system struct {
	store    memory.Store
	remember *remember.Service
	recall   *recall.Service
	transfer transfer.Deps
}

// openSystem makes an empty store in a directory; its recall goes without some
// signals.
func openSystem(ctx context.Context, dir string, clock memory.Clock, without []string) (*system, error) {
	s := &system{}
	embedder, ids := embed.NewBuiltin(), memory.NewIDs(clock)
	var err error
	s.store, err = db.Open(ctx, filepath.Join(dir, "memory.db"), db.Options{Embedder: embedder.Fingerprint(), Clock: clock})
	if err != nil {
		return nil, withCause(err)
	}
	counter := tokens.NewCounter("")
	if err := counter.Warm(); err != nil { // or the first question would wait for it
		return nil, errors.Join(err, s.store.Close())
	}
	categories := taxonomy.New(memory.DefaultCategories(), semantics.Builtin)
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	s.remember = remember.New(remember.Options{
		Store: s.store, Embedder: embedder, Categories: categories, Clock: clock, IDs: ids,
		DayLog: func(string) remember.DayLog { return nil }, // quiet saves have none
		Queued: func() {}, Log: log,
	})
	s.recall = recall.New(recall.Options{
		Store: s.store, Table: semantics.Builtin, Embedder: embedder, Categories: categories, Salience: salience.Default(),
		Tokens: counter, Clock: clock, Log: log,
		Recalled: func(memory.Scope, []string) {}, Without: without,
	})
	s.transfer = transfer.Deps{
		Store: s.store, Embedder: embedder, Service: s.remember, Clock: clock, IDs: ids, Queued: func() {}, Log: log,
	}
	return s, nil
}

// withCause shows what an error hides from users: here the user is whoever
// develops the program.
func withCause(err error) error {
	var e *memory.Error
	if errors.As(err, &e) && e.Err != nil {
		return errors.Join(err, e.Err)
	}
	return err
}
