package main

import (
	"context"

	"mcp-memory/eval/bench"
	"mcp-memory/memory"
	"mcp-memory/recall"
)

// system is what is measured: the use cases over a store, with the program's
// own defaults.
type system struct{ bench.Bank }

// openSystem makes an empty store; its recall goes without some signals.
func openSystem(ctx context.Context, clock memory.Clock, without []string) (*system, error) {
	bank, err := bench.Open(ctx, clock)
	if err != nil {
		return nil, err
	}
	o := bank.RecallOptions()
	o.Without = without
	bank.Recall = recall.New(o)
	return &system{bank}, nil
}
