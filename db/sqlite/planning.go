package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"mcp-memory/memory"
)

const todoColumns = `agent, id, title, description, urgency, due_at, created_at, completed_at`

func scanTodo(rows *sql.Rows) (t memory.Todo, err error) {
	var urgency int
	var due, created, completed sql.NullInt64
	err = rows.Scan(&t.Agent, &t.ID, &t.Title, &t.Description, &urgency, &due, &created, &completed)
	if err != nil {
		return t, err
	}
	if urgency < 0 || urgency >= len(memory.Priorities()) {
		return t, fmt.Errorf("urgency of to-do %s is %d", t.ID, urgency)
	}
	t.Priority = memory.Priorities()[urgency]
	t.DueAt, t.CreatedAt, t.CompletedAt = timeOf(due), timeOf(created), timeOf(completed)
	return t, nil
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
		err = t.ours("to-do", todo.Agent)
	}
	if err != nil {
		return err
	}
	return t.exec(`INSERT INTO todos (`+todoColumns+`) VALUES (`+marks(8)+`)`,
		todo.Agent, todo.ID, todo.Title, todo.Description, urgency, micros(todo.DueAt), micros(todo.CreatedAt), micros(todo.CompletedAt))
}

// Todo implements [memory.Plans].
func (t *tx) Todo(id string) (memory.Todo, error) {
	found, err := queryAll(t.ctx, t.tx, scanTodo, `SELECT `+todoColumns+` FROM todos WHERE agent = ? AND id = ?`, t.agent, id)
	return only(found, err, memory.Errorf(memory.CodeNotFound, "there is no to-do %q", id).WithHint("list_todo returns ids"))
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

const calendarColumns = `agent, id, title, starts_at, ends_at, time_zone, location, description, recurrence, excepted, last_start,
	over_at, created_at, removed_at`

func scanCalendar(rows *sql.Rows) (e memory.CalendarEvent, err error) {
	var starts, ends, last, over, created, removed sql.NullInt64
	var excepted string
	err = rows.Scan(&e.Agent, &e.ID, &e.Title, &starts, &ends, &e.TimeZone, &e.Location, &e.Description, &e.Recurrence, &excepted, &last,
		&over, &created, &removed)
	if err != nil {
		return e, err
	}
	e.StartsAt, e.EndsAt, e.LastStart, e.CreatedAt, e.RemovedAt = timeOf(starts), timeOf(ends), timeOf(last), timeOf(created), timeOf(removed)
	if e.Except, err = timesOf(excepted); err != nil {
		return e, fmt.Errorf("exceptions of event %s: %w", e.ID, err)
	}
	return e, nil
}

// jsonTimes is how a list of times is stored; timesOf reverses it.
func jsonTimes(times []time.Time) string {
	numbers := make([]int64, len(times))
	for i, t := range times {
		numbers[i] = t.UnixMicro()
	}
	return jsonNumbers(numbers)
}

func timesOf(s string) (times []time.Time, err error) {
	var numbers []int64
	if err := json.Unmarshal([]byte(s), &numbers); err != nil {
		return nil, err
	}
	for _, n := range numbers {
		times = append(times, time.UnixMicro(n).UTC())
	}
	return times, nil
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
	if err := t.ours("event", e.Agent); err != nil {
		return err
	}
	return t.exec(`INSERT INTO calendar_events (`+calendarColumns+`) VALUES (`+marks(14)+`)`,
		e.Agent, e.ID, e.Title, micros(e.StartsAt), micros(e.EndsAt), e.TimeZone, e.Location, e.Description, e.Recurrence, jsonTimes(e.Except),
		micros(e.LastStart), overAt(e), micros(e.CreatedAt), micros(e.RemovedAt))
}

// Event implements [memory.Plans].
func (t *tx) Event(id string) (memory.CalendarEvent, error) {
	found, err := queryAll(t.ctx, t.tx, scanCalendar,
		`SELECT `+calendarColumns+` FROM calendar_events WHERE agent = ? AND id = ? AND removed_at IS NULL`, t.agent, id)
	return only(found, err, memory.Errorf(memory.CodeNotFound, "there is no event %q", id).WithHint("check_calendar returns ids"))
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
