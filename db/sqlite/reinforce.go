package sqlite

import (
	"context"
	"time"

	"mcp-memory/db/rows"
)

// Reinforce implements [memory.Reinforcer]. The counters move only where the
// access is the session's first. CROSS JOIN keeps the ids outermost: otherwise
// SQLite walks all records and looks through the ids for each.
func (s *Store) Reinforce(ctx context.Context, agent, session string, ids []string, at time.Time) error {
	return explain(s.writer.do(ctx, func(w *writer) error {
		fresh, err := queryAll(ctx, w, rows.ScanText, `INSERT OR IGNORE INTO accesses (agent, id, session, accessed_at)
			SELECT r.agent, r.id, ?3, ?4 FROM json_each(?2) j CROSS JOIN records r ON r.agent = ?1 AND r.id = j.value RETURNING id`,
			agent, rows.List(ids), session, rows.Micros(at))
		if err != nil || len(fresh) == 0 {
			return err
		}
		return w.exec(ctx, `UPDATE records SET access_count = access_count + 1, last_accessed_at = max(coalesce(last_accessed_at, 0), ?3)
			WHERE agent = ?1 AND id IN (SELECT value FROM json_each(?2))`, agent, rows.List(fresh), rows.Micros(at))
	}))
}
