package sqlite

import (
	"context"
	"fmt"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// InsertTodo implements [memory.Plans].
func (t *tx) InsertTodo(todo memory.Todo) error {
	values, err := rows.TodoValues(todo)
	if err == nil {
		err = t.checkAgent("to-do", todo.Agent)
	}
	if err != nil {
		return err
	}
	return t.exec(`INSERT INTO todos (`+rows.TodoColumns+`) VALUES (`+rows.Placeholders(len(values))+`)`, values...)
}

// Todo implements [memory.Plans].
func (t *tx) Todo(id string) (memory.Todo, error) {
	found, err := queryOne(t.ctx, t.tx, rows.ScanTodo, `SELECT `+rows.TodoColumns+` FROM todos WHERE agent = ? AND id = ?`, t.agent, id)
	return orError(found, err, memory.Errorf(memory.CodeNotFound, "there is no to-do %q", id).WithHint("list_todo returns ids"))
}

// UpdateTodo implements [memory.Plans].
func (t *tx) UpdateTodo(todo memory.Todo) error {
	urgency, err := rows.Urgency(todo)
	if err != nil {
		return err
	}
	if _, err := t.Todo(todo.ID); err != nil {
		return err
	}
	return t.exec(`UPDATE todos SET title = ?, description = ?, urgency = ?, due_at = ?, completed_at = ? WHERE agent = ? AND id = ?`,
		todo.Title, todo.Description, urgency, rows.Micros(todo.DueAt), rows.Micros(todo.CompletedAt), t.agent, todo.ID)
}

// The order of to-dos, where all of them are in the list and where only those
// of one status are: then an index has it.
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
	from := ` FROM todos WHERE agent = ? AND ` + condition
	return `SELECT ` + rows.TodoColumns + from + ` LIMIT ?`, `SELECT count(*)` + from, nil
}

// Todos implements [memory.PlanReader].
func (s *Store) Todos(ctx context.Context, agent string, status memory.TodoStatus, limit int) ([]memory.Todo, int, error) {
	list, count, err := todosQuery(status)
	if err != nil {
		return nil, 0, err
	}
	var total int
	if err := s.read.QueryRowContext(ctx, count, agent).Scan(&total); err != nil {
		return nil, 0, explain(err)
	}
	todos, err := queryAll(ctx, s.read, rows.ScanTodo, list, agent, limit)
	return todos, total, explain(err)
}

// TodosByID implements [memory.PlanReader].
func (s *Store) TodosByID(ctx context.Context, agent string, ids []string) ([]memory.Todo, error) {
	todos, err := queryAll(ctx, s.read, rows.ScanTodo, `SELECT `+rows.TodoColumns+` FROM (SELECT key AS place, value AS wanted FROM json_each(?2))
		CROSS JOIN todos ON agent = ?1 AND id = wanted ORDER BY place`, agent, rows.List(ids))
	return todos, explain(err)
}

// InsertEvent implements [memory.Plans].
func (t *tx) InsertEvent(e memory.CalendarEvent) error {
	if err := t.checkAgent("event", e.Agent); err != nil {
		return err
	}
	values := rows.CalendarValues(e)
	return t.exec(`INSERT INTO calendar_events (`+rows.CalendarColumns+`) VALUES (`+rows.Placeholders(len(values))+`)`, values...)
}

// Event implements [memory.Plans].
func (t *tx) Event(id string) (memory.CalendarEvent, error) {
	found, err := queryOne(t.ctx, t.tx, rows.ScanCalendar,
		`SELECT `+rows.CalendarColumns+` FROM calendar_events WHERE agent = ? AND id = ? AND removed_at IS NULL`, t.agent, id)
	return orError(found, err, memory.Errorf(memory.CodeNotFound, "there is no event %q", id).WithHint("check_calendar returns ids"))
}

// HadEvent implements [memory.Plans].
func (t *tx) HadEvent(id string) (known bool, err error) {
	err = t.tx.QueryRowContext(t.ctx, `SELECT count(*) FROM calendar_events WHERE agent = ? AND id = ?`, t.agent, id).Scan(&known)
	return known, err
}

// UpdateEvent implements [memory.Plans].
func (t *tx) UpdateEvent(e memory.CalendarEvent) error {
	if _, err := t.Event(e.ID); err != nil {
		return err
	}
	return t.exec(`UPDATE calendar_events SET title = ?, starts_at = ?, ends_at = ?, time_zone = ?, location = ?, description = ?,
		recurrence = ?, excepted = ?, last_start = ?, over_at = ?, removed_at = ? WHERE agent = ? AND id = ?`,
		e.Title, rows.Micros(e.StartsAt), rows.Micros(e.EndsAt), e.TimeZone, e.Location, e.Description,
		e.Recurrence, rows.Times(e.Except), rows.Micros(e.LastStart), rows.OverAt(e), rows.Micros(e.RemovedAt), t.agent, e.ID)
}

const eventsBetween = `SELECT ` + rows.CalendarColumns + ` FROM calendar_events
	WHERE agent = ?1 AND removed_at IS NULL AND over_at >= ?2 AND (over_at > ?2 OR ends_at IS NULL) AND starts_at < ?3
	ORDER BY starts_at, id`

// Calendar implements [memory.PlanReader].
func (s *Store) Calendar(ctx context.Context, agent string, from, to time.Time) ([]memory.CalendarEvent, error) {
	events, err := queryAll(ctx, s.read, rows.ScanCalendar, eventsBetween, agent, from.UnixMicro(), to.UnixMicro())
	return events, explain(err)
}
