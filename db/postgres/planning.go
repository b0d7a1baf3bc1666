package postgres

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
	found, err := one(t, rows.ScanTodo, `SELECT `+rows.TodoColumns+` FROM todos WHERE agent = ? AND id = ?`, t.agent, id)
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

// Which to-dos a status means, and their order: where only those of one status are
// in the list, an index has it.
var todoLists = map[memory.TodoStatus][2]string{
	memory.TodoPending:   {`completed_at IS NULL`, `urgency DESC, due_at IS NULL, due_at, created_at, id`},
	memory.TodoCompleted: {`completed_at IS NOT NULL`, `completed_at DESC, id DESC`},
	memory.TodoAll: {`TRUE`, `completed_at IS NOT NULL, completed_at DESC,
		CASE WHEN completed_at IS NULL THEN urgency END DESC NULLS LAST, CASE WHEN completed_at IS NULL THEN due_at IS NULL END,
		CASE WHEN completed_at IS NULL THEN due_at END, CASE WHEN completed_at IS NULL THEN created_at END,
		CASE WHEN completed_at IS NULL THEN id END, id DESC`},
}

// Todos implements [memory.PlanReader].
func (s *Store) Todos(ctx context.Context, agent string, status memory.TodoStatus, limit int) ([]memory.Todo, int, error) {
	list, ok := todoLists[status]
	if !ok {
		return nil, 0, fmt.Errorf("to-dos of status %q", status)
	}
	src, from := s.as(ctx, agent), ` FROM todos WHERE agent = ? AND `+list[0]
	var total int
	if err := scanRow(src, []any{&total}, `SELECT count(*)`+from, agent); err != nil {
		return nil, 0, err
	}
	todos, err := all(src, rows.ScanTodo, `SELECT `+rows.TodoColumns+from+` ORDER BY `+list[1]+` LIMIT ?`, agent, limit)
	return todos, total, err
}

// TodosByID implements [memory.PlanReader].
func (s *Store) TodosByID(ctx context.Context, agent string, ids []string) ([]memory.Todo, error) {
	return all(s.as(ctx, agent), rows.ScanTodo, `SELECT `+rows.TodoColumns+` FROM unnest(?2::text[]) WITH ORDINALITY j (wanted, place)
		JOIN todos ON agent = ?1 AND id = wanted ORDER BY place`, agent, ids)
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
	found, err := one(t, rows.ScanCalendar, `SELECT `+rows.CalendarColumns+` FROM calendar_events WHERE agent = ? AND id = ? AND removed_at IS NULL`, t.agent, id)
	return orError(found, err, memory.Errorf(memory.CodeNotFound, "there is no event %q", id).WithHint("check_calendar returns ids"))
}

// HadEvent implements [memory.Plans].
func (t *tx) HadEvent(id string) (known bool, err error) {
	err = scanRow(t, []any{&known}, `SELECT EXISTS (SELECT 1 FROM calendar_events WHERE agent = ? AND id = ?)`, t.agent, id)
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

// Calendar implements [memory.PlanReader].
func (s *Store) Calendar(ctx context.Context, agent string, from, to time.Time) ([]memory.CalendarEvent, error) {
	return all(s.as(ctx, agent), rows.ScanCalendar, `SELECT `+rows.CalendarColumns+` FROM calendar_events
		WHERE agent = ?1 AND removed_at IS NULL AND over_at >= ?2 AND (over_at > ?2 OR ends_at IS NULL) AND starts_at < ?3
		ORDER BY starts_at, id`, agent, from.UnixMicro(), to.UnixMicro())
}
