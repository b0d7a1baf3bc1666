package memory

import (
	"context"
	"slices"
	"strings"
	"time"
)

// MaxTitleBytes is the longest title of a to-do or an event.
const MaxTitleBytes = 2 * MaxNameBytes

// Priority says how urgent a to-do is.
type Priority string

// The priorities, from the least urgent.
const (
	PriorityLow    Priority = "low"
	PriorityNormal Priority = "normal"
	PriorityHigh   Priority = "high"
	PriorityUrgent Priority = "urgent"
)

// Priorities lists every priority, from the least urgent.
func Priorities() []Priority {
	return []Priority{PriorityLow, PriorityNormal, PriorityHigh, PriorityUrgent}
}

// Todo is a task that an agent set itself.
type Todo struct {
	ID          string
	Agent       string
	Project     string // empty means global
	Title       string
	Description string
	Priority    Priority
	DueAt       time.Time
	CreatedAt   time.Time
	CompletedAt time.Time
}

// Validate reports the first thing that is wrong with a to-do about to be
// stored: [CodeInvalidArgument] or [CodeTooLarge], naming the argument.
func (t Todo) Validate() error {
	if err := checkTitle(t.Title); err != nil {
		return err
	}
	if _, err := NormalProject(t.Project); err != nil {
		return err
	}
	if err := CheckText("description", t.Description, MaxContentBytes); err != nil {
		return err
	}
	if !slices.Contains(Priorities(), t.Priority) {
		return Errorf(CodeInvalidArgument, "priority %q does not exist", t.Priority).WithHint("one of %s", join(Priorities()))
	}
	return nil
}

func checkTitle(title string) error {
	if err := CheckLine("title", title, MaxTitleBytes); err != nil {
		return err
	}
	if strings.TrimSpace(title) == "" {
		return Errorf(CodeInvalidArgument, "title is empty").WithHint("say in a few words what it is")
	}
	return nil
}

// TodoStatus chooses to-dos.
type TodoStatus string

// The statuses to choose by.
const (
	TodoPending   TodoStatus = "pending"
	TodoCompleted TodoStatus = "completed"
	TodoAll       TodoStatus = "all"
)

// TodoStatuses lists every status.
func TodoStatuses() []TodoStatus { return []TodoStatus{TodoPending, TodoCompleted, TodoAll} }

// TodoFilter chooses to-dos. Conditions are joined by AND.
type TodoFilter struct {
	Status   TodoStatus
	Projects []string // nil is all of them; see [Scope.Readable]
}

// CalendarEvent is something planned, once or again and again.
type CalendarEvent struct {
	ID          string
	Agent       string
	Title       string
	StartsAt    time.Time // of the first occurrence
	EndsAt      time.Time // of the first occurrence, or zero
	TimeZone    string    // IANA name; occurrences keep their wall-clock time in it
	Location    string
	Description string
	Recurrence  string      // an RRULE of RFC 5545 without "RRULE:", or empty
	Except      []time.Time // starts of occurrences that were removed
	// LastStart is when the last occurrence starts, zero for no end; the store
	// uses it to leave out what is over. It says nothing where Recurrence is
	// empty.
	LastStart time.Time
	CreatedAt time.Time
	RemovedAt time.Time
}

// Validate reports the first thing that is wrong with an event about to be
// stored: [CodeInvalidArgument] or [CodeTooLarge], naming the argument. It
// does not read TimeZone and Recurrence.
func (e CalendarEvent) Validate() error {
	if err := checkTitle(e.Title); err != nil {
		return err
	}
	if e.StartsAt.IsZero() {
		return Errorf(CodeInvalidArgument, "starts_at is missing").WithHint("say when it begins, for example 2026-03-01T09:30:00Z")
	}
	if !e.EndsAt.IsZero() && !e.EndsAt.After(e.StartsAt) {
		return Errorf(CodeInvalidArgument, "ends_at is not after starts_at").WithHint("leave it out if it has no length")
	}
	if err := CheckLine("time_zone", e.TimeZone, MaxNameBytes); err != nil {
		return err
	}
	for _, f := range []struct {
		name, text string
		limit      int
	}{
		{"location", e.Location, MaxContentBytes},
		{"description", e.Description, MaxContentBytes},
		{"recurrence", e.Recurrence, MaxContentBytes},
	} {
		if err := CheckText(f.name, f.text, f.limit); err != nil {
			return err
		}
	}
	return nil
}

// OverAt returns when the last occurrence ends, or begins if the event has no length; zero for an
// event that recurs without end.
func (e CalendarEvent) OverAt() time.Time {
	last := e.LastStart
	if e.Recurrence == "" {
		last = e.StartsAt
	}
	if last.IsZero() || e.EndsAt.IsZero() {
		return last
	}
	return last.Add(e.EndsAt.Sub(e.StartsAt))
}

// Plans is what a [Tx] keeps of planning data.
type Plans interface {
	// InsertTodo stores a new to-do.
	InsertTodo(t Todo) error
	// Todo returns the to-do with that id; [CodeNotFound] if there is none.
	Todo(id string) (Todo, error)
	// UpdateTodo stores everything about a to-do but its time of creation;
	// [CodeNotFound] if there is none.
	UpdateTodo(t Todo) error
	// InsertEvent stores a new event.
	InsertEvent(e CalendarEvent) error
	// Event returns the event with that id, [CodeNotFound] if there is none or
	// it was removed.
	Event(id string) (CalendarEvent, error)
	// HadEvent reports whether there is or was an event with that id.
	HadEvent(id string) (bool, error)
	// UpdateEvent stores everything about an event but its time of creation;
	// [CodeNotFound] if there is none or it was removed. RemovedAt removes it.
	UpdateEvent(e CalendarEvent) error
}

// PlanReader looks at planning data.
type PlanReader interface {
	// Todos returns up to limit to-dos, and how many there are without the limit. Pending ones
	// come first: the most urgent first, then by due date (those without one last), then the
	// oldest first. Completed ones follow, the newest completion first.
	Todos(ctx context.Context, agent string, f TodoFilter, limit int) ([]Todo, int, error)
	// TodosByID returns those of some to-dos that are there, in the order of the ids.
	TodosByID(ctx context.Context, agent string, ids []string) ([]Todo, error)
	// Calendar returns the events, not removed, that may have an occurrence in from ≤ t < to:
	// all that begin before to and are not over at from (see [CalendarEvent.OverAt]), ordered by
	// StartsAt. The caller computes which occurrences there are.
	Calendar(ctx context.Context, agent string, from, to time.Time) ([]CalendarEvent, error)
}
