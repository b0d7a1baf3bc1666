package sqlite

import (
	"cmp"
	"context"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// NoteTold implements [memory.ToldLog].
func (s *Store) NoteTold(ctx context.Context, agent string, entries []memory.Told) error {
	return explain(s.writer.do(ctx, func(w *writer) error {
		for _, e := range entries {
			values, err := rows.ToldValues(e)
			if err != nil {
				return err
			}
			if err := w.exec(ctx, rows.InsertTold, append([]any{agent}, values...)...); err != nil {
				return err
			}
		}
		return nil
	}))
}

// Told implements [memory.ToldLog].
func (s *Store) Told(ctx context.Context, agent, before string, limit int) ([]memory.Told, error) {
	entries, err := queryAll(ctx, s.read, rows.ScanTold, rows.NewestTold, agent, cmp.Or(before, rows.LastID), limit)
	return entries, explain(err)
}

// PruneTold implements [memory.ToldLog].
func (s *Store) PruneTold(ctx context.Context, agent string, before time.Time, limit int) (n int, err error) {
	err = s.writer.do(ctx, func(w *writer) error {
		gone, err := queryAll(ctx, w, rows.ScanText, rows.PruneTold, agent, rows.Micros(before), limit)
		n = len(gone)
		return err
	})
	return n, explain(err)
}
