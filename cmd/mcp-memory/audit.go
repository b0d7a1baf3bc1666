package main

import (
	"context"
	"log/slog"
	"time"

	"mcp-memory/memory"
)

// Times of pruning the audit log: the first time a while after the start, so that it delays nobody,
// then at intervals. It goes in steps, so that writes never wait long.
const (
	auditFirst = time.Minute
	auditEvery = time.Hour
	auditPause = 100 * time.Millisecond // between two steps
	auditStep  = 500                    // entries
)

// pruneAudits removes the entries of all audit logs that are older than auditKeep, until ctx is
// done.
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

// pruneAudits removes all entries from before a time, auditStep at a time.
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

// sleep waits for d. It returns false if ctx is done.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
