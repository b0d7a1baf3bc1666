package dbtest

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mcp-memory/memory"
)

var planningTests = map[string]func(*testing.T, *env){
	"to-do":                  todoRoundTrip,
	"order of to-dos":        todoOrder,
	"event":                  eventRoundTrip,
	"removed event":          removedEvent,
	"calendar":               calendar,
	"calendar of any events": calendarOfAny,
	"stays inside the bank":  plansStayInside,
}

func (e *env) todo(title string, edits ...func(*memory.Todo)) memory.Todo {
	todo := memory.Todo{ID: e.ids.New(), Agent: agent, Title: title, Priority: memory.PriorityNormal, CreatedAt: e.clock()}
	for _, edit := range edits {
		edit(&todo)
	}
	return todo
}

func (e *env) todos(t testing.TB, who string, status memory.TodoStatus) []memory.Todo {
	t.Helper()
	todos, total, err := e.Todos(t.Context(), who, memory.TodoFilter{Status: status}, 100)
	if err != nil || total != len(todos) {
		t.Fatalf("%d of %d to-dos, %v", len(todos), total, err)
	}
	return todos
}

func todoRoundTrip(t *testing.T, e *env) {
	plain := e.todo("Water the plants.")
	full := e.todo("Größe 🌕", func(todo *memory.Todo) {
		todo.Project, todo.Description, todo.Priority, todo.DueAt,
			todo.CompletedAt = "owner/name", "All\nof it.", memory.PriorityUrgent, day(1), day(2)
	})
	e.write(t, func(tx memory.Tx) error {
		if err := tx.InsertTodo(full); err != nil {
			return err
		}
		return tx.InsertTodo(plain)
	})
	e.reopen(t, Fingerprint)
	e.write(t, func(tx memory.Tx) error {
		for _, want := range []memory.Todo{plain, full} {
			got, err := tx.Todo(want.ID)
			if got != want || err != nil {
				t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
			}
		}
		changed := full // everything but the time of creation
		changed.ID, changed.CreatedAt = plain.ID, day(9)
		return tx.UpdateTodo(changed)
	})
	want := full
	want.ID, want.CreatedAt = plain.ID, plain.CreatedAt
	if got := e.todos(t, agent, memory.TodoCompleted); !slices.Contains(got, want) || !slices.Contains(got, full) {
		t.Errorf("got %+v, want %+v and %+v", got, want, full)
	}
	unknown := e.todo("x")
	got, err := e.TodosByID(t.Context(), agent, []string{want.ID, unknown.ID, full.ID})
	if err != nil || !slices.Equal(got, []memory.Todo{want, full}) {
		t.Errorf("by id: got %+v, %v\nwant %+v", got, err, []memory.Todo{want, full})
	}
	if got, err = e.TodosByID(t.Context(), "nobody", []string{full.ID}); err != nil || len(got) > 0 {
		t.Errorf("another agent's by id: %+v, %v", got, err)
	}
	wantCode(t, e.Write(t.Context(), agent, func(tx memory.Tx) error { _, err := tx.Todo(unknown.ID); return err }), memory.CodeNotFound)
	wantCode(t, e.Write(t.Context(), agent, func(tx memory.Tx) error { return tx.UpdateTodo(unknown) }), memory.CodeNotFound)
}

// todoOrder compares with a plain sort.
func todoOrder(t *testing.T, e *env) {
	banks := 0
	rapid.Check(t, func(rt *rapid.T) {
		banks++
		who := fmt.Sprint("agent ", banks)
		times := rapid.SampledFrom([]time.Time{{}, {}, day(1), day(2), day(3)})
		var all []memory.Todo
		for range rapid.IntRange(0, 12).Draw(rt, "to-dos") {
			all = append(all, e.todo("x", func(todo *memory.Todo) {
				todo.Agent, todo.Priority = who, rapid.SampledFrom(memory.Priorities()).Draw(rt, "priority")
				todo.Project = rapid.SampledFrom([]string{"", "a", "b"}).Draw(rt, "project")
				todo.DueAt, todo.CompletedAt = times.Draw(rt, "due"), times.Draw(rt, "completed")
				todo.CreatedAt = day(rapid.IntRange(1, 3).Draw(rt, "created"))
			}))
		}
		err := e.Write(t.Context(), who, func(tx memory.Tx) error {
			for _, todo := range all {
				if err := tx.InsertTodo(todo); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			rt.Fatal(err)
		}
		slices.SortFunc(all, compareTodos)
		for _, status := range memory.TodoStatuses() {
			projects := rapid.SampledFrom([][]string{nil, {}, {""}, {"", "a"}, {"b", "c"}}).Draw(rt, "projects")
			var want []memory.Todo
			for _, todo := range all {
				if projects != nil && !slices.Contains(projects, todo.Project) {
					continue
				}
				if status == memory.TodoAll || todo.CompletedAt.IsZero() == (status == memory.TodoPending) {
					want = append(want, todo)
				}
			}
			limit := rapid.IntRange(0, 13).Draw(rt, "limit")
			got, total, err := e.Todos(t.Context(), who, memory.TodoFilter{Status: status, Projects: projects}, limit)
			if err != nil || total != len(want) || !slices.Equal(got, want[:min(limit, len(want))]) {
				rt.Fatalf("%s of %q, limit %d: %s of %d, %v\nwant %s", status, projects, limit, asJSON(got), total, err, asJSON(want))
			}
		}
	})
}

func compareTodos(a, b memory.Todo) int {
	switch aDone, bDone := !a.CompletedAt.IsZero(), !b.CompletedAt.IsZero(); {
	case aDone && bDone:
		return cmp.Or(b.CompletedAt.Compare(a.CompletedAt), cmp.Compare(b.ID, a.ID))
	case aDone:
		return 1
	case bDone:
		return -1
	}
	urgency := func(todo memory.Todo) int { return slices.Index(memory.Priorities(), todo.Priority) }
	due := func(todo memory.Todo) time.Time {
		if todo.DueAt.IsZero() {
			return day(1000)
		}
		return todo.DueAt
	}
	return cmp.Or(urgency(b)-urgency(a), due(a).Compare(due(b)), a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
}

func (e *env) planned(title string, startsAt time.Time, edits ...func(*memory.CalendarEvent)) memory.CalendarEvent {
	one := memory.CalendarEvent{ID: e.ids.New(), Agent: agent, Title: title, StartsAt: startsAt, LastStart: startsAt, CreatedAt: e.clock()}
	for _, edit := range edits {
		edit(&one)
	}
	return one
}

// plan stores events in their agents' banks.
func (e *env) plan(t testing.TB, events ...memory.CalendarEvent) {
	t.Helper()
	for _, one := range events {
		if err := e.Write(t.Context(), one.Agent, func(tx memory.Tx) error { return tx.InsertEvent(one) }); err != nil {
			t.Fatal(err)
		}
	}
}

func (e *env) between(t testing.TB, who string, from, to time.Time) []memory.CalendarEvent {
	t.Helper()
	events, err := e.Calendar(t.Context(), who, from, to)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

func eventRoundTrip(t *testing.T, e *env) {
	plain := e.planned("Talk", day(3))
	full := e.planned("Größe 🌕", day(1), func(one *memory.CalendarEvent) {
		one.EndsAt, one.TimeZone, one.Location, one.Description = day(1).Add(time.Hour), "Europe/Vienna", "Graz", "All\nof it."
		one.Recurrence, one.Except, one.LastStart = "FREQ=DAILY;COUNT=9", []time.Time{day(2), day(4)}, day(9)
	})
	e.plan(t, plain, full)
	e.reopen(t, Fingerprint)
	if got, want := e.between(t, agent, day(0), day(10)), []memory.CalendarEvent{full, plain}; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %s\nwant %s", asJSON(got), asJSON(want))
	}
	changed := full // everything but the time of creation
	changed.ID, changed.CreatedAt, changed.LastStart = plain.ID, day(20), time.Time{}
	e.write(t, func(tx memory.Tx) error { return tx.UpdateEvent(changed) })
	changed.CreatedAt = plain.CreatedAt
	if got, want := e.between(t, agent, day(100), day(101)), []memory.CalendarEvent{changed}; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %s\nwant %s", asJSON(got), asJSON(want)) // now without end
	}
	changed.LastStart = day(50)
	e.write(t, func(tx memory.Tx) error { return tx.UpdateEvent(changed) })
	if got := e.between(t, agent, day(100), day(101)); len(got) != 0 {
		t.Errorf("ended, and yet %s", asJSON(got))
	}
	unknown := e.planned("x", day(1))
	wantCode(t, e.Write(t.Context(), agent, func(tx memory.Tx) error { _, err := tx.Event(unknown.ID); return err }), memory.CodeNotFound)
	wantCode(t, e.Write(t.Context(), agent, func(tx memory.Tx) error { return tx.UpdateEvent(unknown) }), memory.CodeNotFound)
}

func removedEvent(t *testing.T, e *env) {
	one, other := e.planned("Talk", day(1)), e.planned("Dinner", day(1))
	e.plan(t, one, other)
	e.write(t, func(tx memory.Tx) error {
		got, err := tx.Event(one.ID)
		if err != nil {
			return err
		}
		got.RemovedAt = day(0)
		return tx.UpdateEvent(got)
	})
	if got := e.between(t, agent, day(0), day(9)); len(got) != 1 || got[0].ID != other.ID {
		t.Errorf("%s", asJSON(got))
	}
	e.write(t, func(tx memory.Tx) error {
		for id, want := range map[string]bool{one.ID: true, other.ID: true, "nothing": false} {
			if had, err := tx.HadEvent(id); had != want || err != nil {
				t.Errorf("had %q: %v, %v", id, had, err)
			}
		}
		return nil
	})
	wantCode(t, e.Write(t.Context(), agent, func(tx memory.Tx) error { _, err := tx.Event(one.ID); return err }), memory.CodeNotFound)
	wantCode(t, e.Write(t.Context(), agent, func(tx memory.Tx) error { return tx.UpdateEvent(one) }), memory.CodeNotFound)
}

func calendar(t *testing.T, e *env) {
	length := func(d time.Duration) func(*memory.CalendarEvent) {
		return func(one *memory.CalendarEvent) { one.EndsAt = one.StartsAt.Add(d) }
	}
	daily := func(last time.Time) func(*memory.CalendarEvent) {
		return func(one *memory.CalendarEvent) { one.Recurrence, one.LastStart = "FREQ=DAILY", last }
	}
	forgotten := func(one *memory.CalendarEvent) { one.LastStart = time.Time{} } // of one that does not recur
	from, to := day(10), day(20)
	for name, c := range map[string]struct {
		event memory.CalendarEvent
		want  bool
	}{
		"starts at from":             {e.planned("", from), true},
		"just before from":           {e.planned("", from.Add(-time.Microsecond)), false},
		"just before to":             {e.planned("", to.Add(-time.Microsecond)), true},
		"starts at to":               {e.planned("", to), false},
		"goes on at from":            {e.planned("", day(9), length(25*time.Hour)), true},
		"ended at from":              {e.planned("", day(9), length(24*time.Hour)), false},
		"goes on all the time":       {e.planned("", day(1), length(1000*time.Hour)), true},
		"recurs, last at from":       {e.planned("", day(1), daily(from)), true},
		"recurs, last before from":   {e.planned("", day(1), daily(day(9))), false},
		"recurs, last goes on":       {e.planned("", day(1), daily(day(9)), length(30*time.Hour)), true},
		"recurs without end":         {e.planned("", day(1), daily(time.Time{})), true},
		"recurs without end, later":  {e.planned("", day(21), daily(time.Time{})), false},
		"recurs from within":         {e.planned("", day(15), daily(day(30))), true},
		"last start was not noted":   {e.planned("", day(1), forgotten), false},
		"last start unnoted, within": {e.planned("", day(11), forgotten), true},
	} {
		c.event.Agent = name // a bank each
		e.plan(t, c.event)
		if got := e.between(t, name, from, to); len(got) > 0 != c.want {
			t.Errorf("%s: %s", name, asJSON(got))
		}
	}
	for i, at := range []int{15, 11, 13, 13} {
		e.plan(t, e.planned(fmt.Sprint(i), day(at)))
	}
	var got []string
	for _, one := range e.between(t, agent, from, to) {
		got = append(got, one.Title)
	}
	if want := []string{"1", "2", "3", "0"}; !slices.Equal(got, want) {
		t.Errorf("in order %q, want %q", got, want)
	}
	if got := e.between(t, agent, to, from); len(got) != 0 {
		t.Errorf("backwards: %s", asJSON(got))
	}
}

// calendarOfAny compares with a count of the occurrences of daily events.
func calendarOfAny(t *testing.T, e *env) {
	banks := 0
	rapid.Check(t, func(rt *rapid.T) {
		banks++
		who := fmt.Sprint("agent ", banks)
		from := rapid.IntRange(0, 10).Draw(rt, "from")
		to := from + rapid.IntRange(1, 5).Draw(rt, "days")
		var want []string
		for i := range rapid.IntRange(0, 8).Draw(rt, "events") {
			first, times := rapid.IntRange(-3, 12).Draw(rt, "first"), rapid.IntRange(1, 5).Draw(rt, "times")
			hours := rapid.IntRange(0, 60).Draw(rt, "hours")
			one := e.planned(fmt.Sprint(i), day(first), func(one *memory.CalendarEvent) { one.Agent = who })
			if hours > 0 {
				one.EndsAt = one.StartsAt.Add(time.Duration(hours) * time.Hour)
			}
			if times > 1 {
				one.Recurrence, one.LastStart = fmt.Sprint("FREQ=DAILY;COUNT=", times), day(first+times-1)
			}
			e.plan(t, one)
			for n := range times {
				start := day(first + n)
				inside := !start.Before(day(from)) || start.Add(time.Duration(hours)*time.Hour).After(day(from))
				if inside && start.Before(day(to)) {
					want = append(want, one.Title)
					break
				}
			}
		}
		var got []string
		for _, one := range e.between(t, who, day(from), day(to)) {
			got = append(got, one.Title)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			rt.Fatalf("got %q, want %q", got, want)
		}
	})
}

func plansStayInside(t *testing.T, e *env) {
	todo, one := e.todo("Ann's"), e.planned("Ann's", day(1))
	e.write(t, func(tx memory.Tx) error { return tx.InsertTodo(todo) })
	e.plan(t, one)
	for name, fn := range map[string]func(memory.Tx) error{
		"Todo":        func(tx memory.Tx) error { _, err := tx.Todo(todo.ID); return err },
		"UpdateTodo":  func(tx memory.Tx) error { return tx.UpdateTodo(todo) },
		"Event":       func(tx memory.Tx) error { _, err := tx.Event(one.ID); return err },
		"UpdateEvent": func(tx memory.Tx) error { return tx.UpdateEvent(one) },
	} {
		if err := e.Write(t.Context(), "bob", fn); memory.CodeOf(err) != memory.CodeNotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, fn := range map[string]func(memory.Tx) error{
		"InsertTodo":  func(tx memory.Tx) error { return tx.InsertTodo(e.todo("x")) },
		"InsertEvent": func(tx memory.Tx) error { return tx.InsertEvent(e.planned("x", day(1))) },
	} {
		if err := e.Write(t.Context(), "bob", fn); err == nil {
			t.Errorf("%s wrote into another bank", name)
		}
	}
	bobs, bobsEvent := todo, one // the same ids
	bobs.Agent, bobsEvent.Agent, bobs.Title, bobsEvent.Title = "bob", "bob", "Bob's", "Bob's"
	err := e.Write(t.Context(), "bob", func(tx memory.Tx) error {
		if err := tx.InsertTodo(bobs); err != nil {
			return err
		}
		bobs.CompletedAt = day(1)
		return tx.UpdateTodo(bobs)
	})
	if err != nil {
		t.Fatal(err)
	}
	e.plan(t, bobsEvent)
	for who, title := range map[string]string{agent: "Ann's", "bob": "Bob's"} {
		if got := e.todos(t, who, memory.TodoAll); len(got) != 1 || got[0].Title != title {
			t.Errorf("to-dos of %s: %+v", who, got)
		}
		if got := e.between(t, who, day(0), day(9)); len(got) != 1 || got[0].Title != title {
			t.Errorf("events of %s: %+v", who, got)
		}
	}
	if got := e.todos(t, agent, memory.TodoPending); len(got) != 1 {
		t.Errorf("bob completed what is ann's: %+v", got)
	}
}
