package rows

import (
	"encoding/json"

	"mcp-memory/memory"
)

// WindowQuery reads [WindowColumns]; its arguments are the agent and the session.
const WindowQuery = `SELECT ` + WindowColumns + `
	FROM context_windows w LEFT JOIN sessions s ON s.agent = w.agent AND s.session = w.session
	WHERE w.agent = ? AND w.session = ?`

// IdleSessionsQuery names the sessions that wait to be searched for facts; its
// arguments are the times between which their newest turns were stored, and a limit.
const IdleSessionsQuery = `SELECT s.agent, s.session
	FROM context_windows w JOIN sessions s ON s.agent = w.agent AND s.session = w.session AND w.flushed < s.turns
	JOIN turns t ON t.agent = s.agent AND t.session = s.session AND t.turn_index = s.turns - 1
	WHERE t.created_at >= ? AND t.created_at <= ? ORDER BY t.created_at DESC LIMIT ?`

// Queries whose arguments are the agent, a session and an external id.
const (
	// EventCountQuery counts the events of that id, none for an empty one.
	EventCountQuery = `SELECT count(*) FROM context_events WHERE agent = ? AND session = ? AND external_id = ? AND external_id <> ''`
	// TurnPositionQuery reads the index of the turn of that id.
	TurnPositionQuery = `SELECT turn_index FROM turns WHERE agent = ? AND session = ? AND external_id = ? AND external_id <> ''`
)

// Window implements [memory.Working].
func (t PortableTx) Window(session string) (*memory.Window, error) {
	return One(t.run, ScanWindow, WindowQuery, t.agent, session)
}

// PutWindow implements [memory.Working].
func (t PortableTx) PutWindow(w memory.Window) error {
	if err := t.CheckAgent("window", w.Agent); err != nil {
		return err
	}
	return t.Upsert("context_windows", newWindowColumns, 2, windowValues(w))
}

// InsertEvents implements [memory.Working].
func (t PortableTx) InsertEvents(events []memory.ContextEvent) (int, error) {
	stored := 0
	for _, e := range events {
		if err := t.CheckAgent("event", e.Agent); err != nil {
			return 0, err
		}
		known := 0
		if e.ExternalID != "" {
			if err := Into(t.run, []any{&known}, EventCountQuery, t.agent, e.Session, e.ExternalID); err != nil {
				return 0, err
			}
		}
		if known > 0 {
			continue
		}
		values := eventValues(e)
		if err := t.run.Exec(`INSERT INTO context_events (`+EventColumns+`) VALUES (`+Placeholders(len(values))+`)`,
			values...); err != nil {
			return 0, err
		}
		stored++
	}
	return stored, nil
}

// TurnPosition implements [memory.Working].
func (t PortableTx) TurnPosition(session, externalID string) (int, error) {
	index, err := One(t.run, ScanInt64, TurnPositionQuery, t.agent, session, externalID)
	if err != nil || index == nil {
		return -1, err
	}
	return int(*index), nil
}

const jobOf = ` FROM jobs WHERE agent = ? AND kind = ? AND subject = ?`

// Job implements [memory.Working].
func (t PortableTx) Job(kind, subject string) (*memory.Job, error) {
	return One(t.run, ScanJob, `SELECT `+JobColumns+jobOf, t.agent, kind, subject)
}

// PutJob implements [memory.Working].
func (t PortableTx) PutJob(j memory.Job) error {
	if err := t.CheckAgent("job", j.Agent); err != nil {
		return err
	}
	return t.Upsert("jobs", names(JobColumns), 3, jobValues(j))
}

// DeleteJob implements [memory.Working].
func (t PortableTx) DeleteJob(kind, subject string) error {
	return t.run.Exec(`DELETE`+jobOf, t.agent, kind, subject)
}

// StateQuery reads what a bank keeps under a key; its arguments are the agent and the key.
const StateQuery = `SELECT value FROM bank_state WHERE agent = ? AND key = ?`

// State implements [memory.Working].
func (t PortableTx) State(key string) (json.RawMessage, error) {
	value, err := One(t.run, ScanJSON, StateQuery, t.agent, key)
	return OrNil(value), err
}

// SetState implements [memory.Working].
func (t PortableTx) SetState(key string, value json.RawMessage) error {
	if len(value) == 0 {
		return t.run.Exec(`DELETE FROM bank_state WHERE agent = ? AND key = ?`, t.agent, key)
	}
	return t.Upsert("bank_state", []string{"agent", "key", "value"}, 2, []any{t.agent, key, string(value)})
}
