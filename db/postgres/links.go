package postgres

import (
	"context"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// Links of an agent are those that it has asked for (links.agent) and those that it is asked for
// (links.from_agent).
const (
	linksOfBoth = `SELECT * FROM (
			(SELECT ` + rows.LinkColumns + ` FROM links WHERE agent = ?1 ORDER BY requested_at DESC, id DESC LIMIT ?2)
			UNION ALL
			(SELECT ` + rows.LinkColumns +
		` FROM links WHERE from_agent = ?1 AND agent <> ?1 ORDER BY requested_at DESC, id DESC LIMIT ?2)) l
		ORDER BY requested_at DESC, id DESC LIMIT ?2`
	linkOfBoth = `SELECT ` + rows.LinkColumns + ` FROM links WHERE (agent = ?1 OR from_agent = ?1) AND id = ?2`
)

// Links implements [memory.LinkReader].
func (s *Store) Links(ctx context.Context, agent string, limit int) ([]memory.Link, error) {
	return rows.All(s.as(ctx, agent), rows.ScanLink, linksOfBoth, agent, limit)
}

// Links implements [memory.LinkStore].
func (t *tx) Links(limit int) ([]memory.Link, error) {
	return rows.All(t, rows.ScanLink, linksOfBoth, t.agent, limit)
}

// PendingLink implements [memory.LinkReader].
func (s *Store) PendingLink(ctx context.Context, to, from string, at time.Time) (*memory.Link, error) {
	return rows.One(s.as(ctx, to), rows.ScanLink, rows.PendingLinkQuery, to, from, rows.Micros(at))
}

// LinkOf implements [memory.LinkReader].
func (s *Store) LinkOf(ctx context.Context, agent, id string) (memory.Link, error) {
	found, err := rows.One(s.as(ctx, agent), rows.ScanLink, linkOfBoth, agent, id)
	return rows.OrError(found, err, rows.NoLink(id))
}

// RecordByOrigin implements [memory.LinkStore].
func (t *tx) RecordByOrigin(agent, id string) (*memory.Record, error) {
	return t.recordBy(`d.id = (SELECT id FROM record_origins WHERE agent = ? AND origin_agent = ? AND origin_id = ?)`, t.agent, agent, id)
}

// LinkedRecords implements [memory.LinkReader].
func (s *Store) LinkedRecords(ctx context.Context, agent, link string) ([]string, error) {
	return rows.All(s.as(ctx, agent), rows.ScanText,
		`SELECT d.id FROM records d WHERE d.agent = ?1 AND d.archived_at IS NULL AND d.superseded_by IS NULL
		AND d.id IN (SELECT o.id FROM record_origins o WHERE o.agent = ?1 AND o.link = ?2) ORDER BY d.seq`, agent, link)
}

// Agents implements [memory.LinkReader].
func (s *Store) Agents(ctx context.Context) ([]string, error) {
	return rows.All(s.as(ctx, everyone), rows.ScanText, `SELECT agent FROM banks WHERE erased_at IS NULL ORDER BY agent COLLATE "C"`)
}

// AuditLog implements [memory.LinkReader].
func (s *Store) AuditLog(ctx context.Context, agent string, limit int) ([]memory.AuditEntry, error) {
	return rows.All(s.as(ctx, agent), rows.ScanAudit,
		`SELECT agent, actor, action, subject, details, at FROM audit_log WHERE agent = ? ORDER BY entry DESC LIMIT ?`, agent, limit)
}

// PruneAudit implements [memory.AuditPruner].
func (s *Store) PruneAudit(ctx context.Context, agent string, before time.Time, limit int) (n int, err error) {
	err = s.transaction(ctx, agent, func(t *tx) error {
		gone, err := rows.All(t, rows.ScanInt64, `DELETE FROM audit_log WHERE agent = ?1 AND entry IN (
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
		return x.Exec(`INSERT INTO tokens (`+rows.TokenColumns+`) VALUES (`+rows.Placeholders(rows.Token)+`)`, rows.TokenValues(t)...)
	})
}

// TokenByHash implements [memory.TokenStore].
func (s *Store) TokenByHash(ctx context.Context, hash []byte) (memory.Token, error) {
	found, err := rows.One(s.as(ctx, everyone), rows.ScanToken, `SELECT `+rows.TokenColumns+` FROM tokens WHERE hash = ?`, hash)
	return rows.OrError(found, err, memory.Errorf(memory.CodeNotFound, "there is no such token"))
}

// Tokens implements [memory.TokenStore].
func (s *Store) Tokens(ctx context.Context, agent string) ([]memory.Token, error) {
	return rows.All(s.as(ctx, everyone), rows.ScanToken,
		`SELECT `+rows.TokenColumns+` FROM tokens WHERE ?1 = '' OR agent = ?1 ORDER BY created_at, id`, agent)
}

// RevokeToken implements [memory.TokenStore].
func (s *Store) RevokeToken(ctx context.Context, agent, id string, at time.Time) error {
	return s.transaction(ctx, agent, func(x *tx) error {
		found, err := rows.One(x, rows.ScanToken,
			`SELECT `+rows.TokenColumns+` FROM tokens WHERE agent = ? AND id = ? FOR UPDATE`, agent, id)
		t, err := rows.OrError(found, err, memory.Errorf(memory.CodeNotFound, "there is no token %q of agent %s", id, agent).
			WithHint("`mcp-memory token list` shows ids"))
		if err != nil || !t.RevokedAt.IsZero() {
			return err
		}
		return x.Exec(`UPDATE tokens SET revoked_at = ? WHERE agent = ? AND id = ?`, rows.Micros(at), agent, id)
	})
}

// HasTokens implements [memory.TokenStore].
func (s *Store) HasTokens(ctx context.Context) (has bool, err error) {
	err = rows.Into(s.as(ctx, everyone), []any{&has}, `SELECT EXISTS (SELECT 1 FROM tokens)`)
	return has, err
}
