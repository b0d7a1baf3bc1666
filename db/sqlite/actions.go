package sqlite

import (
	"context"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// NoteActions implements [memory.ActionLog].
func (s *Store) NoteActions(ctx context.Context, agent string, actions []memory.Action) (fresh int, err error) {
	err = s.writer.do(ctx, func(w *writer) error {
		fresh = 0
		for _, a := range actions {
			stored, err := queryAll(ctx, w, rows.ScanText, rows.InsertAction, append([]any{agent}, rows.ActionValues(a)...)...)
			if err != nil {
				return err
			}
			fresh += len(stored)
		}
		return nil
	})
	return fresh, explain(err)
}

// Actions implements [memory.ActionLog]. It reads project by project, as an index has the actions of
// one project in order of time.
func (s *Store) Actions(ctx context.Context, agent string, f memory.ActionFilter) (list []memory.Action, err error) {
	err = rows.EachProject(f.Projects, func(project *string) error {
		query, args := rows.SelectActions(agent, project, f)
		some, err := queryAll(ctx, s.read, rows.ScanAction, query, args...)
		list = append(list, some...)
		return err
	})
	return rows.NewestActions(list, f), explain(err)
}

// PruneActions implements [memory.ActionLog].
func (s *Store) PruneActions(ctx context.Context, agent, project string, bytes int64) (n int, err error) {
	err = s.writer.do(ctx, func(w *writer) error {
		gone, err := queryAll(ctx, w, rows.ScanText, rows.PruneActions, agent, project, bytes)
		n = len(gone)
		return err
	})
	return n, explain(err)
}
