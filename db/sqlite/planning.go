package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"time"

	"mcp-memory/memory"
)

const todoColumns = `agent, id, title, description, urgency, due_at, created_at, completed_at`

func scanTodo(rows *sql.Rows) (t memory.Todo, err error) {
	err = rows.Scan(&t.Agent, &t.ID, &t.Title, &t.Description, fromUrgency(&t.Priority), fromMicros(&t.DueAt), fromMicros(&t.CreatedAt), fromMicros(&t.CompletedAt))
	return t, ofRow(err, "to-do", t.ID)
}

// fromUrgency scans what urgencyOf gave.
func fromUrgency(p *memory.Priority) scanFunc {
	return func(column any) error {
		urgency, ok := column.(int64)
		if !ok || urgency < 0 || urgency >= int64(len(memory.Priorities())) {
			return fmt.Errorf("urgency %v", column)
		}
		*p = memory.Priorities()[urgency]
		return nil
	}
}

// urgencyOf is how a priority is stored: a number that sorts.
func urgencyOf(t memory.Todo) (int, error) {
	n := slices.Index(memory.Priorities(), t.Priority)
	if n < 0 {
		return 0, fmt.Errorf("to-do %s has priority %q", t.ID, t.Priority)
	}
	return n, nil
}

// InsertTodo implements [memory.Plans].
func (t *tx) InsertTodo(todo memory.Todo) error {
	urgency, err := urgencyOf(todo)
	if err == nil {
		err = t.checkAgent("to-do", todo.Agent)
	}
	if err != nil {
		return err
	}
	return t.exec(`INSERT INTO todos (`+todoColumns+`) VALUES (`+placeholders(8)+`)`,
		todo.Agent, todo.ID, todo.Title, todo.Description, urgency, micros(todo.DueAt), micros(todo.CreatedAt), micros(todo.CompletedAt))
}

// Todo implements [memory.Plans].
func (t *tx) Todo(id string) (memory.Todo, error) {
	found, err := queryOne(t.ctx, t.tx, scanTodo, `SELECT `+todoColumns+` FROM todos WHERE agent = ? AND id = ?`, t.agent, id)
	return orError(found, err, memory.Errorf(memory.CodeNotFound, "there is no to-do %q", id).WithHint("list_todo returns ids"))
}

// UpdateTodo implements [memory.Plans].
func (t *tx) UpdateTodo(todo memory.Todo) error {
	urgency, err := urgencyOf(todo)
	if err != nil {
		return err
	}
	if _, err := t.Todo(todo.ID); err != nil {
		return err
	}
	return t.exec(`UPDATE todos SET title = ?, description = ?, urgency = ?, due_at = ?, completed_at = ? WHERE agent = ? AND id = ?`,
		todo.Title, todo.Description, urgency, micros(todo.DueAt), micros(todo.CompletedAt), t.agent, todo.ID)
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
	return `SELECT ` + todoColumns + from + ` LIMIT ?`, `SELECT count(*)` + from, nil
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
	todos, err := queryAll(ctx, s.read, scanTodo, list, agent, limit)
	return todos, total, explain(err)
}

// TodosByID implements [memory.PlanReader].
func (s *Store) TodosByID(ctx context.Context, agent string, ids []string) ([]memory.Todo, error) {
	todos, err := queryAll(ctx, s.read, scanTodo, `SELECT `+todoColumns+` FROM (SELECT key AS place, value AS wanted FROM json_each(?2))
		CROSS JOIN todos ON agent = ?1 AND id = wanted ORDER BY place`, agent, jsonList(ids))
	return todos, explain(err)
}

const calendarColumns = `agent, id, title, starts_at, ends_at, time_zone, location, description, recurrence, excepted, last_start,
	over_at, created_at, removed_at`

func scanCalendar(rows *sql.Rows) (e memory.CalendarEvent, err error) {
	var over int64
	err = rows.Scan(&e.Agent, &e.ID, &e.Title, fromMicros(&e.StartsAt), fromMicros(&e.EndsAt), &e.TimeZone, &e.Location, &e.Description,
		&e.Recurrence, fromTimes(&e.Except), fromMicros(&e.LastStart), &over, fromMicros(&e.CreatedAt), fromMicros(&e.RemovedAt))
	return e, ofRow(err, "event", e.ID)
}

// overAt is when the last occurrence of an event is over.
func overAt(e memory.CalendarEvent) int64 {
	if over := e.OverAt(); !over.IsZero() {
		return over.UnixMicro()
	}
	return math.MaxInt64
}

// InsertEvent implements [memory.Plans].
func (t *tx) InsertEvent(e memory.CalendarEvent) error {
	if err := t.checkAgent("event", e.Agent); err != nil {
		return err
	}
	return t.exec(`INSERT INTO calendar_events (`+calendarColumns+`) VALUES (`+placeholders(14)+`)`,
		e.Agent, e.ID, e.Title, micros(e.StartsAt), micros(e.EndsAt), e.TimeZone, e.Location, e.Description, e.Recurrence, jsonTimes(e.Except),
		micros(e.LastStart), overAt(e), micros(e.CreatedAt), micros(e.RemovedAt))
}

// Event implements [memory.Plans].
func (t *tx) Event(id string) (memory.CalendarEvent, error) {
	found, err := queryOne(t.ctx, t.tx, scanCalendar,
		`SELECT `+calendarColumns+` FROM calendar_events WHERE agent = ? AND id = ? AND removed_at IS NULL`, t.agent, id)
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
		e.Title, micros(e.StartsAt), micros(e.EndsAt), e.TimeZone, e.Location, e.Description,
		e.Recurrence, jsonTimes(e.Except), micros(e.LastStart), overAt(e), micros(e.RemovedAt), t.agent, e.ID)
}

const eventsBetween = `SELECT ` + calendarColumns + ` FROM calendar_events
	WHERE agent = ?1 AND removed_at IS NULL AND over_at >= ?2 AND (over_at > ?2 OR ends_at IS NULL) AND starts_at < ?3
	ORDER BY starts_at, id`

// Calendar implements [memory.PlanReader].
func (s *Store) Calendar(ctx context.Context, agent string, from, to time.Time) ([]memory.CalendarEvent, error) {
	events, err := queryAll(ctx, s.read, scanCalendar, eventsBetween, agent, from.UnixMicro(), to.UnixMicro())
	return events, explain(err)
}
