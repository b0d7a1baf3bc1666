package web

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"mcp-memory/memory"
	"mcp-memory/planning"
	"mcp-memory/web/html"
)

// Planner keeps to-dos and the calendar; package planning's service implements it.
type Planner interface {
	// Todos is documented at [planning.Service.Todos].
	Todos(ctx context.Context, agent string, f memory.TodoFilter, limit int) ([]memory.Todo, int, error)
	// TodosByID is documented at [planning.Service.TodosByID].
	TodosByID(ctx context.Context, agent string, ids []string) ([]memory.Todo, error)
	// AddTodo is documented at [planning.Service.AddTodo].
	AddTodo(ctx context.Context, scope memory.Scope, r planning.TodoRequest) (memory.Todo, error)
	// ChangeTodo is documented at [planning.Service.ChangeTodo].
	ChangeTodo(ctx context.Context, agent, id string, change func(*memory.Todo) error) (memory.Todo, error)
	// Calendar is documented at [planning.Service.Calendar].
	Calendar(ctx context.Context, agent string, from, to time.Time, query string) ([]planning.Occurrence, bool, error)
	// AddEvent is documented at [planning.Service.AddEvent].
	AddEvent(ctx context.Context, agent string, r planning.EventRequest) (memory.CalendarEvent, error)
	// RemoveEvent is documented at [planning.Service.RemoveEvent].
	RemoveEvent(ctx context.Context, agent, id string, start time.Time) (planning.Removed, planning.EventChange, error)
	// ChangeEvent is documented at [planning.Service.ChangeEvent].
	ChangeEvent(ctx context.Context, agent, id string, start time.Time, r planning.EventRequest,
		check func(memory.CalendarEvent) error) (planning.EventChange, error)
	// TakeBackEvent is documented at [planning.Service.TakeBackEvent].
	TakeBackEvent(ctx context.Context, agent string, c planning.EventChange) error
}

const (
	// todosPage is how many open to-dos a page has, most urgent first, and donePage how many done
	// ones. Of either, no more than mostTodos can be reached.
	todosPage = 100
	donePage  = 20
	mostTodos = 10_000
	// month is the layout of a month in an address, for [time.Parse].
	month = "2006-01"
)

// plans shows to-dos, open and done, and a month of the calendar.
func (s *Site) plans(v *visit) (answer, error) {
	scope, err := v.scope()
	if err != nil {
		return nil, err
	}
	open, total, err := s.o.Planning.Todos(v.context(), scope.Agent,
		memory.TodoFilter{Status: memory.TodoPending, Projects: scope.Readable()}, mostTodos)
	if err != nil {
		return nil, err
	}
	done, _, err := s.o.Planning.Todos(v.context(), scope.Agent,
		memory.TodoFilter{Status: memory.TodoCompleted, Projects: scope.Readable()}, mostTodos)
	if err != nil {
		return nil, err
	}
	calendar, err := v.calendar(scope.Agent)
	if err != nil {
		return nil, err
	}
	byID := func(t memory.Todo) string { return t.ID }
	openAt, doneAt := v.pager("open"), v.pager("done")
	open, nextOpen := pageOf(open, byID, openAt.before, todosPage)
	done, nextDone := pageOf(done, byID, doneAt.before, donePage)
	var items html.List
	for _, t := range open {
		items = append(items, v.todo(t))
	}
	todos := []any{html.H2("To do ", html.Small(html.Class("hint"), strconv.Itoa(total)))}
	if len(items) == 0 {
		todos = append(todos, html.P(html.Class("empty"), "Nothing is to be done."))
	}
	todos = append(todos, html.Ul(html.Class("rows"), items), openAt.links("open", "/plans", nextOpen, "month", v.field("month")))
	if v.writes() {
		own, err := v.own()
		if err != nil {
			return nil, err
		}
		todos = append(todos, html.Details(html.Summary("Add a to-do"),
			v.form("/plans/todo", html.Class("stack"), html.Data("keep", "1"),
				v.todoFields(memory.Todo{Project: own.Project, Priority: memory.PriorityNormal}), html.Div(html.Button("Add")))))
	}
	if len(done) > 0 {
		var ended html.List
		for _, t := range done {
			ended = append(ended, html.Li(v.doneTodo(t)))
		}
		todos = append(todos, html.Details(html.Flag("open", doneAt.before != ""), html.Summary("Done lately"),
			html.Ul(html.Class("entries"), ended), doneAt.links("done", "/plans", nextDone, "month", v.field("month"))))
	}
	return page{title: "Plans", body: html.Div(html.ID("plans"), html.Class("halves"), html.Data("refresh", "plans"),
		html.Section(todos...), calendar)}, nil
}

// todo is the row of an open to-do: a button that ticks it, its text, when it is due, a form to
// edit it.
func (v *visit) todo(t memory.Todo) html.Node {
	var glance html.List
	if t.Priority == memory.PriorityUrgent || t.Priority == memory.PriorityHigh {
		glance = append(glance, html.Span(html.Class("badge warning"), string(t.Priority)))
	}
	if t.Project != "" {
		glance = append(glance, html.Span(html.Class("in"), html.El("bdi", t.Project)))
	}
	if !t.DueAt.IsZero() {
		glance = append(glance, v.dueWhen(t))
	}
	said := html.List{html.P(html.Class("text"), html.Attr("dir", "auto"), t.Title)}
	if t.Description != "" {
		said = append(said, html.P(html.Class("hint"), html.Attr("dir", "auto"), memory.Shorten(t.Description, 1000)))
	}
	tick, edit := html.Node(html.Span(html.Class("mark"), icon("Plans"))), html.Node(nil)
	if v.writes() {
		tick = v.form("/plans/todo/"+t.ID+"/tick", html.Class("tick"), hidden("done", "1"),
			html.Button(html.Data("key", "d"), html.AriaLabel("Done: "+memory.Shorten(t.Title, 80))))
		edit = html.Details(html.Class("under edit"), html.Summary(html.AriaLabel("Edit: "+memory.Shorten(t.Title, 80)), icon("edit")),
			v.form("/plans/todo/"+t.ID, html.Class("stack"), html.Data("keep", "1"), hidden("version", todoVersion(t)), v.todoFields(t),
				html.Div(html.Button("Save"))))
	}
	return html.Li(html.Data("item", t.ID), line(tick, said, glance, edit))
}

func (v *visit) doneTodo(t memory.Todo) html.Node {
	parts := html.List{html.P(html.Attr("dir", "auto"), t.Title, " ", html.Small(html.Class("hint"), v.when(t.CompletedAt)))}
	if v.writes() {
		parts = append(parts, v.form("/plans/todo/"+t.ID+"/tick", html.Class("inline"),
			html.Button(html.AriaLabel("Not done: "+memory.Shorten(t.Title, 80)), "Not done after all")))
	}
	return parts
}

// todoFields are the form fields of a to-do.
func (v *visit) todoFields(t memory.Todo) html.Node {
	day, hour := "", ""
	if !t.DueAt.IsZero() {
		due := v.site.o.Clock.In(t.DueAt)
		if day = due.Format(time.DateOnly); !memory.DateOnly(t.DueAt) {
			hour = due.Format("15:04")
		}
	}
	var options html.List
	for _, p := range memory.Priorities() {
		options = append(options, html.Option(html.Value(string(p)), html.Flag("selected", p == t.Priority), string(p)))
	}
	return html.List{
		html.Label("What", html.Input(html.Name("title"), html.Value(t.Title), html.Flag("required", true), html.Attr("dir", "auto"))),
		html.Label("More about it",
			html.Textarea(html.Name("description"), html.Attr("rows", "2"), html.Attr("dir", "auto"), t.Description)),
		html.Div(html.Class("fields"),
			html.Label("Priority", html.Select(html.Name("priority"), options)),
			html.Label("Project (empty: all)", html.Input(html.Name("project"), html.Value(t.Project), html.Attr("dir", "auto"))),
			html.Label("Due on", html.Input(html.Type("date"), html.Name("day"), html.Value(day))),
			html.Label("at", html.Input(html.Type("time"), html.Name("hour"), html.Value(hour)))),
	}
}

// todoVersion returns a digest of the fields of a to-do that can change. A form carries it, so that
// a change made meanwhile is noticed.
func todoVersion(t memory.Todo) string {
	return digest(t.Project, t.Title, t.Description, t.Priority, t.DueAt, t.CompletedAt)
}

// due reads the fields day and hour, the zero time if both are empty. A day without an hour is
// stored as a date (midnight UTC, see [memory.DateOnly]), which is the same day in every time zone.
func (v *visit) due() (time.Time, error) {
	day, hour := v.field("day"), v.field("hour")
	switch {
	case day == "" && hour == "":
		return time.Time{}, nil
	case day == "":
		return time.Time{}, memory.Errorf(memory.CodeInvalidArgument, "an hour needs a day")
	case hour == "":
		return v.at(day, "", time.UTC)
	}
	return v.at(day, hour, v.site.o.Clock.Zone())
}

// at parses a day (2006-01-02) and an hour (15:04), which may be "", in a time zone.
func (v *visit) at(day, hour string, zone *time.Location) (time.Time, error) {
	layout, given := time.DateOnly, day
	if hour != "" {
		layout, given = time.DateOnly+" 15:04", day+" "+hour
	}
	t, err := time.ParseInLocation(layout, given, zone)
	if err != nil {
		return t, memory.Errorf(memory.CodeInvalidArgument, "%q is no day and hour", memory.Shorten(given, 40)).
			WithHint("such as 2026-03-01 and 16:30")
	}
	return t, nil
}

// addTodo adds a to-do.
func (s *Site) addTodo(v *visit) (answer, error) {
	scope, err := v.scopeOf(v.field("project"))
	if err != nil {
		return nil, err
	}
	due, err := v.due()
	if err != nil {
		return nil, err
	}
	_, err = s.o.Planning.AddTodo(v.context(), scope, planning.TodoRequest{
		Title: v.field("title"), Description: v.field("description"), Priority: memory.Priority(v.field("priority")), DueAt: due,
	})
	if err != nil {
		return nil, err
	}
	return v.done(Root+"/plans", "Added.", "")
}

// changeTodo changes a to-do, unless it was changed since the form was made.
func (s *Site) changeTodo(v *visit) (answer, error) {
	due, err := v.due()
	if err != nil {
		return nil, err
	}
	scope, err := v.scopeOf(v.field("project"))
	if err == nil {
		err = scope.CheckWritable()
	}
	if err != nil {
		return nil, err
	}
	typed := memory.Todo{ID: v.r.PathValue("id"), Project: scope.Project, Title: v.field("title"), Description: v.field("description"),
		Priority: memory.Priority(v.field("priority")), DueAt: due}
	var now memory.Todo
	a, err := v.changed("Saved.", func(t *memory.Todo) error {
		if now = *t; todoVersion(*t) != v.field("version") {
			return errChanged
		}
		t.Project, t.Title, t.Description, t.Priority, t.DueAt = typed.Project, typed.Title, typed.Description, typed.Priority, typed.DueAt
		return nil
	})
	if memory.CodeOf(err) == memory.CodeConflict {
		return page{status: http.StatusConflict, title: "Changed meanwhile", body: html.List{
			html.P(html.Class("warning"), html.Attr("role", "alert"),
				"Somebody changed it while you looked at it. Nothing was overwritten. It says now:"),
			html.Ul(html.Class("rows"), v.todo(now)),
			html.H2("What you typed"),
			v.form("/plans/todo/"+typed.ID, html.Class("stack"), html.Data("keep", "1"), hidden("version", todoVersion(now)),
				v.todoFields(typed), html.Div(html.Button("Save"))),
		}}, nil
	}
	return a, err
}

// tick marks a to-do as done, or as open again if the field done is empty.
func (s *Site) tick(v *visit) (answer, error) {
	if v.field("done") == "" {
		return v.changed("It is to be done again.", func(t *memory.Todo) error {
			t.CompletedAt = time.Time{}
			return nil
		})
	}
	return v.changed("Done. It is below, among what was done lately.", func(t *memory.Todo) error {
		if t.CompletedAt.IsZero() {
			t.CompletedAt = s.o.Clock.Now()
		}
		return nil
	})
}

func (v *visit) changed(said string, change func(*memory.Todo) error) (answer, error) {
	scope, err := v.scope()
	if err != nil {
		return nil, err
	}
	if _, err := v.site.o.Planning.ChangeTodo(v.context(), scope.Agent, v.r.PathValue("id"), change); err != nil {
		return nil, err
	}
	return v.done(Root+"/plans", said, "")
}
