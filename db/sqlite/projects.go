package sqlite

import (
	"context"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// Projects implements [memory.ProjectReader].
func (s *Store) Projects(ctx context.Context, agent string) ([]memory.ProjectUse, error) {
	projects, err := queryAll(ctx, s.read, rows.ScanProject, projectUses, agent)
	return projects, explain(err)
}

const projectUses = `SELECT project, sum(records), sum(turns), max(used) FROM (
	SELECT project, sum(archived_at IS NULL AND superseded_by IS NULL) AS records, 0 AS turns,
		max(max(created_at, coalesce(last_accessed_at, 0))) AS used FROM records WHERE agent = ?1 GROUP BY project
	UNION ALL
	SELECT project, 0, count(*), max(created_at) FROM turns WHERE agent = ?1 GROUP BY project
	UNION ALL
	SELECT project, 0, 0, max(created_at) FROM todos WHERE agent = ?1 GROUP BY project
	) GROUP BY project ORDER BY project`

// MoveProject implements [memory.ProjectMover].
func (t *tx) MoveProject(from, into string, only *memory.ProjectContents) (memory.ProjectContents, error) {
	t.foreseen = rows.Foreseen{}
	return t.PortableTx.MoveProject(from, into, only, t.groups.Move)
}
