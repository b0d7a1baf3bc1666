package rows

import (
	"time"

	"mcp-memory/memory"
)

// LinkColumns are what ScanLink reads and linkValues gives the values of.
const LinkColumns = `agent, id, from_agent, message, kinds, categories, since, shared_kinds, shared_categories, shared_since,
	note, status, requested_at, expires_at, decided_at, copied, skipped`

// ScanLink reads a link.
func ScanLink(row Row) (l memory.Link, err error) {
	err = row.Scan(&l.To, &l.ID, &l.From, &l.Message, FromList(&l.Kinds), FromList(&l.Categories), FromMicros(&l.Since),
		FromList(&l.SharedKinds), FromList(&l.SharedCategories), FromMicros(&l.SharedSince),
		&l.Note, &l.Status, FromMicros(&l.RequestedAt), FromMicros(&l.ExpiresAt), FromMicros(&l.DecidedAt), &l.Copied, &l.Skipped)
	return l, of(err, "link", l.ID)
}

// linkValues gives the values of LinkColumns.
func linkValues(l memory.Link) []any {
	return []any{
		l.To, l.ID, l.From, l.Message, List(l.Kinds), List(l.Categories), Micros(l.Since),
		List(l.SharedKinds), List(l.SharedCategories), Micros(l.SharedSince),
		l.Note, string(l.Status), Micros(l.RequestedAt), Micros(l.ExpiresAt), Micros(l.DecidedAt), l.Copied, l.Skipped,
	}
}

// TokenColumns are what ScanToken reads and TokenValues gives the values of.
const TokenColumns = `agent, id, hash, projects, read_only, operator, created_at, expires_at, revoked_at`

// Token is how many columns a token has.
const Token = 9

// ScanToken reads a token.
func ScanToken(row Row) (t memory.Token, err error) {
	err = row.Scan(&t.Agent, &t.ID, &t.Hash, FromList(&t.Projects), &t.ReadOnly, &t.Operator, FromMicros(&t.CreatedAt),
		FromMicros(&t.ExpiresAt), FromMicros(&t.RevokedAt))
	return t, of(err, "token", t.ID)
}

// TokenValues gives the values of TokenColumns.
func TokenValues(t memory.Token) []any {
	return []any{t.Agent, t.ID, t.Hash, List(t.Projects), t.ReadOnly, t.Operator, Micros(t.CreatedAt), Micros(t.ExpiresAt),
		Micros(t.RevokedAt)}
}

// ScanAudit reads agent, actor, action, subject, details and at of audit_log.
func ScanAudit(row Row) (e memory.AuditEntry, err error) {
	err = row.Scan(&e.Agent, &e.Actor, &e.Action, &e.Subject, FromText(&e.Details), FromMicros(&e.At))
	return e, err
}

// PendingLinkQuery reads LinkColumns; its arguments are those of [memory.LinkReader.PendingLink].
const PendingLinkQuery = `SELECT ` + LinkColumns +
	` FROM links WHERE agent = ? AND from_agent = ? AND status = 'pending' AND expires_at >= ?
	ORDER BY expires_at DESC LIMIT 1`

// NoLink is the error of a link that is not there.
func NoLink(id string) error {
	return memory.Errorf(memory.CodeNotFound, "there is no link %q", id).
		WithAdvice(memory.Advice{Tool: "neural_link with action pending returns ids", Command: "`mcp-memory link list` shows them"})
}

// InsertLink implements [memory.LinkStore].
func (t PortableTx) InsertLink(l memory.Link) error {
	if err := t.CheckAgent("link", l.To); err != nil {
		return err
	}
	values := linkValues(l)
	return t.run.Exec(`INSERT INTO links (`+LinkColumns+`) VALUES (`+Placeholders(len(values))+`)`, values...)
}

// Link implements [memory.LinkStore].
func (t PortableTx) Link(id string) (memory.Link, error) {
	found, err := One(t.run, ScanLink, `SELECT `+LinkColumns+` FROM links WHERE agent = ? AND id = ?`, t.agent, id)
	return OrError(found, err, NoLink(id))
}

// PendingLink implements [memory.LinkStore].
func (t PortableTx) PendingLink(from string, at time.Time) (*memory.Link, error) {
	return One(t.run, ScanLink, PendingLinkQuery, t.agent, from, Micros(at))
}

// UpdateLink implements [memory.LinkStore].
func (t PortableTx) UpdateLink(l memory.Link) error {
	if _, err := t.Link(l.ID); err != nil {
		return err
	}
	return t.run.Exec(`UPDATE links SET shared_kinds = ?, shared_categories = ?, shared_since = ?, note = ?, status = ?, decided_at = ?,
		copied = ?, skipped = ? WHERE agent = ? AND id = ?`,
		List(l.SharedKinds), List(l.SharedCategories), Micros(l.SharedSince), l.Note, string(l.Status), Micros(l.DecidedAt),
		l.Copied, l.Skipped, t.agent, l.ID)
}

// NoteOrigin implements [memory.LinkStore].
func (t PortableTx) NoteOrigin(id, link, agent, original string) error {
	if _, err := t.kindOf(id); err != nil {
		return err
	}
	return t.Upsert("record_origins", []string{"agent", "origin_agent", "origin_id", "id", "link"}, 3,
		[]any{t.agent, agent, original, id, link})
}

// Audit implements [memory.LinkStore].
func (t PortableTx) Audit(e memory.AuditEntry) error {
	if err := t.CheckAgent("audit entry", e.Agent); err != nil {
		return err
	}
	return t.run.Exec(`INSERT INTO audit_log (agent, entry, actor, action, subject, details, at)
		SELECT ?1, coalesce(max(entry), 0) + 1, ?2, ?3, ?4, ?5, ?6 FROM audit_log WHERE agent = ?1`,
		e.Agent, e.Actor, e.Action, e.Subject, Text(e.Details), Micros(e.At))
}
