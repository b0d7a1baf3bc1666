package sqlite

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
	found, err := queryOne(t.ctx, t.tx, rows.ScanLink, `SELECT `+rows.LinkColumns+` FROM links WHERE agent = ? AND id = ?`, t.agent, id)
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
		rows.List(l.SharedKinds), rows.List(l.SharedCategories), rows.Micros(l.SharedSince), l.Note, l.Status, rows.Micros(l.DecidedAt),
		l.Copied, l.Skipped, t.agent, l.ID)
}

// The other side of a link finds it by its own name.
const (
	linksOfBoth = `SELECT * FROM (SELECT ` + rows.LinkColumns + ` FROM links WHERE agent = ?1 ORDER BY requested_at DESC, id DESC LIMIT ?2)
		UNION ALL SELECT * FROM (SELECT ` + rows.LinkColumns + ` FROM links WHERE from_agent = ?1 AND agent <> ?1 ORDER BY requested_at DESC, id DESC LIMIT ?2)
		ORDER BY requested_at DESC, id DESC LIMIT ?2`
	pendingLink = `SELECT ` + rows.LinkColumns + ` FROM links WHERE agent = ? AND from_agent = ? AND status = 'pending' AND expires_at >= ?
		ORDER BY expires_at DESC LIMIT 1`
	linkOfBoth = `SELECT ` + rows.LinkColumns + ` FROM links WHERE agent = ?1 AND id = ?2 OR from_agent = ?1 AND id = ?2`
)

// Links implements [memory.LinkReader].
func (s *Store) Links(ctx context.Context, agent string, limit int) ([]memory.Link, error) {
	links, err := queryAll(ctx, s.read, rows.ScanLink, linksOfBoth, agent, limit)
	return links, explain(err)
}

// Links implements [memory.LinkStore].
func (t *tx) Links(limit int) ([]memory.Link, error) {
	return queryAll(t.ctx, t.tx, rows.ScanLink, linksOfBoth, t.agent, limit)
}

// PendingLink implements [memory.LinkReader].
func (s *Store) PendingLink(ctx context.Context, to, from string, at time.Time) (*memory.Link, error) {
	l, err := queryOne(ctx, s.read, rows.ScanLink, pendingLink, to, from, rows.Micros(at))
	return l, explain(err)
}

// PendingLink implements [memory.LinkStore].
func (t *tx) PendingLink(from string, at time.Time) (*memory.Link, error) {
	return queryOne(t.ctx, t.tx, rows.ScanLink, pendingLink, t.agent, from, rows.Micros(at))
}

// LinkOf implements [memory.LinkReader].
func (s *Store) LinkOf(ctx context.Context, agent, id string) (memory.Link, error) {
	found, err := queryOne(ctx, s.read, rows.ScanLink, linkOfBoth, agent, id)
	return orError(found, explain(err), noLink(id))
}

// RecordByOrigin implements [memory.LinkStore].
func (t *tx) RecordByOrigin(agent, id string) (*memory.Record, error) {
	return t.recordBy(`SELECT id FROM record_origins WHERE agent = ? AND origin_agent = ? AND origin_id = ?`, t.agent, agent, id)
}

// NoteOrigin implements [memory.LinkStore].
func (t *tx) NoteOrigin(id, link, agent, original string) error {
	var there bool
	err := t.tx.QueryRowContext(t.ctx, `SELECT EXISTS (SELECT 1 FROM records WHERE agent = ? AND id = ?)`, t.agent, id).Scan(&there)
	if err != nil {
		return err
	}
	if !there {
		_, err = t.document(id) // says so
		return err
	}
	return t.exec(`INSERT OR REPLACE INTO record_origins (agent, origin_agent, origin_id, id, link) VALUES (?, ?, ?, ?, ?)`,
		t.agent, agent, original, id, link)
}

const linkedRecords = `SELECT d.id FROM record_origins o CROSS JOIN records d ON d.agent = o.agent AND d.id = o.id
	WHERE o.agent = ? AND o.link = ? AND d.archived_at IS NULL AND d.superseded_by IS NULL GROUP BY d.seq ORDER BY d.seq`

// LinkedRecords implements [memory.LinkReader].
func (s *Store) LinkedRecords(ctx context.Context, agent, link string) ([]string, error) {
	ids, err := queryAll(ctx, s.read, rows.ScanText, linkedRecords, agent, link)
	return ids, explain(err)
}

// Agents implements [memory.LinkReader].
func (s *Store) Agents(ctx context.Context) ([]string, error) {
	agents, err := queryAll(ctx, s.read, rows.ScanText, `SELECT agent FROM banks WHERE erased_at IS NULL ORDER BY agent`)
	return agents, explain(err)
}
