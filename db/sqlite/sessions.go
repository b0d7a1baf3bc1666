package sqlite

import (
	"context"
	"strings"

	"mcp-memory/db/rows"
)

// nextSessions is a loose index scan: it skips from name to name in the index
// instead of reading every turn, of which a bank has a thousand a session.
const nextSessions = `
WITH RECURSIVE named (session) AS (
    SELECT min(session) FROM turns WHERE agent = ?1 AND session >= ?2
    UNION ALL
    SELECT (SELECT min(t.session) FROM turns t WHERE t.agent = ?1 AND t.session > n.session) FROM named n WHERE n.session IS NOT NULL
)
SELECT session FROM named WHERE session IS NOT NULL LIMIT ?3`

// Sessions implements [memory.SessionReader].
func (s *Store) Sessions(ctx context.Context, agent, prefix string, limit int) ([]string, error) {
	names, err := queryAll(ctx, s.read, rows.ScanText, nextSessions, agent, prefix, limit)
	if err != nil {
		return nil, explain(err)
	}
	for i, name := range names {
		if !strings.HasPrefix(name, prefix) {
			return names[:i], nil
		}
	}
	return names, nil
}
