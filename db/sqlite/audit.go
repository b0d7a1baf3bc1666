package sqlite

import (
	"context"
	"database/sql"

	"mcp-memory/memory"
)

// Audit implements [memory.LinkStore].
func (t *tx) Audit(e memory.AuditEntry) error {
	if err := t.checkAgent("audit entry", e.Agent); err != nil {
		return err
	}
	return t.exec(`INSERT INTO audit_log (agent, entry, actor, action, subject, details, at)
		SELECT ?1, coalesce(max(entry), 0) + 1, ?2, ?3, ?4, ?5, ?6 FROM audit_log WHERE agent = ?1`,
		e.Agent, e.Actor, e.Action, e.Subject, text(e.Details), micros(e.At))
}

const newestAudits = `SELECT agent, actor, action, subject, details, at FROM audit_log WHERE agent = ? ORDER BY entry DESC LIMIT ?`

// AuditLog implements [memory.LinkReader].
func (s *Store) AuditLog(ctx context.Context, agent string, limit int) ([]memory.AuditEntry, error) {
	entries, err := queryAll(ctx, s.read, scanAudit, newestAudits, agent, limit)
	return entries, explain(err)
}

func scanAudit(rows *sql.Rows) (e memory.AuditEntry, err error) {
	err = rows.Scan(&e.Agent, &e.Actor, &e.Action, &e.Subject, fromText(&e.Details), fromMicros(&e.At))
	return e, err
}
