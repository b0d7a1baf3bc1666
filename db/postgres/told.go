package postgres

import (
	"cmp"
	"context"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// NoteTold implements [memory.ToldLog].
func (s *Store) NoteTold(ctx context.Context, agent string, entries []memory.Told) error {
	return s.transaction(ctx, agent, func(t *tx) error {
		for _, e := range entries {
			values, err := rows.ToldValues(e)
			if err != nil {
				return err
			}
			if err := t.Exec(rows.InsertTold, append([]any{agent}, values...)...); err != nil {
				return err
			}
		}
		return nil
	})
}

// Told implements [memory.ToldLog].
func (s *Store) Told(ctx context.Context, agent, before string, limit int) ([]memory.Told, error) {
	return rows.All(s.as(ctx, agent), rows.ScanTold, rows.NewestTold, agent, cmp.Or(before, rows.LastID), limit)
}

// PruneTold implements [memory.ToldLog].
func (s *Store) PruneTold(ctx context.Context, agent string, before time.Time, limit int) (n int, err error) {
	err = s.transaction(ctx, agent, func(t *tx) error {
		gone, err := rows.All(t, rows.ScanText, rows.PruneTold, agent, rows.Micros(before), limit)
		n = len(gone)
		return err
	})
	return n, err
}
