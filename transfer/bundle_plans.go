package transfer

import (
	"context"
	"errors"
	"math"
	"time"

	"mcp-memory/memory"
	"mcp-memory/planning"
	"mcp-memory/transfer/jsonl"
)

// bundledTodo is a [memory.Todo] without its agent.
type bundledTodo struct {
	Type        string          `json:"type"`
	ID          string          `json:"id"`
	Project     string          `json:"project,omitempty"`
	Title       string          `json:"title"`
	Description string          `json:"description,omitempty"`
	Priority    memory.Priority `json:"priority"`
	DueAt       time.Time       `json:"due_at,omitzero"`
	CreatedAt   time.Time       `json:"created_at"`
	CompletedAt time.Time       `json:"completed_at,omitzero"`
}

// bundledEvent is a [memory.CalendarEvent] without its agent. Removed events are not exported.
type bundledEvent struct {
	Type        string      `json:"type"`
	ID          string      `json:"id"`
	Title       string      `json:"title"`
	StartsAt    time.Time   `json:"starts_at"`
	EndsAt      time.Time   `json:"ends_at,omitzero"`
	TimeZone    string      `json:"time_zone"`
	Location    string      `json:"location,omitempty"`
	Description string      `json:"description,omitempty"`
	Recurrence  string      `json:"recurrence,omitempty"`
	Except      []time.Time `json:"except,omitempty"`
	LastStart   time.Time   `json:"last_start,omitzero"`
	CreatedAt   time.Time   `json:"created_at"`
}

// bundledAlias is an additional external id of a record.
type bundledAlias struct {
	Type       string `json:"type"`
	ExternalID string `json:"external_id"`
	ID         string `json:"id"` // of the record
}

func lineOfTodo(t memory.Todo) bundledTodo {
	return bundledTodo{
		Type: typeTodo, ID: t.ID, Project: t.Project, Title: t.Title, Description: t.Description, Priority: t.Priority,
		DueAt: t.DueAt, CreatedAt: t.CreatedAt, CompletedAt: t.CompletedAt,
	}
}

func (l bundledTodo) todo(agent string) memory.Todo {
	return memory.Todo{
		ID: l.ID, Agent: agent, Project: l.Project, Title: l.Title, Description: l.Description, Priority: l.Priority,
		DueAt: l.DueAt, CreatedAt: l.CreatedAt, CompletedAt: l.CompletedAt,
	}
}

func lineOfEvent(e memory.CalendarEvent) bundledEvent {
	return bundledEvent{
		Type: typeEvent, ID: e.ID, Title: e.Title, StartsAt: e.StartsAt, EndsAt: e.EndsAt, TimeZone: e.TimeZone, Location: e.Location,
		Description: e.Description, Recurrence: e.Recurrence, Except: e.Except, LastStart: e.LastStart, CreatedAt: e.CreatedAt,
	}
}

func (l bundledEvent) event(agent string) memory.CalendarEvent {
	return memory.CalendarEvent{
		ID: l.ID, Agent: agent, Title: l.Title, StartsAt: l.StartsAt, EndsAt: l.EndsAt, TimeZone: l.TimeZone, Location: l.Location,
		Description: l.Description, Recurrence: l.Recurrence, Except: l.Except, LastStart: l.LastStart, CreatedAt: l.CreatedAt,
	}
}

// putPlans writes all to-dos and all events of a bank.
func putPlans(ctx context.Context, store Store, agent string, out *lineWriter, report *Report) error {
	todos, _, err := store.Todos(ctx, agent, memory.TodoFilter{Status: memory.TodoAll}, math.MaxInt)
	if err != nil {
		return err
	}
	for _, t := range todos {
		if err := out.put(lineOfTodo(t)); err != nil {
			return err
		}
	}
	always := [2]time.Time{time.UnixMicro(math.MinInt64), time.UnixMicro(math.MaxInt64)}
	events, err := store.Calendar(ctx, agent, always[0], always[1])
	if err != nil {
		return err
	}
	for _, e := range events {
		if err := out.put(lineOfEvent(e)); err != nil {
			return err
		}
	}
	report.Todos, report.Events = len(todos), len(events)
	return nil
}

func (l *bundleLoader) addTodo(text []byte) error {
	var line bundledTodo
	if err := jsonl.Decode(text, &line); err != nil {
		return err
	}
	t := line.todo(l.scope.Agent).Tidied()
	if t.ID == "" || t.CreatedAt.IsZero() {
		return errors.New("the to-do has no id or no created_at")
	}
	if err := errors.Join(memory.CheckText("id", t.ID, memory.MaxNameBytes), t.Validate()); err != nil {
		return err
	}
	var err error
	if t.Project, err = projectOf(t.Project); err != nil {
		return err
	}
	t.ID = safeID(t.ID)
	l.items = append(l.items, bundleItem{todo: &t})
	l.read.todos++
	return nil
}

func (l *bundleLoader) addEvent(text []byte) error {
	var line bundledEvent
	if err := jsonl.Decode(text, &line); err != nil {
		return err
	}
	e := line.event(l.scope.Agent).Tidied()
	if e.ID == "" || e.CreatedAt.IsZero() {
		return errors.New("the event has no id or no created_at")
	}
	if err := errors.Join(memory.CheckText("id", e.ID, memory.MaxNameBytes), planning.CheckEvent(e)); err != nil {
		return err
	}
	e.ID = safeID(e.ID)
	l.items = append(l.items, bundleItem{event: &e})
	l.read.events++
	return nil
}

func (l *bundleLoader) addAlias(text []byte) error {
	var line bundledAlias
	if err := jsonl.Decode(text, &line); err != nil {
		return err
	}
	if line.ID == "" || line.ExternalID == "" {
		return errors.New("the alias has no id or no external_id")
	}
	line.ExternalID = memory.Line(line.ExternalID)
	if err := memory.CheckText("external_id", line.ExternalID, memory.MaxNameBytes); err != nil {
		return err
	}
	line.ID = safeID(line.ID)
	l.items = append(l.items, bundleItem{alias: &line})
	l.read.aliases++
	return nil
}

// storeTodo stores a to-do unless the bank has its id. So a to-do that was changed or ticked since
// the first import stays as it is.
func storeTodo(tx memory.Tx, t memory.Todo) (bool, error) {
	if _, err := tx.Todo(t.ID); err == nil || memory.CodeOf(err) != memory.CodeNotFound {
		return false, err
	}
	return true, tx.InsertTodo(t)
}

// storeEvent stores an event unless the bank has or had its id. So an event that was changed or
// removed since the first import stays so.
func storeEvent(tx memory.Tx, e memory.CalendarEvent) (bool, error) {
	known, err := tx.HadEvent(e.ID)
	if err != nil || known {
		return false, err
	}
	return true, tx.InsertEvent(e)
}

// storeAlias adds an external id to a record, unless the bank has that external id.
func storeAlias(tx memory.Tx, a bundledAlias) error {
	named, err := tx.RecordByExternalID(a.ExternalID)
	if err != nil || named != nil {
		return err
	}
	if err := tx.NameRecord(a.ExternalID, a.ID); memory.CodeOf(err) != memory.CodeNotFound {
		return err
	}
	return nil // the record was not imported
}
