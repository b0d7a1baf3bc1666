package sqlite

import (
	"context"
	"strings"
)

// nextSessions goes from name to name by the index instead of reading every
// turn: a bank has a thousand times more turns than sessions.
const nextSessions = `
WITH RECURSIVE named (session) AS (
    SELECT min(session) FROM turns WHERE agent = ?1 AND session >= ?2
    UNION ALL
    SELECT (SELECT min(t.session) FROM turns t WHERE t.agent = ?1 AND t.session > n.session) FROM named n WHERE n.session IS NOT NULL
)
SELECT session FROM named WHERE session IS NOT NULL LIMIT ?3`

// Sessions implements [memory.SessionReader].
func (s *Store) Sessions(ctx context.Context, agent, prefix string, limit int) ([]string, error) {
	names, err := queryAll(ctx, s.read, scanText, nextSessions, agent, prefix, limit)
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
