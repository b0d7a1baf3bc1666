package main

import (
	"context"
	"log/slog"
	"time"

	"mcp-memory/memory"
)

const (
	// openAgain is how often a server reopens a set of vectors. A store drops a set that was not
	// opened for 30 days, and a server may run longer.
	openAgain = 24 * time.Hour
	// openLater is how long after a failure it tries again.
	openLater = time.Minute
)

// keepOpen runs work with the set of vectors of an embedder until ctx is done. Each day the context
// of work ends, work must return, and it is called again with a newly opened set. A set that was
// dropped nevertheless, while the machine slept, is made anew.
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
