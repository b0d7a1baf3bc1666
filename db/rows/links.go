package rows

import "mcp-memory/memory"

// LinkColumns are what ScanLink reads and LinkValues gives the values of.
const LinkColumns = `agent, id, from_agent, message, kinds, categories, since, shared_kinds, shared_categories, shared_since,
	note, status, requested_at, expires_at, decided_at, copied, skipped`

// Link is how many columns a link has.
const Link = 17

// ScanLink reads a link.
func ScanLink(row Row) (l memory.Link, err error) {
	err = row.Scan(&l.To, &l.ID, &l.From, &l.Message, FromList(&l.Kinds), FromList(&l.Categories), FromMicros(&l.Since),
		FromList(&l.SharedKinds), FromList(&l.SharedCategories), FromMicros(&l.SharedSince),
		&l.Note, &l.Status, FromMicros(&l.RequestedAt), FromMicros(&l.ExpiresAt), FromMicros(&l.DecidedAt), &l.Copied, &l.Skipped)
	return l, of(err, "link", l.ID)
}

// LinkValues gives the values of LinkColumns.
func LinkValues(l memory.Link) []any {
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
	err = row.Scan(&t.Agent, &t.ID, &t.Hash, FromList(&t.Projects), &t.ReadOnly, &t.Operator, FromMicros(&t.CreatedAt), FromMicros(&t.ExpiresAt), FromMicros(&t.RevokedAt))
	return t, of(err, "token", t.ID)
}

// TokenValues gives the values of TokenColumns.
func TokenValues(t memory.Token) []any {
	return []any{t.Agent, t.ID, t.Hash, List(t.Projects), t.ReadOnly, t.Operator, Micros(t.CreatedAt), Micros(t.ExpiresAt), Micros(t.RevokedAt)}
}

// ScanAudit reads agent, actor, action, subject, details and at of audit_log.
func ScanAudit(row Row) (e memory.AuditEntry, err error) {
	err = row.Scan(&e.Agent, &e.Actor, &e.Action, &e.Subject, FromText(&e.Details), FromMicros(&e.At))
	return e, err
}
