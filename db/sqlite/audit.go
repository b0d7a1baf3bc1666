package sqlite

import (
	"context"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// Audit implements [memory.LinkStore].
func (t *tx) Audit(e memory.AuditEntry) error {
	if err := t.checkAgent("audit entry", e.Agent); err != nil {
		return err
	}
	return t.exec(`INSERT INTO audit_log (agent, entry, actor, action, subject, details, at)
		SELECT ?1, coalesce(max(entry), 0) + 1, ?2, ?3, ?4, ?5, ?6 FROM audit_log WHERE agent = ?1`,
		e.Agent, e.Actor, e.Action, e.Subject, rows.Text(e.Details), rows.Micros(e.At))
}

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
