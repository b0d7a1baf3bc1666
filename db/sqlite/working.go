package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"math"
	"slices"
	"time"

	"mcp-memory/memory"
)

const windowColumns = `w.agent, w.session, w.project, w.model, w.total, w.reserve, w.flushed, w.compacted, w.summary,
	w.summary_tokens, w.replaced_tokens, coalesce(s.turns, 0), w.version, w.compacted_at, w.updated_at`

const windowQuery = `SELECT ` + windowColumns + `
	FROM context_windows w LEFT JOIN sessions s ON s.agent = w.agent AND s.session = w.session
	WHERE w.agent = ? AND w.session = ?`

// latestWindow looks through the newest turns of a bank, which are at the end of
// its range.
const latestWindow = `SELECT ` + windowColumns + ` FROM (
		SELECT session, max(seq) AS last FROM (SELECT session, project, seq FROM turns WHERE seq > ?1 AND seq <= ?2 ORDER BY seq DESC LIMIT 1000)
		WHERE ?3 IS NULL OR project IN (SELECT value FROM json_each(?3)) GROUP BY session) newest
	CROSS JOIN context_windows w ON w.agent = ?4 AND w.session = newest.session
	LEFT JOIN sessions s ON s.agent = w.agent AND s.session = w.session
	ORDER BY newest.last DESC LIMIT 1`

func scanWindow(rows *sql.Rows) (w memory.Window, err error) {
	err = rows.Scan(&w.Agent, &w.Session, &w.Project, &w.Model, &w.Total, &w.Reserve, &w.Flushed, &w.Compacted, &w.Summary,
		&w.SummaryTokens, &w.ReplacedTokens, &w.Turns, &w.Version, fromMicros(&w.LastCompaction), fromMicros(&w.UpdatedAt))
	return w, err
}

// Window implements [memory.Working].
func (t *tx) Window(session string) (*memory.Window, error) {
	return queryOne(t.ctx, t.tx, scanWindow, windowQuery, t.agent, session)
}

// Window implements [memory.WorkingReader].
func (s *Store) Window(ctx context.Context, agent, session string) (*memory.Window, error) {
	w, err := queryOne(ctx, s.read, scanWindow, windowQuery, agent, session)
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
		among = jsonList(projects)
	}
	w, err := queryOne(ctx, s.read, scanWindow, latestWindow, low, high, among, agent)
	return w, explain(err)
}

// PutWindow implements [memory.Working].
func (t *tx) PutWindow(w memory.Window) error {
	if err := t.checkAgent("window", w.Agent); err != nil {
		return err
	}
	return t.exec(`INSERT OR REPLACE INTO context_windows (agent, session, project, model, total, reserve, flushed, compacted,
		summary, summary_tokens, replaced_tokens, version, compacted_at, updated_at) VALUES (`+placeholders(14)+`)`,
		w.Agent, w.Session, w.Project, w.Model, w.Total, w.Reserve, w.Flushed, w.Compacted,
		w.Summary, w.SummaryTokens, w.ReplacedTokens, w.Version, micros(w.LastCompaction), micros(w.UpdatedAt))
}

// Turns implements [memory.WorkingReader].
func (s *Store) Turns(ctx context.Context, agent, session string, from, to int) ([]memory.Turn, error) {
	if to == 0 {
		to = math.MaxInt
	}
	stored, err := s.turns(ctx, agent, turnsOfSession, agent, session, from, to)
	return turnsOf(stored), explain(err)
}

const turnsOfSession = `WHERE d.agent = ? AND d.session = ? AND d.turn_index >= ? AND d.turn_index < ? ORDER BY d.turn_index`

func turnsOf(stored []storedTurn) []memory.Turn {
	turns := make([]memory.Turn, len(stored))
	for i, t := range stored {
		turns[i] = t.Turn
	}
	return turns
}

// UnarchivedTurns implements [memory.WorkingReader].
func (s *Store) UnarchivedTurns(ctx context.Context, agent string, limit int) ([]memory.Turn, int, error) {
	var total int
	if err := s.read.QueryRowContext(ctx, countUnarchived, agent).Scan(&total); err != nil {
		return nil, 0, explain(err)
	}
	stored, err := s.turns(ctx, agent, unarchivedTurns, agent, limit)
	return turnsOf(stored), total, explain(err)
}

const (
	unarchivedTurns = `WHERE d.agent = ? AND d.archived_at IS NULL ORDER BY d.said_at, d.seq LIMIT ?`
	countUnarchived = `SELECT count(*) FROM turns WHERE agent = ? AND archived_at IS NULL`
)

// TurnPosition implements [memory.Working].
func (t *tx) TurnPosition(session, externalID string) (int, error) {
	index, err := queryOne(t.ctx, t.tx, scanInt64, turnPosition, t.agent, session, externalID)
	if err != nil || index == nil {
		return -1, err
	}
	return int(*index), nil
}

const turnPosition = `SELECT turn_index FROM turns WHERE agent = ? AND session = ? AND external_id = ? AND external_id <> ''`

// ArchiveTurns implements [memory.Working].
func (t *tx) ArchiveTurns(ids []string, at time.Time) error {
	return t.exec(archiveTurns, micros(at), t.agent, jsonList(ids))
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
		err = t.exec(`INSERT INTO context_events (agent, id, session, type, content, goal_id, task_id, external_id, tokens, at)
			VALUES (`+placeholders(10)+`)`, e.Agent, e.ID, e.Session, e.Type, e.Content, e.GoalID, e.TaskID, e.ExternalID, e.Tokens, micros(e.At))
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
	events, err := queryAll(ctx, s.read, scanEvent, newestEvents, agent, session, limit)
	slices.Reverse(events)
	return events, explain(err)
}

const newestEvents = `SELECT agent, id, session, type, content, goal_id, task_id, external_id, tokens, at FROM context_events
	WHERE agent = ? AND session = ? ORDER BY at DESC, id DESC LIMIT ?`

func scanEvent(rows *sql.Rows) (e memory.ContextEvent, err error) {
	err = rows.Scan(&e.Agent, &e.ID, &e.Session, &e.Type, &e.Content, &e.GoalID, &e.TaskID, &e.ExternalID, &e.Tokens, fromMicros(&e.At))
	return e, err
}

// State implements [memory.Working].
func (t *tx) State(key string) (json.RawMessage, error) { return state(t.ctx, t.tx, t.agent, key) }

// State implements [memory.WorkingReader].
func (s *Store) State(ctx context.Context, agent, key string) (json.RawMessage, error) {
	value, err := state(ctx, s.read, agent, key)
	return value, explain(err)
}

func state(ctx context.Context, q queryer, agent, key string) (json.RawMessage, error) {
	value, err := queryOne(ctx, q, scanJSON, `SELECT value FROM bank_state WHERE agent = ? AND key = ?`, agent, key)
	return orNil(value), err
}

// SetState implements [memory.Working].
func (t *tx) SetState(key string, value json.RawMessage) error {
	if len(value) == 0 {
		return t.exec(`DELETE FROM bank_state WHERE agent = ? AND key = ?`, t.agent, key)
	}
	return t.exec(`INSERT OR REPLACE INTO bank_state (agent, key, value) VALUES (?, ?, ?)`, t.agent, key, string(value))
}
