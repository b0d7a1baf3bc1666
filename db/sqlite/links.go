package sqlite

import (
	"context"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// The queries for links find a link by either side: the agent that asks (agent) and the one that is
// asked (from_agent).
const (
	linksOfBoth = `SELECT * FROM (SELECT ` + rows.LinkColumns + ` FROM links WHERE agent = ?1 ORDER BY requested_at DESC, id DESC LIMIT ?2)
		UNION ALL SELECT * FROM (SELECT ` + rows.LinkColumns +
		` FROM links WHERE from_agent = ?1 AND agent <> ?1 ORDER BY requested_at DESC, id DESC LIMIT ?2)
		ORDER BY requested_at DESC, id DESC LIMIT ?2`
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
	l, err := queryOne(ctx, s.read, rows.ScanLink, rows.PendingLinkQuery, to, from, rows.Micros(at))
	return l, explain(err)
}

// LinkOf implements [memory.LinkReader].
func (s *Store) LinkOf(ctx context.Context, agent, id string) (memory.Link, error) {
	found, err := queryOne(ctx, s.read, rows.ScanLink, linkOfBoth, agent, id)
	return rows.OrError(found, explain(err), rows.NoLink(id))
}

// RecordByOrigin implements [memory.LinkStore].
func (t *tx) RecordByOrigin(agent, id string) (*memory.Record, error) {
	return t.recordBy(`SELECT id FROM record_origins WHERE agent = ? AND origin_agent = ? AND origin_id = ?`, t.agent, agent, id)
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
