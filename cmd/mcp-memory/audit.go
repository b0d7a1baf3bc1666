package main

import (
	"context"
	"log/slog"
	"time"

	"mcp-memory/memory"
)

// When the audit log is pruned: some time after the start, which others wait
// for, and then from time to time, in steps that no write has to wait for long
// for.
const (
	auditFirst = time.Minute
	auditEvery = time.Hour
	auditPause = 100 * time.Millisecond // between two steps
	auditStep  = 500                    // entries
)

// pruneAudits removes what the audit logs of all banks have kept for long
// enough, until ctx is done.
func (a *app) pruneAudits(ctx context.Context, log *slog.Logger) {
	if a.auditKeep == 0 {
		return
	}
	for wait := auditFirst; ; wait = auditEvery {
		if !sleep(ctx, wait) {
			return
		}
		if err := pruneAudits(ctx, a.store, a.clock().Add(-a.auditKeep)); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "prune the audit log", "error", err)
		}
	}
}

// auditStore is what pruning needs of a store.
type auditStore interface {
	memory.AuditPruner
	Agents(ctx context.Context) ([]string, error)
}

// pruneAudits removes all entries from before a time, step by step.
func pruneAudits(ctx context.Context, store auditStore, before time.Time) error {
	agents, err := store.Agents(ctx)
	if err != nil {
		return err
	}
	for _, agent := range agents {
		for {
			n, err := store.PruneAudit(ctx, agent, before, auditStep)
			if err != nil {
				return err
			}
			if n < auditStep {
				break
			}
			if !sleep(ctx, auditPause) {
				return ctx.Err()
			}
		}
	}
	return nil
}

// sleep waits and reports whether ctx is still not done.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
