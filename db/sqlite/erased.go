package sqlite

import (
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// ArchivedByContent implements [memory.Tx].
func (t *tx) ArchivedByContent(project string, kind memory.Kind, content string) (*memory.Record, error) {
	key := t.keys.Of(project, kind, content)
	if t.foreseen.NoContent(key) {
		return nil, nil
	}
	d, err := t.oneRecord(`d.content_key = ? AND d.archived_at IS NOT NULL ORDER BY d.archived_at DESC, d.seq DESC LIMIT 1`, key)
	if err != nil || d == nil {
		return nil, err
	}
	return &d.Record, nil
}

// NoteErased implements [memory.Tx].
func (t *tx) NoteErased(r memory.Record, at time.Time) error {
	if err := t.CheckAgent("record", r.Agent); err != nil {
		return err
	}
	return t.Exec(`INSERT OR REPLACE INTO erased (agent, content_key, erased_at) VALUES (?, ?, ?)`, t.agent, t.said(r), rows.Micros(at))
}

// Erased implements [memory.Tx].
func (t *tx) Erased(project string, kind memory.Kind, content string) (time.Time, error) {
	key := t.keys.Of(project, kind, content)
	if t.foreseen.NoContent(key) {
		return time.Time{}, nil
	}
	at, err := queryOne(t.ctx, t.tx, scanMoment, `SELECT erased_at FROM erased WHERE agent = ? AND content_key = ?`, t.agent, key)
	if err != nil || at == nil {
		return time.Time{}, err
	}
	return *at, nil
}

func scanMoment(row rows.Row) (at time.Time, err error) {
	return at, row.Scan(rows.FromMicros(&at))
}
