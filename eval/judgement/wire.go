package main

import (
	"context"
	"errors"
	"time"

	"mcp-memory/contextwindow"
	"mcp-memory/eval/bench"
	"mcp-memory/link"
	"mcp-memory/resources"
	"mcp-memory/salience"
	"mcp-memory/workspace"
)

// system has the use cases over an empty store, with the program's defaults and a clock that stands
// still until it is set.
type system struct {
	bench.Bank
	pages  *resources.Service
	window *contextwindow.Service
	now    time.Time
}

func open(ctx context.Context) (*system, error) {
	s := &system{now: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}
	var err error
	if s.Bank, err = bench.Open(ctx, func() time.Time { return s.now }); err != nil {
		return nil, err
	}
	s.pages = resources.New(resources.Options{
		Store: s.Store, Salience: salience.Default(), Tokens: s.Tokens, Clock: s.Clock, Links: link.New(s.LinkOptions()),
		Files: func(agent string) resources.Files { return workspace.Open(s.Dir, agent) },
	})
	s.window = contextwindow.New(s.WindowOptions())
	return s, nil
}

func (s *system) close(ctx context.Context) error {
	return errors.Join(s.window.Close(ctx), s.Bank.Close())
}
