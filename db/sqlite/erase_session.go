package sqlite

import (
	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// storedMessage has the columns of a turn that are needed to erase it.
type storedMessage struct {
	seq         int64
	id, content string
}

func scanMessage(row rows.Row) (m storedMessage, err error) {
	return m, row.Scan(&m.seq, &m.id, &m.content)
}

// unindexTurns removes turns from the indexes and deletes their details, but not their own rows.
func (t *tx) unindexTurns(turns []storedMessage) error {
	for _, m := range turns {
		if err := t.unindex(memory.Conversations, m.seq, m.content); err != nil {
			return err
		}
		if err := t.DeleteRows(m.id, "turn_details"); err != nil {
			return err
		}
	}
	return nil
}

// RemoveTurns implements [memory.Tx].
func (t *tx) RemoveTurns(ids []string) (int, error) {
	if len(ids) == 0 {
		return 0, nil
	}
	const these = ` FROM turns WHERE agent = ?1 AND id IN (SELECT value FROM json_each(?2))`
	turns, err := queryAll(t.ctx, t.tx, scanMessage, `SELECT seq, id, content`+these, t.agent, rows.List(ids))
	if err != nil {
		return 0, err
	}
	sessions, err := queryAll(t.ctx, t.tx, rows.ScanText, `SELECT DISTINCT session`+these, t.agent, rows.List(ids))
	if err != nil {
		return 0, err
	}
	if err := t.unindexTurns(turns); err != nil {
		return 0, err
	}
	if err := t.Exec(`DELETE`+these, t.agent, rows.List(ids)); err != nil {
		return 0, err
	}
	err = t.Exec(`DELETE FROM sessions WHERE agent = ?1 AND session IN (SELECT value FROM json_each(?2))
		AND NOT EXISTS (SELECT 1 FROM turns d WHERE d.agent = ?1 AND d.session = sessions.session)`, t.agent, rows.List(sessions))
	return len(turns), err
}

// EraseSession implements [memory.Tx].
func (t *tx) EraseSession(session string) (int, error) {
	turns, err := queryAll(t.ctx, t.tx, scanMessage, `SELECT seq, id, content FROM turns WHERE agent = ? AND session = ?`, t.agent, session)
	if err != nil {
		return 0, err
	}
	if err := t.unindexTurns(turns); err != nil {
		return 0, err
	}
	for _, from := range []string{"turns WHERE agent = ? AND session = ?", "sessions WHERE agent = ? AND session = ?",
		"context_windows WHERE agent = ? AND session = ?", "context_events WHERE agent = ? AND session = ?",
		"told WHERE agent = ? AND session = ?", "actions WHERE agent = ? AND session = ?",
		"jobs WHERE agent = ? AND kind = '" + memory.JobCompaction + "' AND subject = ?",
		"bank_state WHERE agent = ? AND key = '" + memory.StateNotice + "' || ?",
		"bank_state WHERE agent = ? AND key = '" + memory.StateHook + "' || ?"} {
		if err := t.Exec(`DELETE FROM `+from, t.agent, session); err != nil {
			return 0, err
		}
	}
	return len(turns), t.EraseTraces(nil) // notes that the files are to be scrubbed
}
