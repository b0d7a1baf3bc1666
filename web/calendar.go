package web

import (
	"cmp"
	"strconv"
	"time"

	"mcp-memory/memory"
	"mcp-memory/planning"
	"mcp-memory/web/html"
)

// calendar shows the month of the address's field month ("2006-01"), else the current one. A month
// with more events than one call of Planner.Calendar returns has several pages; field from is the
// start of the event with which the page begins.
func (v *visit) calendar(agent string) (_ html.Node, err error) {
	zone, now := v.site.o.Clock.Zone(), v.site.o.Clock.Here()
	first := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, zone)
	if given := v.field("month"); given != "" {
		t, err := time.ParseInLocation(month, given, zone)
		if err != nil {
			return nil, memory.Errorf(memory.CodeInvalidArgument, "%q is no month", memory.Shorten(given, 40)).
				WithHint("a month such as 2026-03")
		}
		first = t
	}
	next := first.AddDate(0, 1, 0)
	from := first
	if given := v.field("from"); given != "" {
		if from, err = time.Parse(time.RFC3339, given); err != nil || from.Before(first) || !from.Before(next) {
			return nil, memory.Errorf(memory.CodeInvalidArgument, "from is %q", memory.Shorten(given, 40)).WithHint("a moment of the month")
		}
	}
	events, more, err := v.site.o.Planning.Calendar(v.context(), agent, from, next, "")
	if err != nil {
		return nil, err
	}
	to := func(t time.Time, title string) html.Node {
		return html.A(html.Href(query("/plans", "month", t.Format(month))), title)
	}
	body := []any{html.Div(html.Class("month-head"), html.H2(first.Format("January 2006")),
		html.P(html.Class("over"), to(first.AddDate(0, -1, 0), "The month before"), to(now, "This month"), to(next, "The month after"))),
		v.grid(first, next, events), v.occurrences(events)}
	var parts html.List
	if from.After(first) {
		parts = append(parts, to(first, "From the first day on"))
	}
	if more {
		parts = append(parts,
			html.A(html.Href(query("/plans", "month", first.Format(month), "from", events[len(events)-1].Start.Format(time.RFC3339Nano))),
				"Later in this month"))
	}
	if len(parts) > 0 {
		body = append(body, html.El("nav", html.AriaLabel("Pages of this month"), html.Class("actions"), parts))
	}
	if v.writes() {
		body = append(body, v.eventForm(first))
	}
	return html.Section(body...), nil
}

// grid draws a month as rows of seven days, Monday first. Events link to the items of occurrences.
func (v *visit) grid(first, next time.Time, events []planning.Occurrence) html.Node {
	byDay := map[string]html.List{}
	for i, e := range events {
		at := v.site.o.Clock.In(e.Start)
		day := max(at.Format(time.DateOnly), first.Format(time.DateOnly)) // an event that began in an earlier month
		byDay[day] = append(byDay[day], html.A(html.Href("#e"+strconv.Itoa(i)), html.El("bdi", memory.Shorten(e.Title, 60))))
	}
	var cells html.List
	for i := range 7 {
		cells = append(cells, html.Li(html.Class("weekday"), html.Attr("aria-hidden", "true"), time.Weekday((i + 1) % 7).String()[:3]))
	}
	for range (int(first.Weekday()) + 6) % 7 {
		cells = append(cells, html.Li(html.Class("outside"), html.Attr("aria-hidden", "true")))
	}
	today := v.site.o.Clock.Day(v.site.o.Clock.Now())
	for day := first; day.Before(next); day = day.AddDate(0, 0, 1) {
		name := day.Format(time.DateOnly)
		parts := []any{html.El("time", html.Attr("datetime", name), html.AriaLabel(day.Format("Monday 2 January")), day.Day())}
		if name == today {
			parts = append(parts, html.Attr("aria-current", "date"))
		}
		for _, e := range byDay[name] {
			parts = append(parts, html.Div(e))
		}
		cells = append(cells, html.Li(parts...))
	}
	for range (8 - int(next.Weekday())) % 7 {
		cells = append(cells, html.Li(html.Class("outside"), html.Attr("aria-hidden", "true")))
	}
	return html.Ol(html.Class("month"), cells)
}

// occurrences lists the events of a month in order of their start. The ids e0, e1, … are the
// targets of the links of grid.
func (v *visit) occurrences(events []planning.Occurrence) html.Node {
	var items html.List
	for i, e := range events {
		facts := html.List{html.Li(v.when(e.Start))}
		if !e.End.IsZero() {
			facts = append(facts, html.Li("until ", v.when(e.End)))
		}
		if e.Location != "" {
			facts = append(facts, html.Li(html.El("bdi", e.Location)))
		}
		if e.Recurrence != "" {
			facts = append(facts, html.Li("again and again: ", html.El("bdi", memory.Shorten(e.Recurrence, 120))))
		}
		parts := []any{html.ID("e" + strconv.Itoa(i)), html.P(html.Strong(html.Attr("dir", "auto"), e.Title)),
			html.Ul(html.Class("facts"), facts)}
		if e.Description != "" {
			parts = append(parts, text(memory.Shorten(e.Description, 1000)))
		}
		if v.writes() {
			parts = append(parts, html.Div(html.Class("actions"), v.editEvent(e), v.removeEvent(e)))
		}
		items = append(items, html.Li(parts...))
	}
	if len(items) == 0 {
		return html.P(html.Class("empty"), "Nothing takes place in this month.")
	}
	return html.Ol(html.Class("entries"), items)
}

func (v *visit) removeEvent(e planning.Occurrence) html.Node {
	to := "/plans/event/" + e.ID + "/remove"
	back := hidden("back", v.address())
	forms := []any{html.Summary("Remove")}
	if e.Recurrence != "" {
		forms = append(forms, v.form(to, html.Class("inline"), back, hidden("start", e.Start.UTC().Format(time.RFC3339Nano)),
			html.Button("Only this one")))
	}
	return html.Details(append(forms,
		v.form(to, html.Class("inline"), back,
			html.Button(html.Class("danger"), html.If(e.Recurrence == "", html.Text("Remove it")),
				html.If(e.Recurrence != "", html.Text("All of them")))))...)
}

func (v *visit) eventForm(first time.Time) html.Node {
	return html.Details(html.Summary("Add an event"),
		v.form("/plans/event", html.Class("stack"), html.Data("keep", "1"), hidden("back", v.address()),
			html.Label("What", html.Input(html.Name("title"), html.Flag("required", true), html.Attr("dir", "auto"))),
			html.Div(html.Class("fields"),
				html.Label("On", html.Input(html.Type("date"), html.Name("day"), html.Value(first.Format(time.DateOnly)),
					html.Flag("required", true))),
				html.Label("from", html.Input(html.Type("time"), html.Name("hour"), html.Flag("required", true))),
				html.Label("until", html.Input(html.Type("time"), html.Name("until"))),
				html.Label("How often", howOften(""))),
			html.Label("Where", html.Input(html.Name("location"), html.Attr("dir", "auto"))),
			html.Label("More about it", html.Textarea(html.Name("description"), html.Attr("rows", "2"), html.Attr("dir", "auto"))),
			html.Div(html.Button("Add"))))
}

// addEvent adds an event to the calendar.
func (s *Site) addEvent(v *visit) (answer, error) {
	scope, err := v.scope()
	if err != nil {
		return nil, err
	}
	zone := s.o.Clock.Zone()
	r := planning.EventRequest{Title: v.field("title"), Location: v.field("location"), Description: v.field("description"),
		Recurrence: v.field("recurrence"), TimeZone: zone.String()}
	if r.TimeZone == "Local" { // not an IANA name, so it cannot be stored with the event
		r.TimeZone = time.UTC.String()
	}
	if r.StartsAt, err = v.at(v.field("day"), cmp.Or(v.field("hour"), "00:00"), zone); err != nil {
		return nil, err
	}
	if until := v.field("until"); until != "" {
		if r.EndsAt, err = v.at(v.field("day"), until, zone); err != nil {
			return nil, err
		}
		if r.EndsAt.Before(r.StartsAt) { // past midnight
			r.EndsAt = r.EndsAt.AddDate(0, 0, 1)
		}
	}
	if _, err := s.o.Planning.AddEvent(v.context(), scope.Agent, r); err != nil {
		return nil, err
	}
	return v.done(query("/plans", "month", r.StartsAt.Format(month)), "Added.", "")
}
