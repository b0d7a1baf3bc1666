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
	) GROUP BY project ORDER BY project`

// MoveProject implements [memory.ProjectMover].
func (t *tx) MoveProject(from, into string, only *memory.ProjectContents) (moved memory.ProjectContents, err error) {
	if moved.Records, err = t.moveRecords(from, into, only); err != nil {
		return moved, err
	}
	var turns, sessions []string
	if only != nil {
		turns, sessions = only.Turns, only.Sessions
	}
	if moved.Turns, err = t.namedOf(`SELECT id FROM turns WHERE agent = ?1 AND project = ?2`, `id`, `seq`, from, only, turns); err != nil {
		return moved, err
	}
	const sessionsOf = `SELECT session FROM (SELECT agent, session, project FROM sessions WHERE agent = ?1
		UNION SELECT agent, session, project FROM context_windows WHERE agent = ?1) WHERE project = ?2`
	if moved.Sessions, err = t.namedOf(sessionsOf, `session`, `session`, from, only, sessions); err != nil {
		return moved, err
	}
	for _, move := range []struct {
		table, column string
		names         []string
	}{{"turns", "id", moved.Turns}, {"sessions", "session", moved.Sessions}, {"context_windows", "session", moved.Sessions}} {
		if len(move.names) == 0 {
			continue
		}
		err := t.Exec(`UPDATE `+move.table+` SET project = ? WHERE agent = ? AND project = ? AND `+move.column+` IN (SELECT value FROM json_each(?))`,
			into, t.agent, from, rows.List(move.names))
		if err != nil {
			return moved, err
		}
	}
	return moved, nil
}

// namedOf returns the names that a query finds of a project, of them only the
// ones in a list if there is one.
func (t *tx) namedOf(query, column, order, from string, only *memory.ProjectContents, names []string) ([]string, error) {
	args := []any{t.agent, from}
	if only != nil {
		query, args = query+` AND `+column+` IN (SELECT value FROM json_each(?3))`, append(args, rows.List(names))
	}
	return queryAll(t.ctx, t.tx, rows.ScanText, query+` ORDER BY `+order, args...)
}

// moveRecords moves records one by one: by the project and the content it is told
// which records say the same.
func (t *tx) moveRecords(from, into string, only *memory.ProjectContents) (ids []string, err error) {
	type record struct {
		id, content string
		group       rows.Group
	}
	scan := func(row rows.Row) (r record, err error) {
		err = row.Scan(&r.id, &r.content, &r.group.Kind, &r.group.Category, &r.group.State)
		return r, err
	}
	query, args := `SELECT id, content, kind, category, `+rows.StateSQL+` FROM records WHERE agent = ?1 AND project = ?2`, []any{t.agent, from}
	if only != nil {
		query, args = query+` AND id IN (SELECT value FROM json_each(?3))`, append(args, rows.List(only.Records))
	}
	records, err := queryAll(t.ctx, t.tx, scan, query+` ORDER BY seq`, args...)
	if err != nil {
		return nil, err
	}
	for _, r := range records {
		err := t.Exec(`UPDATE records SET project = ?, content_key = ? WHERE agent = ? AND id = ?`,
			into, rows.ContentKey(into, memory.Kind(r.group.Kind), r.content), t.agent, r.id)
		if err != nil {
			return ids, err
		}
		moved := r.group
		r.group.Project, moved.Project = from, into
		t.groups.Move(r.group, moved)
		ids = append(ids, r.id)
	}
	return ids, nil
}
