package main

import (
	"context"
	"errors"
	"time"

	"mcp-memory/contextwindow"
	"mcp-memory/eval/bench"
	"mcp-memory/memory"
)

const agent = "measured"

var scope = memory.Scope{Agent: agent}

// system is the use cases over a new bank, with the program's own defaults and
// the clock of the conversation.
type system struct {
	bench.Bank
	window *contextwindow.Service
	now    time.Time
}

func open(ctx context.Context) (*system, error) {
	s := &system{now: time.Now().UTC()}
	var err error
	if s.Bank, err = bench.Open(ctx, func() time.Time { return s.now }); err != nil {
		return nil, err
	}
	o := s.WindowOptions()
	o.Settings.Compaction = contextwindow.TriggerTokens // it is the window that is measured
	s.window = contextwindow.New(o)
	return s, nil
}

func (s *system) close(ctx context.Context) error { return errors.Join(s.window.Close(ctx), s.Close()) }
