package rows

import (
	"fmt"
	"math"
	"slices"

	"mcp-memory/memory"
)

// TodoColumns are what ScanTodo reads and todoValues gives the values of.
const TodoColumns = `agent, id, project, title, description, urgency, due_at, created_at, completed_at`

// ScanTodo reads a to-do.
func ScanTodo(row Row) (t memory.Todo, err error) {
	err = row.Scan(&t.Agent, &t.ID, &t.Project, &t.Title, &t.Description, fromUrgency(&t.Priority), FromMicros(&t.DueAt),
		FromMicros(&t.CreatedAt), FromMicros(&t.CompletedAt))
	return t, of(err, "to-do", t.ID)
}

// todoValues gives the values of TodoColumns.
func todoValues(t memory.Todo) ([]any, error) {
	urgency, err := urgencyOf(t)
	return []any{t.Agent, t.ID, t.Project, t.Title, t.Description, urgency, Micros(t.DueAt), Micros(t.CreatedAt),
		Micros(t.CompletedAt)}, err
}

// fromUrgency scans what urgencyOf gave.
func fromUrgency(p *memory.Priority) ScanFunc {
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

// CalendarColumns are what ScanCalendar reads and calendarValues gives the values of.
const CalendarColumns = `agent, id, title, starts_at, ends_at, time_zone, location, description, recurrence, excepted, last_start,
	over_at, created_at, removed_at`

// ScanCalendar reads a calendar event.
func ScanCalendar(row Row) (e memory.CalendarEvent, err error) {
	var over int64
	err = row.Scan(&e.Agent, &e.ID, &e.Title, FromMicros(&e.StartsAt), FromMicros(&e.EndsAt), &e.TimeZone, &e.Location, &e.Description,
		&e.Recurrence, FromTimes(&e.Except), FromMicros(&e.LastStart), &over, FromMicros(&e.CreatedAt), FromMicros(&e.RemovedAt))
	return e, of(err, "event", e.ID)
}

// calendarValues gives the values of CalendarColumns.
func calendarValues(e memory.CalendarEvent) []any {
	return []any{
		e.Agent, e.ID, e.Title, Micros(e.StartsAt), Micros(e.EndsAt), e.TimeZone, e.Location, e.Description, e.Recurrence, Times(e.Except),
		Micros(e.LastStart), overAt(e), Micros(e.CreatedAt), Micros(e.RemovedAt),
	}
}

// overAt is when the last occurrence of an event is over, the largest number for never.
func overAt(e memory.CalendarEvent) int64 {
	if over := e.OverAt(); !over.IsZero() {
		return over.UnixMicro()
	}
	return math.MaxInt64
}

// InsertTodo implements [memory.Plans].
func (t PortableTx) InsertTodo(todo memory.Todo) error {
	values, err := todoValues(todo)
	if err == nil {
		err = t.CheckAgent("to-do", todo.Agent)
	}
	if err != nil {
		return err
	}
	return t.run.Exec(`INSERT INTO todos (`+TodoColumns+`) VALUES (`+Placeholders(len(values))+`)`, values...)
}

// Todo implements [memory.Plans].
func (t PortableTx) Todo(id string) (memory.Todo, error) {
	found, err := One(t.run, ScanTodo, `SELECT `+TodoColumns+` FROM todos WHERE agent = ? AND id = ?`, t.agent, id)
	return OrError(found, err, memory.Errorf(memory.CodeNotFound, "there is no to-do %q", id).
		WithAdvice(memory.Advice{Tool: "list_todo returns ids", Command: "`mcp-memory todo list --status all` shows them"}))
}

// UpdateTodo implements [memory.Plans].
func (t PortableTx) UpdateTodo(todo memory.Todo) error {
	urgency, err := urgencyOf(todo)
	if err != nil {
		return err
	}
	if _, err := t.Todo(todo.ID); err != nil {
		return err
	}
	return t.run.Exec(`UPDATE todos SET project = ?, title = ?, description = ?, urgency = ?, due_at = ?, completed_at = ? WHERE agent = ? AND id = ?`,
		todo.Project, todo.Title, todo.Description, urgency, Micros(todo.DueAt), Micros(todo.CompletedAt), t.agent, todo.ID)
}

// InsertEvent implements [memory.Plans].
func (t PortableTx) InsertEvent(e memory.CalendarEvent) error {
	if err := t.CheckAgent("event", e.Agent); err != nil {
		return err
	}
	values := calendarValues(e)
	return t.run.Exec(`INSERT INTO calendar_events (`+CalendarColumns+`) VALUES (`+Placeholders(len(values))+`)`, values...)
}

// Event implements [memory.Plans].
func (t PortableTx) Event(id string) (memory.CalendarEvent, error) {
	found, err := One(t.run, ScanCalendar,
		`SELECT `+CalendarColumns+` FROM calendar_events WHERE agent = ? AND id = ? AND removed_at IS NULL`, t.agent, id)
	return OrError(found, err, memory.Errorf(memory.CodeNotFound, "there is no event %q", id).
		WithAdvice(memory.Advice{Tool: "check_calendar returns ids", Command: "`mcp-memory calendar list` shows them"}))
}

// HadEvent implements [memory.Plans].
func (t PortableTx) HadEvent(id string) (known bool, err error) {
	err = Into(t.run, []any{&known}, `SELECT EXISTS (SELECT 1 FROM calendar_events WHERE agent = ? AND id = ?)`, t.agent, id)
	return known, err
}

// UpdateEvent implements [memory.Plans].
func (t PortableTx) UpdateEvent(e memory.CalendarEvent) error {
	if _, err := t.Event(e.ID); err != nil {
		return err
	}
	return t.run.Exec(`UPDATE calendar_events SET title = ?, starts_at = ?, ends_at = ?, time_zone = ?, location = ?, description = ?,
		recurrence = ?, excepted = ?, last_start = ?, over_at = ?, removed_at = ? WHERE agent = ? AND id = ?`,
		e.Title, Micros(e.StartsAt), Micros(e.EndsAt), e.TimeZone, e.Location, e.Description,
		e.Recurrence, Times(e.Except), Micros(e.LastStart), overAt(e), Micros(e.RemovedAt), t.agent, e.ID)
}
