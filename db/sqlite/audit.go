package sqlite

import (
	"context"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

const newestAudits = `SELECT agent, actor, action, subject, details, at FROM audit_log WHERE agent = ? ORDER BY entry DESC LIMIT ?`

// AuditLog implements [memory.LinkReader].
func (s *Store) AuditLog(ctx context.Context, agent string, limit int) ([]memory.AuditEntry, error) {
	entries, err := queryAll(ctx, s.read, rows.ScanAudit, newestAudits, agent, limit)
	return entries, explain(err)
}

// PruneAudit implements [memory.AuditPruner].
func (s *Store) PruneAudit(ctx context.Context, agent string, before time.Time, limit int) (n int, err error) {
	err = s.writer.do(ctx, func(w *writer) error {
		gone, err := queryAll(ctx, w, scanEntry, `DELETE FROM audit_log WHERE agent = ?1 AND entry IN (
			SELECT entry FROM (SELECT entry, at FROM audit_log WHERE agent = ?1 ORDER BY entry LIMIT ?3) WHERE at < ?2) RETURNING entry`,
			agent, rows.Micros(before), limit)
		n = len(gone)
		return err
	})
	return n, explain(err)
}

func scanEntry(row rows.Row) (entry int64, err error) { return entry, row.Scan(&entry) }
