package postgres

import (
	"context"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// Projects implements [memory.ProjectReader].
func (s *Store) Projects(ctx context.Context, agent string) ([]memory.ProjectUse, error) {
	return rows.All(s.as(ctx, agent), rows.ScanProject, `SELECT project, sum(records)::bigint, sum(turns)::bigint, max(used) FROM (
		SELECT project, count(*) FILTER (WHERE archived_at IS NULL AND superseded_by IS NULL) AS records, 0 AS turns,
			max(greatest(created_at, coalesce(last_accessed_at, 0))) AS used FROM records WHERE agent = ?1 GROUP BY project
		UNION ALL
		SELECT project, 0, count(*), max(created_at) FROM turns WHERE agent = ?1 GROUP BY project
		UNION ALL
		SELECT project, 0, 0, max(created_at) FROM todos WHERE agent = ?1 GROUP BY project
		) used GROUP BY project ORDER BY project COLLATE "C"`, agent)
}

// MoveProject implements [memory.ProjectMover].
func (t *tx) MoveProject(from, into string, only *memory.ProjectContents) (memory.ProjectContents, error) {
	t.foreseen = rows.Foreseen{}
	return t.PortableTx.MoveProject(from, into, only, t.groups.Move)
}
