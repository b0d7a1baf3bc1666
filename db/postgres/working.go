package postgres

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

const windowQuery = `SELECT ` + rows.WindowColumns + `
	FROM context_windows w LEFT JOIN sessions s ON s.agent = w.agent AND s.session = w.session
	WHERE w.agent = ? AND w.session = ?`

// Window implements [memory.Working].
func (t *tx) Window(session string) (*memory.Window, error) {
	return one(t, rows.ScanWindow, windowQuery, t.agent, session)
}

// Window implements [memory.WorkingReader].
func (s *Store) Window(ctx context.Context, agent, session string) (*memory.Window, error) {
	return one(s.as(ctx, agent), rows.ScanWindow, windowQuery, agent, session)
}

// LatestWindow implements [memory.WorkingReader]. It looks through the newest turns of
// the bank.
func (s *Store) LatestWindow(ctx context.Context, agent string, projects []string) (*memory.Window, error) {
	return one(s.as(ctx, agent), rows.ScanWindow, `SELECT `+rows.WindowColumns+` FROM (
			SELECT session, max(seq) AS last FROM (SELECT session, project, seq FROM turns WHERE agent = ?1 ORDER BY seq DESC LIMIT 1000) newest
			WHERE ?2::text[] IS NULL OR project = ANY (?2) GROUP BY session) newest
		JOIN context_windows w ON w.agent = ?1 AND w.session = newest.session
		LEFT JOIN sessions s ON s.agent = w.agent AND s.session = w.session
		ORDER BY newest.last DESC LIMIT 1`, agent, projects)
}

// PutWindow implements [memory.Working].
func (t *tx) PutWindow(w memory.Window) error {
	if err := t.checkAgent("window", w.Agent); err != nil {
		return err
	}
	return t.upsert("context_windows", rows.NewWindowColumns, 2, rows.WindowValues(w))
}

// InsertEvents implements [memory.Working].
func (t *tx) InsertEvents(events []memory.ContextEvent) (int, error) {
	stored := 0
	for _, e := range events {
		if err := t.checkAgent("event", e.Agent); err != nil {
			return 0, err
		}
		known, err := t.known("context_events", e.Session, e.ExternalID)
		if err != nil {
			return 0, err
		}
		if known {
			continue
		}
		values := rows.EventValues(e)
		if err := t.exec(`INSERT INTO context_events (`+rows.EventColumns+`) VALUES (`+rows.Placeholders(len(values))+`)`, values...); err != nil {
			return 0, err
		}
		stored++
	}
	return stored, nil
}

// Events implements [memory.WorkingReader].
func (s *Store) Events(ctx context.Context, agent, session string, limit int) ([]memory.ContextEvent, error) {
	events, err := all(s.as(ctx, agent), rows.ScanEvent, `SELECT `+rows.EventColumns+` FROM context_events
		WHERE agent = ? AND session = ? ORDER BY at DESC, id DESC LIMIT ?`, agent, session, limit)
	slices.Reverse(events)
	return events, err
}

const jobOf = ` FROM jobs WHERE agent = ? AND kind = ? AND subject = ?`

// Job implements [memory.Working].
func (t *tx) Job(kind, subject string) (*memory.Job, error) {
	return one(t, rows.ScanJob, `SELECT `+strings.Join(rows.JobColumns, ", ")+jobOf, t.agent, kind, subject)
}

// PutJob implements [memory.Working].
func (t *tx) PutJob(j memory.Job) error {
	if err := t.checkAgent("job", j.Agent); err != nil {
		return err
	}
	return t.upsert("jobs", rows.JobColumns, 3, rows.JobValues(j))
}

// DeleteJob implements [memory.Working].
func (t *tx) DeleteJob(kind, subject string) error {
	return t.exec(`DELETE`+jobOf, t.agent, kind, subject)
}

// Jobs implements [memory.WorkingReader]. The jobs of all agents are found by
// walking the table, which holds only what is not finished.
func (s *Store) Jobs(ctx context.Context, agent, kind string) ([]memory.Job, error) {
	condition, args := `kind = ?`, []any{kind}
	reader := s.as(ctx, everyone)
	if agent != "" {
		condition, args, reader = `agent = ? AND kind = ?`, []any{agent, kind}, s.as(ctx, agent)
	}
	return all(reader, rows.ScanJob, `SELECT `+strings.Join(rows.JobColumns, ", ")+` FROM jobs WHERE `+condition+
		` ORDER BY created_at, agent COLLATE "C", subject COLLATE "C"`, args...)
}

// State implements [memory.Working].
func (t *tx) State(key string) (json.RawMessage, error) { return state(t, t.agent, key) }

// State implements [memory.WorkingReader].
func (s *Store) State(ctx context.Context, agent, key string) (json.RawMessage, error) {
	return state(s.as(ctx, agent), agent, key)
}

func state(src source, agent, key string) (json.RawMessage, error) {
	value, err := one(src, rows.ScanJSON, `SELECT value FROM bank_state WHERE agent = ? AND key = ?`, agent, key)
	return orNil(value), err
}

// SetState implements [memory.Working].
func (t *tx) SetState(key string, value json.RawMessage) error {
	if len(value) == 0 {
		return t.exec(`DELETE FROM bank_state WHERE agent = ? AND key = ?`, t.agent, key)
	}
	return t.upsert("bank_state", []string{"agent", "key", "value"}, 2, []any{t.agent, key, string(value)})
}
