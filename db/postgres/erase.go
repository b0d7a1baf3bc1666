package postgres

import (
	"context"
	"encoding/json"
	"slices"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// EraseTraces implements [memory.Tx].
func (t *tx) EraseTraces(contents []string) error {
	t.dirty = true
	if len(contents) == 0 {
		return nil
	}
	if err := t.Exec(`DELETE FROM told t USING unnest(?2::text[]) c WHERE t.agent = ?1 AND position(c IN t.query) > 0`, t.agent,
		contents); err != nil {
		return err
	}
	if err := t.Exec(`DELETE FROM actions a USING unnest(?2::text[]) c WHERE a.agent = ?1 AND position(c IN `+rows.ActionTexts+`) > 0`,
		t.agent, contents); err != nil {
		return err
	}
	type kept struct{ tool, key, result string }
	scan := func(row rows.Row) (k kept, err error) { return k, row.Scan(&k.tool, &k.key, &k.result) }
	results, err := rows.All(t, scan, `SELECT tool, key, result FROM idempotency_keys WHERE agent = ?`, t.agent)
	if err != nil {
		return err
	}
	for _, k := range results {
		if repeats([]byte(k.result), contents) {
			if err := t.Exec(`DELETE FROM idempotency_keys WHERE agent = ? AND tool = ? AND key = ?`, t.agent, k.tool, k.key); err != nil {
				return err
			}
		}
	}
	return nil
}

// repeats reports whether a string anywhere inside a JSON value is equal to one of the texts.
func repeats(value json.RawMessage, texts []string) bool {
	var whole any
	if json.Unmarshal(value, &whole) != nil {
		return false
	}
	var inside func(any) bool
	inside = func(v any) bool {
		switch v := v.(type) {
		case string:
			return slices.Contains(texts, v)
		case []any:
			return slices.ContainsFunc(v, inside)
		case map[string]any:
			for _, one := range v {
				if inside(one) {
					return true
				}
			}
		}
		return false
	}
	return inside(whole)
}

// Scrub implements [memory.Scrubber]. It does nothing: VACUUM, which the server runs by itself,
// frees the space of deleted rows for others. Until others use it their bytes may still be in the
// files, and in the write-ahead log and backups for as long as those are kept.
func (s *Store) Scrub(context.Context) error { return nil }

// eraseTurns deletes the turns of the bank that meet an SQL condition, their details and index
// entries, and returns them.
func (t *tx) eraseTurns(condition string, args ...any) ([]rows.Turn, error) {
	list, err := turns(t, t.agent, `WHERE d.agent = ? AND `+condition, append([]any{t.agent}, args...)...)
	if err != nil {
		return nil, err
	}
	for _, one := range list {
		if err := t.unindex(memory.Conversations, one.Seq, one.SearchText()); err != nil {
			return nil, err
		}
		if err := t.DeleteRows(one.ID, "turn_details", "turns"); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// RemoveTurns implements [memory.Tx].
func (t *tx) RemoveTurns(ids []string) (int, error) {
	if len(ids) == 0 {
		return 0, nil
	}
	removed, err := t.eraseTurns(`d.id = ANY (?::text[])`, ids)
	if err != nil {
		return 0, err
	}
	var sessions []string
	for _, m := range removed {
		sessions = append(sessions, m.Session)
	}
	return len(removed), t.Exec(`DELETE FROM sessions s WHERE s.agent = ?1 AND s.session = ANY (?2::text[])
		AND NOT EXISTS (SELECT 1 FROM turns d WHERE d.agent = ?1 AND d.session = s.session)`, t.agent, sessions)
}

// EraseSession implements [memory.Tx].
func (t *tx) EraseSession(session string) (int, error) {
	removed, err := t.eraseTurns(`d.session = ?`, session)
	if err != nil {
		return 0, err
	}
	for _, from := range []string{"sessions WHERE agent = ? AND session = ?",
		"context_windows WHERE agent = ? AND session = ?", "context_events WHERE agent = ? AND session = ?",
		"told WHERE agent = ? AND session = ?", "actions WHERE agent = ? AND session = ?",
		"jobs WHERE agent = ? AND kind = '" + memory.JobCompaction + "' AND subject = ?",
		"bank_state WHERE agent = ? AND key = '" + memory.StateNotice + "' || ?",
		"bank_state WHERE agent = ? AND key = '" + memory.StateHook + "' || ?"} {
		if err := t.Exec(`DELETE FROM `+from, t.agent, session); err != nil {
			return 0, err
		}
	}
	return len(removed), nil
}

// tablesOfAgents selects the tables whose rows EraseBank deletes: those with a column agent, also
// of later migrations, except banks and tokens, whose rows stay.
const tablesOfAgents = `SELECT c.table_name FROM information_schema.columns c
	JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name AND t.table_type = 'BASE TABLE'
	WHERE c.table_schema = current_schema AND c.column_name = 'agent' AND c.table_name NOT IN ('banks', 'tokens') ORDER BY 1`

// EraseBank implements [memory.Tx].
func (t *tx) EraseBank() error {
	t.pending, t.counts, t.groups = nil, nil, nil
	tables, err := rows.All(t, rows.ScanText, tablesOfAgents)
	if err != nil {
		return err
	}
	for _, table := range tables {
		if err := t.Exec(`DELETE FROM `+table+` WHERE agent = ?`, t.agent); err != nil {
			return err
		}
	}
	t.erased, t.emptied = true, true
	// Tokens stay, revoked: a server whose database has no token lets everyone in.
	return t.Exec(`UPDATE tokens SET revoked_at = coalesce(revoked_at, ?), projects = '[]' WHERE agent = ?`,
		rows.Micros(t.store.clock()), t.agent)
}
