package sqlite

import (
	"context"
	"time"
)

// Reinforce implements [memory.Reinforcer].
func (s *Store) Reinforce(ctx context.Context, agent, session string, ids []string, at time.Time) error {
	return explain(s.writer.do(ctx, func(w *writer) error {
		for _, id := range ids {
			// The counter moves only where the row is new.
			var fresh int
			err := w.QueryRowContext(ctx, `SELECT count(*) FROM records r WHERE r.agent = ?1 AND r.id = ?2
				AND NOT EXISTS (SELECT 1 FROM accesses a WHERE a.agent = ?1 AND a.id = ?2 AND a.session = ?3)`, agent, id, session).Scan(&fresh)
			if err != nil {
				return err
			}
			if fresh == 0 {
				continue
			}
			if err := w.exec(ctx, `INSERT INTO accesses (agent, id, session, accessed_at) VALUES (?, ?, ?, ?)`, agent, id, session, micros(at)); err != nil {
				return err
			}
			err = w.exec(ctx, `UPDATE records SET access_count = access_count + 1, last_accessed_at = max(coalesce(last_accessed_at, 0), ?3)
				WHERE agent = ?1 AND id = ?2`, agent, id, micros(at))
			if err != nil {
				return err
			}
		}
		return nil
	}))
}
