package memory_test

import (
	"testing"
	"time"

	"mcp-memory/memory"
)

func TestTodo(t *testing.T) {
	todo := func(edit func(*memory.Todo)) memory.Todo {
		return changed(memory.Todo{Title: "Water the plants.", Priority: memory.PriorityHigh}, edit)
	}
	runChecks(t, map[string]check{
		"plain":            {todo(func(*memory.Todo) {}), "", ""},
		"longest":          {todo(func(t *memory.Todo) { t.Title, t.Description = huge[:512], huge[:32<<10] }), "", ""},
		"no title":         {todo(func(t *memory.Todo) { t.Title = " " }), memory.CodeInvalidArgument, "title"},
		"long title":       {todo(func(t *memory.Todo) { t.Title = huge[:513] }), memory.CodeTooLarge, "title"},
		"long description": {todo(func(t *memory.Todo) { t.Description = huge[:32<<10+1] }), memory.CodeTooLarge, "description"},
		"priority":         {todo(func(t *memory.Todo) { t.Priority = "soon" }), memory.CodeInvalidArgument, "priority"},
		"no priority":      {todo(func(t *memory.Todo) { t.Priority = "" }), memory.CodeInvalidArgument, "priority"},
	})
}

func TestCalendarEvent(t *testing.T) {
	event := func(edit func(*memory.CalendarEvent)) memory.CalendarEvent {
		return changed(memory.CalendarEvent{Title: "Talk", StartsAt: now}, edit)
	}
	runChecks(t, map[string]check{
		"plain":         {event(func(*memory.CalendarEvent) {}), "", ""},
		"with an end":   {event(func(e *memory.CalendarEvent) { e.EndsAt = now.Add(time.Nanosecond) }), "", ""},
		"no title":      {event(func(e *memory.CalendarEvent) { e.Title = "" }), memory.CodeInvalidArgument, "title"},
		"no start":      {event(func(e *memory.CalendarEvent) { e.StartsAt = time.Time{} }), memory.CodeInvalidArgument, "starts_at"},
		"no length":     {event(func(e *memory.CalendarEvent) { e.EndsAt = now }), memory.CodeInvalidArgument, "ends_at"},
		"ends before":   {event(func(e *memory.CalendarEvent) { e.EndsAt = now.Add(-time.Hour) }), memory.CodeInvalidArgument, "ends_at"},
		"time zone":     {event(func(e *memory.CalendarEvent) { e.TimeZone = huge[:300] }), memory.CodeTooLarge, "time_zone"},
		"long location": {event(func(e *memory.CalendarEvent) { e.Location = huge }), memory.CodeTooLarge, "location"},
		"bytes":         {event(func(e *memory.CalendarEvent) { e.Description = "\xff" }), memory.CodeInvalidArgument, "description"},
		"long rule":     {event(func(e *memory.CalendarEvent) { e.Recurrence = huge }), memory.CodeTooLarge, "recurrence"},
	})
}

func TestOverAt(t *testing.T) {
	hour := now.Add(time.Hour)
	for name, c := range map[string]struct {
		event memory.CalendarEvent
		want  time.Time
	}{
		"a moment":    {memory.CalendarEvent{StartsAt: now, LastStart: now}, now},
		"not noted":   {memory.CalendarEvent{StartsAt: now}, now},
		"with an end": {memory.CalendarEvent{StartsAt: now, EndsAt: hour}, hour},
		"recurs": {memory.CalendarEvent{StartsAt: now, Recurrence: "FREQ=DAILY", LastStart: now.AddDate(0, 0, 9)},
			now.AddDate(0, 0, 9)},
		"recurs, an end": {memory.CalendarEvent{StartsAt: now, EndsAt: hour, Recurrence: "FREQ=DAILY", LastStart: now.AddDate(0, 0, 9)},
			hour.AddDate(0, 0, 9)},
		"never": {memory.CalendarEvent{StartsAt: now, EndsAt: hour, Recurrence: "FREQ=DAILY"}, time.Time{}},
	} {
		if got := c.event.OverAt(); !got.Equal(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
