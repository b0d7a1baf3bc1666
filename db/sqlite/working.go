package sqlite

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// latestWindow is the query for the window of the session that was used last. It looks at the newest
// thousand turns of the bank, which are at the end of its range of numbers.
const latestWindow = `SELECT ` + rows.WindowColumns + ` FROM (
		SELECT session, max(seq) AS last FROM (SELECT session, project, seq FROM turns WHERE seq > ?1 AND seq <= ?2 ORDER BY seq DESC LIMIT 1000)
		WHERE ?3 IS NULL OR project IN (SELECT value FROM json_each(?3)) GROUP BY session) newest
	CROSS JOIN context_windows w ON w.agent = ?4 AND w.session = newest.session
	LEFT JOIN sessions s ON s.agent = w.agent AND s.session = w.session
	ORDER BY newest.last DESC LIMIT 1`

// Window implements [memory.WorkingReader].
func (s *Store) Window(ctx context.Context, agent, session string) (*memory.Window, error) {
	w, err := queryOne(ctx, s.read, rows.ScanWindow, rows.WindowQuery, agent, session)
	return w, explain(err)
}

// LatestWindow implements [memory.WorkingReader].
func (s *Store) LatestWindow(ctx context.Context, agent string, projects []string) (*memory.Window, error) {
	low, high, err := s.bankRange(ctx, agent)
	if err != nil {
		return nil, err
	}
	var among any
	if projects != nil {
		among = rows.List(projects)
	}
	w, err := queryOne(ctx, s.read, rows.ScanWindow, latestWindow, low, high, among, agent)
	return w, explain(err)
}

// IdleSessions implements [memory.WorkingReader].
func (s *Store) IdleSessions(ctx context.Context, from, to time.Time, limit int) ([]memory.SessionOf, error) {
	idle, err := queryAll(ctx, s.read, rows.ScanSessionOf, rows.IdleSessionsQuery, rows.Micros(from), rows.Micros(to), limit)
	return idle, explain(err)
}

// Turns implements [memory.WorkingReader].
func (s *Store) Turns(ctx context.Context, agent, session string, from, to int) ([]memory.Turn, error) {
	if to == 0 {
		to = math.MaxInt
	}
	stored, err := s.turns(ctx, agent, turnsOfSession, agent, session, from, to)
	return rows.Turns(stored), explain(err)
}

const turnsOfSession = `WHERE d.agent = ? AND d.session = ? AND d.turn_index >= ? AND d.turn_index < ? ORDER BY d.turn_index`

// UnarchivedTurns implements [memory.WorkingReader].
func (s *Store) UnarchivedTurns(ctx context.Context, agent string, limit int) ([]memory.Turn, int, error) {
	var total int
	if err := s.read.QueryRowContext(ctx, countUnarchived, agent).Scan(&total); err != nil {
		return nil, 0, explain(err)
	}
	stored, err := s.turns(ctx, agent, unarchivedTurns, agent, limit)
	return rows.Turns(stored), total, explain(err)
}

const (
	unarchivedTurns = `WHERE d.agent = ? AND d.archived_at IS NULL ORDER BY d.said_at, d.seq LIMIT ?`
	countUnarchived = `SELECT count(*) FROM turns WHERE agent = ? AND archived_at IS NULL`
)

// ArchiveTurns implements [memory.Working].
func (t *tx) ArchiveTurns(ids []string, at time.Time) (int, error) {
	if err := t.Exec(archiveTurns, rows.Micros(at), t.agent, rows.List(ids)); err != nil {
		return 0, err
	}
	n, err := rows.One(t, rows.ScanInt64, countTurns, t.agent, rows.List(ids))
	if err != nil {
		return 0, err
	}
	return int(*n), nil
}

const (
	archiveTurns = `UPDATE turns SET archived_at = ?1 WHERE agent = ?2 AND id IN (SELECT value FROM json_each(?3))`
	countTurns   = `SELECT count(*) FROM turns WHERE agent = ? AND id IN (SELECT value FROM json_each(?))`
)

// Events implements [memory.WorkingReader].
func (s *Store) Events(ctx context.Context, agent, session string, limit int) ([]memory.ContextEvent, error) {
	events, err := queryAll(ctx, s.read, rows.ScanEvent, newestEvents, agent, session, limit)
	slices.Reverse(events)
	return events, explain(err)
}

const newestEvents = `SELECT ` + rows.EventColumns + ` FROM context_events
	WHERE agent = ? AND session = ? ORDER BY at DESC, id DESC LIMIT ?`

// State implements [memory.WorkingReader].
func (s *Store) State(ctx context.Context, agent, key string) (json.RawMessage, error) {
	value, err := queryOne(ctx, s.read, rows.ScanJSON, rows.StateQuery, agent, key)
	return rows.OrNil(value), explain(err)
}
