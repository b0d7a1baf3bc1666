package main

import (
	"context"
	"log/slog"
	"time"

	"mcp-memory/memory"
)

const (
	// openAgain is how often a server opens a set of vectors again. A store drops
	// one that nobody has opened for 30 days, and a server may run for longer.
	openAgain = 24 * time.Hour
	// openLater is when it is tried again where that failed.
	openLater = time.Minute
)

// keepOpen works with the set of vectors of an embedder until the context ends. The
// work gets a new context every day and returns when that ends. A set that was
// dropped all the same, while the machine slept, is made anew.
func keepOpen(ctx context.Context, sets memory.VectorSets, f memory.Fingerprint, log *slog.Logger,
	work func(context.Context, memory.VectorSet)) {
	for failed := false; ctx.Err() == nil; {
		set, err := sets.VectorSet(ctx, f)
		if err == nil {
			failed = false
			day, end := context.WithTimeout(ctx, openAgain)
			work(day, set)
			end()
			continue
		}
		if !failed && ctx.Err() == nil {
			failed = true
			log.WarnContext(ctx, "documents get no vectors", "embedder", f, "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(openLater):
		}
	}
}
