package sqlite

import (
	"database/sql"

	"mcp-memory/memory"
)

// storedMessage is what has to be known of a turn in order to erase it.
type storedMessage struct {
	seq         int64
	id, content string
}

// EraseSession implements [memory.Tx].
func (t *tx) EraseSession(session string) (int, error) {
	turns, err := queryAll(t.ctx, t.tx, func(rows *sql.Rows) (m storedMessage, err error) {
		return m, rows.Scan(&m.seq, &m.id, &m.content)
	}, `SELECT seq, id, content FROM turns WHERE agent = ? AND session = ?`, t.agent, session)
	if err != nil {
		return 0, err
	}
	for _, m := range turns {
		if err := t.unindex(memory.Conversations, m.seq, m.content); err != nil {
			return 0, err
		}
		if err := t.deleteRows(m.id, "turn_details"); err != nil {
			return 0, err
		}
	}
	for _, from := range []string{"turns WHERE agent = ? AND session = ?", "sessions WHERE agent = ? AND session = ?",
		"context_windows WHERE agent = ? AND session = ?", "context_events WHERE agent = ? AND session = ?",
		"jobs WHERE agent = ? AND kind = '" + memory.JobCompaction + "' AND subject = ?",
		"bank_state WHERE agent = ? AND key = '" + memory.StateNotice + "' || ?",
		"bank_state WHERE agent = ? AND key = '" + memory.StateHook + "' || ?"} {
		if err := t.exec(`DELETE FROM `+from, t.agent, session); err != nil {
			return 0, err
		}
	}
	return len(turns), t.EraseTraces(nil) // notes that the files are to be scrubbed
}
