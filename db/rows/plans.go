package rows

import (
	"fmt"
	"math"
	"slices"

	"mcp-memory/memory"
)

// TodoColumns are what ScanTodo reads and TodoValues gives the values of.
const TodoColumns = `agent, id, title, description, urgency, due_at, created_at, completed_at`

// ScanTodo reads a to-do.
func ScanTodo(row Row) (t memory.Todo, err error) {
	err = row.Scan(&t.Agent, &t.ID, &t.Title, &t.Description, fromUrgency(&t.Priority), FromMicros(&t.DueAt), FromMicros(&t.CreatedAt), FromMicros(&t.CompletedAt))
	return t, of(err, "to-do", t.ID)
}

// TodoValues gives the values of TodoColumns.
func TodoValues(t memory.Todo) ([]any, error) {
	urgency, err := Urgency(t)
	return []any{t.Agent, t.ID, t.Title, t.Description, urgency, Micros(t.DueAt), Micros(t.CreatedAt), Micros(t.CompletedAt)}, err
}

// fromUrgency scans what Urgency gave.
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

// Urgency is how a priority is stored: a number that sorts.
func Urgency(t memory.Todo) (int, error) {
	n := slices.Index(memory.Priorities(), t.Priority)
	if n < 0 {
		return 0, fmt.Errorf("to-do %s has priority %q", t.ID, t.Priority)
	}
	return n, nil
}

// CalendarColumns are what ScanCalendar reads and CalendarValues gives the values of.
const CalendarColumns = `agent, id, title, starts_at, ends_at, time_zone, location, description, recurrence, excepted, last_start,
	over_at, created_at, removed_at`

// ScanCalendar reads a calendar event.
func ScanCalendar(row Row) (e memory.CalendarEvent, err error) {
	var over int64
	err = row.Scan(&e.Agent, &e.ID, &e.Title, FromMicros(&e.StartsAt), FromMicros(&e.EndsAt), &e.TimeZone, &e.Location, &e.Description,
		&e.Recurrence, FromTimes(&e.Except), FromMicros(&e.LastStart), &over, FromMicros(&e.CreatedAt), FromMicros(&e.RemovedAt))
	return e, of(err, "event", e.ID)
}

// CalendarValues gives the values of CalendarColumns.
func CalendarValues(e memory.CalendarEvent) []any {
	return []any{
		e.Agent, e.ID, e.Title, Micros(e.StartsAt), Micros(e.EndsAt), e.TimeZone, e.Location, e.Description, e.Recurrence, Times(e.Except),
		Micros(e.LastStart), OverAt(e), Micros(e.CreatedAt), Micros(e.RemovedAt),
	}
}

// OverAt is when the last occurrence of an event is over, the largest number for never.
func OverAt(e memory.CalendarEvent) int64 {
	if over := e.OverAt(); !over.IsZero() {
		return over.UnixMicro()
	}
	return math.MaxInt64
}
