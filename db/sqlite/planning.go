package sqlite

import (
	"context"
	"fmt"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// Conditions and order of lists of to-dos: of all, of pending and of completed ones. For those of
// one status an index has the order.
const (
	allTodos = `TRUE ORDER BY completed_at IS NOT NULL, completed_at DESC,
		CASE WHEN completed_at IS NULL THEN urgency END DESC, CASE WHEN completed_at IS NULL THEN due_at IS NULL END,
		CASE WHEN completed_at IS NULL THEN due_at END, CASE WHEN completed_at IS NULL THEN created_at END,
		CASE WHEN completed_at IS NULL THEN id END, id DESC`
	pendingTodos   = `completed_at IS NULL ORDER BY urgency DESC, due_at IS NULL, due_at, created_at, id`
	completedTodos = `completed_at IS NOT NULL ORDER BY completed_at DESC, id DESC`
)

func todosQuery(status memory.TodoStatus) (list, count string, err error) {
	var condition string
	switch status {
	case memory.TodoAll:
		condition = allTodos
	case memory.TodoPending:
		condition = pendingTodos
	case memory.TodoCompleted:
		condition = completedTodos
	default:
		return "", "", fmt.Errorf("to-dos of status %q", status)
	}
	from := ` FROM todos WHERE agent = ?1 AND (?2 IS NULL OR project IN (SELECT value FROM json_each(?2))) AND ` + condition
	return `SELECT ` + rows.TodoColumns + from + ` LIMIT ?3`, `SELECT count(*)` + from, nil
}

// Todos implements [memory.PlanReader].
func (s *Store) Todos(ctx context.Context, agent string, f memory.TodoFilter, limit int) ([]memory.Todo, int, error) {
	list, count, err := todosQuery(f.Status)
	if err != nil {
		return nil, 0, err
	}
	var projects any // NULL for all of them
	if f.Projects != nil {
		projects = rows.List(f.Projects)
	}
	var total int
	if err := s.read.QueryRowContext(ctx, count, agent, projects).Scan(&total); err != nil {
		return nil, 0, explain(err)
	}
	todos, err := queryAll(ctx, s.read, rows.ScanTodo, list, agent, projects, limit)
	return todos, total, explain(err)
}

// TodosByID implements [memory.PlanReader].
func (s *Store) TodosByID(ctx context.Context, agent string, ids []string) ([]memory.Todo, error) {
	todos, err := queryAll(ctx, s.read, rows.ScanTodo,
		`SELECT `+rows.TodoColumns+` FROM (SELECT key AS place, value AS wanted FROM json_each(?2))
		CROSS JOIN todos ON agent = ?1 AND id = wanted ORDER BY place`, agent, rows.List(ids))
	return todos, explain(err)
}

const eventsBetween = `SELECT ` + rows.CalendarColumns + ` FROM calendar_events
	WHERE agent = ?1 AND removed_at IS NULL AND over_at >= ?2 AND (over_at > ?2 OR ends_at IS NULL) AND starts_at < ?3
	ORDER BY starts_at, id`

// Calendar implements [memory.PlanReader].
func (s *Store) Calendar(ctx context.Context, agent string, from, to time.Time) ([]memory.CalendarEvent, error) {
	events, err := queryAll(ctx, s.read, rows.ScanCalendar, eventsBetween, agent, from.UnixMicro(), to.UnixMicro())
	return events, explain(err)
}
