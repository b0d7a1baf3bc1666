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

const windowQuery = `SELECT ` + rows.WindowColumns + `
	FROM context_windows w LEFT JOIN sessions s ON s.agent = w.agent AND s.session = w.session
	WHERE w.agent = ? AND w.session = ?`

// latestWindow looks through the newest turns of a bank, which are at the end of
// its range.
const latestWindow = `SELECT ` + rows.WindowColumns + ` FROM (
		SELECT session, max(seq) AS last FROM (SELECT session, project, seq FROM turns WHERE seq > ?1 AND seq <= ?2 ORDER BY seq DESC LIMIT 1000)
		WHERE ?3 IS NULL OR project IN (SELECT value FROM json_each(?3)) GROUP BY session) newest
	CROSS JOIN context_windows w ON w.agent = ?4 AND w.session = newest.session
	LEFT JOIN sessions s ON s.agent = w.agent AND s.session = w.session
	ORDER BY newest.last DESC LIMIT 1`

// Window implements [memory.Working].
func (t *tx) Window(session string) (*memory.Window, error) {
	return queryOne(t.ctx, t.tx, rows.ScanWindow, windowQuery, t.agent, session)
}

// Window implements [memory.WorkingReader].
func (s *Store) Window(ctx context.Context, agent, session string) (*memory.Window, error) {
	w, err := queryOne(ctx, s.read, rows.ScanWindow, windowQuery, agent, session)
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

// PutWindow implements [memory.Working].
func (t *tx) PutWindow(w memory.Window) error {
	if err := t.checkAgent("window", w.Agent); err != nil {
		return err
	}
	return t.replace("context_windows", rows.NewWindowColumns, rows.WindowValues(w))
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

// TurnPosition implements [memory.Working].
func (t *tx) TurnPosition(session, externalID string) (int, error) {
	index, err := queryOne(t.ctx, t.tx, rows.ScanInt64, turnPosition, t.agent, session, externalID)
	if err != nil || index == nil {
		return -1, err
	}
	return int(*index), nil
}

const turnPosition = `SELECT turn_index FROM turns WHERE agent = ? AND session = ? AND external_id = ? AND external_id <> ''`

// ArchiveTurns implements [memory.Working].
func (t *tx) ArchiveTurns(ids []string, at time.Time) error {
	return t.exec(archiveTurns, rows.Micros(at), t.agent, rows.List(ids))
}

const archiveTurns = `UPDATE turns SET archived_at = ?1 WHERE agent = ?2 AND id IN (SELECT value FROM json_each(?3))`

// InsertEvents implements [memory.Working].
func (t *tx) InsertEvents(events []memory.ContextEvent) (int, error) {
	stored := 0
	for _, e := range events {
		if err := t.checkAgent("event", e.Agent); err != nil {
			return 0, err
		}
		known, err := t.known(countEvents, e.Session, e.ExternalID)
		if err != nil {
			return 0, err
		}
		if known {
			continue
		}
		values := rows.EventValues(e)
		err = t.exec(`INSERT INTO context_events (`+rows.EventColumns+`) VALUES (`+rows.Placeholders(len(values))+`)`, values...)
		if err != nil {
			return 0, err
		}
		stored++
	}
	return stored, nil
}

const countEvents = `SELECT count(*) FROM context_events WHERE agent = ? AND session = ? AND external_id = ? AND external_id <> ''`

// Events implements [memory.WorkingReader].
func (s *Store) Events(ctx context.Context, agent, session string, limit int) ([]memory.ContextEvent, error) {
	events, err := queryAll(ctx, s.read, rows.ScanEvent, newestEvents, agent, session, limit)
	slices.Reverse(events)
	return events, explain(err)
}

const newestEvents = `SELECT ` + rows.EventColumns + ` FROM context_events
	WHERE agent = ? AND session = ? ORDER BY at DESC, id DESC LIMIT ?`

// State implements [memory.Working].
func (t *tx) State(key string) (json.RawMessage, error) { return state(t.ctx, t.tx, t.agent, key) }

// State implements [memory.WorkingReader].
func (s *Store) State(ctx context.Context, agent, key string) (json.RawMessage, error) {
	value, err := state(ctx, s.read, agent, key)
	return value, explain(err)
}

func state(ctx context.Context, q queryer, agent, key string) (json.RawMessage, error) {
	value, err := queryOne(ctx, q, rows.ScanJSON, `SELECT value FROM bank_state WHERE agent = ? AND key = ?`, agent, key)
	return orNil(value), err
}

// SetState implements [memory.Working].
func (t *tx) SetState(key string, value json.RawMessage) error {
	if len(value) == 0 {
		return t.exec(`DELETE FROM bank_state WHERE agent = ? AND key = ?`, t.agent, key)
	}
	return t.exec(`INSERT OR REPLACE INTO bank_state (agent, key, value) VALUES (?, ?, ?)`, t.agent, key, string(value))
}
