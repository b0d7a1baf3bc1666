package rows

import (
	"slices"

	"mcp-memory/memory"
)

// MoveProject implements [memory.ProjectMover]; it calls counted for each record with the group that
// it was in and the one that it is in now.
func (t PortableTx) MoveProject(from, into string, only *memory.ProjectContents,
	counted func(from, to Group)) (moved memory.ProjectContents, err error) {
	var named memory.ProjectContents
	if only != nil {
		named = *only
	}
	if moved.Records, err = t.moveRecords(from, into, only != nil, named.Records, counted); err != nil {
		return moved, err
	}
	const turns = `SELECT id FROM turns WHERE agent = ?1 AND project = ?2`
	if moved.Turns, err = among(t, ScanText, turns, `id`, `seq`, from, only != nil, named.Turns); err != nil {
		return moved, err
	}
	const sessions = `SELECT session FROM (SELECT agent, session, project FROM sessions WHERE agent = ?1
		UNION SELECT agent, session, project FROM context_windows WHERE agent = ?1
		UNION SELECT agent, session, project FROM actions WHERE agent = ?1) all_of WHERE project = ?2`
	if moved.Sessions, err = among(t, ScanText, sessions, `session`, `session`, from, only != nil, named.Sessions); err != nil {
		return moved, err
	}
	slices.Sort(moved.Sessions) // the databases collate texts differently
	if moved.Todos, err = among(t, ScanText, `SELECT id FROM todos WHERE agent = ?1 AND project = ?2`, `id`, `id`, from, only != nil,
		named.Todos); err != nil {
		return moved, err
	}
	slices.Sort(moved.Todos)
	for _, move := range []struct {
		table, column string
		names         []string
	}{{"turns", "id", moved.Turns}, {"sessions", "session", moved.Sessions},
		{"context_windows", "session", moved.Sessions}, {"actions", "session", moved.Sessions}, {"todos", "id", moved.Todos}} {
		if len(move.names) == 0 {
			continue
		}
		condition, names := t.run.In(move.column, `?4`, move.names)
		err := t.run.Exec(`UPDATE `+move.table+` SET project = ?3 WHERE agent = ?1 AND project = ?2 AND `+condition, t.agent, from,
			into, names)
		if err != nil {
			return moved, err
		}
	}
	return moved, nil
}

// moveRecords moves records one by one, as each needs a new [ContentKey], which depends on the
// project.
func (t PortableTx) moveRecords(from, into string, listed bool, ids []string, counted func(from, to Group)) (moved []string, err error) {
	type record struct {
		id, content string
		group       Group
	}
	scan := func(row Row) (r record, err error) {
		return r, row.Scan(&r.id, &r.content, &r.group.Kind, &r.group.Category, &r.group.State)
	}
	const query = `SELECT id, content, kind, category, ` + StateSQL + ` FROM records WHERE agent = ?1 AND project = ?2`
	found, err := among(t, scan, query, `id`, `seq`, from, listed, ids)
	if err != nil {
		return nil, err
	}
	for _, r := range found {
		err := t.run.Exec(`UPDATE records SET project = ?, content_key = ? WHERE agent = ? AND id = ?`,
			into, ContentKey(into, memory.Kind(r.group.Kind), r.content), t.agent, r.id)
		if err != nil {
			return moved, err
		}
		before, after := r.group, r.group
		before.Project, after.Project = from, into
		counted(before, after)
		moved = append(moved, r.id)
	}
	return moved, nil
}

// among returns the rows that a query finds in the project from, sorted by order. If listed is set,
// only those whose column is one of names.
func among[T any](t PortableTx, scan func(Row) (T, error), query, column, order, from string, listed bool, names []string) ([]T, error) {
	args := []any{t.agent, from}
	if listed {
		condition, list := t.run.In(column, `?3`, names)
		query, args = query+` AND `+condition, append(args, list)
	}
	return All(t.run, scan, query+` ORDER BY `+order, args...)
}
