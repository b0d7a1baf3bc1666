package postgres

import (
	"context"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// InsertLink implements [memory.LinkStore].
func (t *tx) InsertLink(l memory.Link) error {
	if err := t.checkAgent("link", l.To); err != nil {
		return err
	}
	return t.exec(`INSERT INTO links (`+rows.LinkColumns+`) VALUES (`+rows.Placeholders(rows.Link)+`)`, rows.LinkValues(l)...)
}

// Link implements [memory.LinkStore].
func (t *tx) Link(id string) (memory.Link, error) {
	found, err := one(t, rows.ScanLink, `SELECT `+rows.LinkColumns+` FROM links WHERE agent = ? AND id = ?`, t.agent, id)
	return orError(found, err, noLink(id))
}

func noLink(id string) error {
	return memory.Errorf(memory.CodeNotFound, "there is no link %q", id).WithHint("neural_link with action pending returns ids")
}

// UpdateLink implements [memory.LinkStore].
func (t *tx) UpdateLink(l memory.Link) error {
	if _, err := t.Link(l.ID); err != nil {
		return err
	}
	return t.exec(`UPDATE links SET shared_kinds = ?, shared_categories = ?, shared_since = ?, note = ?, status = ?, decided_at = ?,
		copied = ?, skipped = ? WHERE agent = ? AND id = ?`,
		rows.List(l.SharedKinds), rows.List(l.SharedCategories), rows.Micros(l.SharedSince), l.Note, string(l.Status), rows.Micros(l.DecidedAt),
		l.Copied, l.Skipped, t.agent, l.ID)
}

// The other side of a link finds it by its own name.
const (
	linksOfBoth = `SELECT * FROM (
			(SELECT ` + rows.LinkColumns + ` FROM links WHERE agent = ?1 ORDER BY requested_at DESC, id DESC LIMIT ?2)
			UNION ALL
			(SELECT ` + rows.LinkColumns + ` FROM links WHERE from_agent = ?1 AND agent <> ?1 ORDER BY requested_at DESC, id DESC LIMIT ?2)) l
		ORDER BY requested_at DESC, id DESC LIMIT ?2`
	pendingLink = `SELECT ` + rows.LinkColumns + ` FROM links WHERE agent = ? AND from_agent = ? AND status = 'pending' AND expires_at >= ?
		ORDER BY expires_at DESC LIMIT 1`
	linkOfBoth = `SELECT ` + rows.LinkColumns + ` FROM links WHERE (agent = ?1 OR from_agent = ?1) AND id = ?2`
)

// Links implements [memory.LinkReader].
func (s *Store) Links(ctx context.Context, agent string, limit int) ([]memory.Link, error) {
	return all(s.as(ctx, agent), rows.ScanLink, linksOfBoth, agent, limit)
}

// Links implements [memory.LinkStore].
func (t *tx) Links(limit int) ([]memory.Link, error) {
	return all(t, rows.ScanLink, linksOfBoth, t.agent, limit)
}

// PendingLink implements [memory.LinkReader].
func (s *Store) PendingLink(ctx context.Context, to, from string, at time.Time) (*memory.Link, error) {
	return one(s.as(ctx, to), rows.ScanLink, pendingLink, to, from, rows.Micros(at))
}

// PendingLink implements [memory.LinkStore].
func (t *tx) PendingLink(from string, at time.Time) (*memory.Link, error) {
	return one(t, rows.ScanLink, pendingLink, t.agent, from, rows.Micros(at))
}

// LinkOf implements [memory.LinkReader].
func (s *Store) LinkOf(ctx context.Context, agent, id string) (memory.Link, error) {
	found, err := one(s.as(ctx, agent), rows.ScanLink, linkOfBoth, agent, id)
	return orError(found, err, noLink(id))
}

// RecordByOrigin implements [memory.LinkStore].
func (t *tx) RecordByOrigin(agent, id string) (*memory.Record, error) {
	return t.recordBy(`d.id = (SELECT id FROM record_origins WHERE agent = ? AND origin_agent = ? AND origin_id = ?)`, t.agent, agent, id)
}

// NoteOrigin implements [memory.LinkStore].
func (t *tx) NoteOrigin(id, link, agent, original string) error {
	if _, err := t.document(id); err != nil {
		return err
	}
	return t.upsert("record_origins", []string{"agent", "origin_agent", "origin_id", "id", "link"}, 3, []any{t.agent, agent, original, id, link})
}

// LinkedRecords implements [memory.LinkReader].
func (s *Store) LinkedRecords(ctx context.Context, agent, link string) ([]string, error) {
	return all(s.as(ctx, agent), rows.ScanText, `SELECT d.id FROM records d WHERE d.agent = ?1 AND d.archived_at IS NULL AND d.superseded_by IS NULL
		AND d.id IN (SELECT o.id FROM record_origins o WHERE o.agent = ?1 AND o.link = ?2) ORDER BY d.seq`, agent, link)
}

// Agents implements [memory.LinkReader].
func (s *Store) Agents(ctx context.Context) ([]string, error) {
	return all(s.as(ctx, everyone), rows.ScanText, `SELECT agent FROM banks WHERE erased_at IS NULL ORDER BY agent COLLATE "C"`)
}

// Audit implements [memory.LinkStore].
func (t *tx) Audit(e memory.AuditEntry) error {
	if err := t.checkAgent("audit entry", e.Agent); err != nil {
		return err
	}
	return t.exec(`INSERT INTO audit_log (agent, entry, actor, action, subject, details, at)
		SELECT ?1, coalesce(max(entry), 0) + 1, ?2, ?3, ?4, ?5, ?6 FROM audit_log WHERE agent = ?1`,
		e.Agent, e.Actor, e.Action, e.Subject, rows.Text(e.Details), rows.Micros(e.At))
}

// AuditLog implements [memory.LinkReader].
func (s *Store) AuditLog(ctx context.Context, agent string, limit int) ([]memory.AuditEntry, error) {
	return all(s.as(ctx, agent), rows.ScanAudit, `SELECT agent, actor, action, subject, details, at FROM audit_log WHERE agent = ? ORDER BY entry DESC LIMIT ?`, agent, limit)
}

// PruneAudit implements [memory.AuditPruner].
func (s *Store) PruneAudit(ctx context.Context, agent string, before time.Time, limit int) (n int, err error) {
	err = s.transaction(ctx, agent, func(t *tx) error {
		gone, err := all(t, rows.ScanInt64, `DELETE FROM audit_log WHERE agent = ?1 AND entry IN (
			SELECT entry FROM (SELECT entry, at FROM audit_log WHERE agent = ?1 ORDER BY entry LIMIT ?3) oldest WHERE at < ?2) RETURNING entry`,
			agent, rows.Micros(before), limit)
		n = len(gone)
		return err
	})
	return n, err
}

// InsertToken implements [memory.TokenStore].
func (s *Store) InsertToken(ctx context.Context, t memory.Token) error {
	return s.transaction(ctx, t.Agent, func(x *tx) error {
		return x.exec(`INSERT INTO tokens (`+rows.TokenColumns+`) VALUES (`+rows.Placeholders(rows.Token)+`)`, rows.TokenValues(t)...)
	})
}

// TokenByHash implements [memory.TokenStore].
func (s *Store) TokenByHash(ctx context.Context, hash []byte) (memory.Token, error) {
	found, err := one(s.as(ctx, everyone), rows.ScanToken, `SELECT `+rows.TokenColumns+` FROM tokens WHERE hash = ?`, hash)
	return orError(found, err, memory.Errorf(memory.CodeNotFound, "there is no such token"))
}

// Tokens implements [memory.TokenStore].
func (s *Store) Tokens(ctx context.Context, agent string) ([]memory.Token, error) {
	return all(s.as(ctx, everyone), rows.ScanToken, `SELECT `+rows.TokenColumns+` FROM tokens WHERE ?1 = '' OR agent = ?1 ORDER BY created_at, id`, agent)
}

// RevokeToken implements [memory.TokenStore].
func (s *Store) RevokeToken(ctx context.Context, agent, id string, at time.Time) error {
	return s.transaction(ctx, agent, func(x *tx) error {
		found, err := one(x, rows.ScanToken, `SELECT `+rows.TokenColumns+` FROM tokens WHERE agent = ? AND id = ? FOR UPDATE`, agent, id)
		t, err := orError(found, err, memory.Errorf(memory.CodeNotFound, "there is no token %q of agent %s", id, agent).WithHint("`mcp-memory token list` shows ids"))
		if err != nil || !t.RevokedAt.IsZero() {
			return err
		}
		return x.exec(`UPDATE tokens SET revoked_at = ? WHERE agent = ? AND id = ?`, rows.Micros(at), agent, id)
	})
}

// HasTokens implements [memory.TokenStore].
func (s *Store) HasTokens(ctx context.Context) (has bool, err error) {
	err = scanRow(s.as(ctx, everyone), []any{&has}, `SELECT EXISTS (SELECT 1 FROM tokens)`)
	return has, err
}
