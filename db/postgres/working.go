package postgres

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// Window implements [memory.WorkingReader].
func (s *Store) Window(ctx context.Context, agent, session string) (*memory.Window, error) {
	return rows.One(s.as(ctx, agent), rows.ScanWindow, rows.WindowQuery, agent, session)
}

// LatestWindow implements [memory.WorkingReader]. It looks through the newest turns of
// the bank.
func (s *Store) LatestWindow(ctx context.Context, agent string, projects []string) (*memory.Window, error) {
	return rows.One(s.as(ctx, agent), rows.ScanWindow, `SELECT `+rows.WindowColumns+` FROM (
			SELECT session, max(seq) AS last FROM (SELECT session, project, seq FROM turns WHERE agent = ?1 ORDER BY seq DESC LIMIT 1000) newest
			WHERE ?2::text[] IS NULL OR project = ANY (?2) GROUP BY session) newest
		JOIN context_windows w ON w.agent = ?1 AND w.session = newest.session
		LEFT JOIN sessions s ON s.agent = w.agent AND s.session = w.session
		ORDER BY newest.last DESC LIMIT 1`, agent, projects)
}

// IdleSessions implements [memory.WorkingReader].
func (s *Store) IdleSessions(ctx context.Context, from, to time.Time, limit int) ([]memory.SessionOf, error) {
	return rows.All(s.as(ctx, everyone), rows.ScanSessionOf, rows.IdleSessionsQuery, rows.Micros(from), rows.Micros(to), limit)
}

// Events implements [memory.WorkingReader].
func (s *Store) Events(ctx context.Context, agent, session string, limit int) ([]memory.ContextEvent, error) {
	events, err := rows.All(s.as(ctx, agent), rows.ScanEvent, `SELECT `+rows.EventColumns+` FROM context_events
		WHERE agent = ? AND session = ? ORDER BY at DESC, id DESC LIMIT ?`, agent, session, limit)
	slices.Reverse(events)
	return events, err
}

// Jobs implements [memory.WorkingReader]. The jobs of all agents are found by
// walking the table, which holds only what is not finished.
func (s *Store) Jobs(ctx context.Context, agent, kind string) ([]memory.Job, error) {
	condition, args := `kind = ?`, []any{kind}
	reader := s.as(ctx, everyone)
	if agent != "" {
		condition, args, reader = `agent = ? AND kind = ?`, []any{agent, kind}, s.as(ctx, agent)
	}
	return rows.All(reader, rows.ScanJob, `SELECT `+rows.JobColumns+` FROM jobs WHERE `+condition+
		` ORDER BY created_at, agent COLLATE "C", subject COLLATE "C"`, args...)
}

// State implements [memory.WorkingReader].
func (s *Store) State(ctx context.Context, agent, key string) (json.RawMessage, error) {
	value, err := rows.One(s.as(ctx, agent), rows.ScanJSON, rows.StateQuery, agent, key)
	return rows.OrNil(value), err
}
