package sqlite

import (
	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// unindexTurns removes the turns of the bank that meet an SQL condition from the indexes, and their
// details, but not their own rows. It returns them.
func (t *tx) unindexTurns(condition string, args ...any) ([]rows.Turn, error) {
	turns, err := queryAll(t.ctx, t.tx, rows.ScanTurn, `SELECT `+rows.TurnColumns+` FROM turns d WHERE d.agent = ? AND `+condition,
		append([]any{t.agent}, args...)...)
	if err != nil {
		return nil, err
	}
	if err := addDetails(t.ctx, t.tx, t.agent, turns); err != nil {
		return nil, err
	}
	for _, one := range turns {
		if err := t.unindex(memory.Conversations, one.Seq, one.SearchText()); err != nil {
			return nil, err
		}
		if err := t.DeleteRows(one.ID, "turn_details"); err != nil {
			return nil, err
		}
	}
	return turns, nil
}

// RemoveTurns implements [memory.Tx].
func (t *tx) RemoveTurns(ids []string) (int, error) {
	if len(ids) == 0 {
		return 0, nil
	}
	turns, err := t.unindexTurns(`d.id IN (SELECT value FROM json_each(?))`, rows.List(ids))
	if err != nil {
		return 0, err
	}
	var sessions []string
	for _, one := range turns {
		sessions = append(sessions, one.Session)
	}
	if err := t.Exec(`DELETE FROM turns WHERE agent = ?1 AND id IN (SELECT value FROM json_each(?2))`, t.agent, rows.List(ids)); err != nil {
		return 0, err
	}
	err = t.Exec(`DELETE FROM sessions WHERE agent = ?1 AND session IN (SELECT value FROM json_each(?2))
		AND NOT EXISTS (SELECT 1 FROM turns d WHERE d.agent = ?1 AND d.session = sessions.session)`, t.agent, rows.List(sessions))
	return len(turns), err
}

// EraseSession implements [memory.Tx].
func (t *tx) EraseSession(session string) (int, error) {
	turns, err := t.unindexTurns(`d.session = ?`, session)
	if err != nil {
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
