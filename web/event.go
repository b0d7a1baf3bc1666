package web

import (
	"cmp"
	"crypto/rand"
	"net/http"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/planning"
	"mcp-memory/web/html"
)

// rules are the recurrence rules (RFC 5545) that the form of an event offers.
var rules = []struct{ rule, title string }{{"", "once"}, {"FREQ=DAILY", "every day"}, {"FREQ=WEEKLY", "every week"},
	{"FREQ=MONTHLY", "every month"}, {"FREQ=YEARLY", "every year"}}

// howOften is the choice of a recurrence rule. A rule that is not among rules is offered too, so
// that saving the form keeps it.
func howOften(rule string) html.Node {
	var options html.List
	found := false
	for _, r := range rules {
		found = found || r.rule == rule
		options = append(options, html.Option(html.Value(r.rule), html.Flag("selected", r.rule == rule), r.title))
	}
	if !found {
		options = append(options, html.Option(html.Value(rule), html.Flag("selected", true), memory.Shorten(rule, 80)))
	}
	return html.Select(html.Name("recurrence"), options)
}

// eventVersion returns a digest of the fields of an event that can be edited. A form carries it, so
// that a change made meanwhile is noticed.
func eventVersion(e memory.CalendarEvent) string {
	return digest(e.Title, e.StartsAt, e.EndsAt, e.TimeZone, e.Location, e.Description, e.Recurrence, e.Except)
}

// editEvent is the form that changes an event, or one occurrence of it. The fields show the times
// of the occurrence e.
func (v *visit) editEvent(e planning.Occurrence) html.Node {
	clock := v.site.o.Clock
	start, endDay, until := clock.In(e.Start), "", ""
	if !e.End.IsZero() {
		endDay, until = clock.In(e.End).Format(time.DateOnly), clock.In(e.End).Format("15:04")
	}
	fields := []any{html.Class("stack"), html.Data("keep", "1"), hidden("back", v.address()),
		hidden("version", eventVersion(e.CalendarEvent)),
		hidden("start", e.Start.UTC().Format(time.RFC3339Nano)),
		hidden("first", e.StartsAt.UTC().Format(time.RFC3339Nano)), hidden("zone", e.TimeZone),
		html.Label("What", html.Input(html.Name("title"), html.Value(e.Title), html.Flag("required", true), html.Attr("dir", "auto"))),
		html.Div(html.Class("fields"),
			html.Label("On", html.Input(html.Type("date"), html.Name("day"), html.Value(start.Format(time.DateOnly)),
				html.Flag("required", true))),
			html.Label("from", html.Input(html.Type("time"), html.Name("hour"), html.Value(start.Format("15:04")),
				html.Flag("required", true))),
			html.Label("until", html.Input(html.Type("time"), html.Name("until"), html.Value(until))),
			html.Label("of", html.Input(html.Type("date"), html.Name("end_day"), html.Value(endDay)))),
		html.Label("Where", html.Input(html.Name("location"), html.Value(e.Location), html.Attr("dir", "auto"))),
		html.Label("More about it",
			html.Textarea(html.Name("description"), html.Attr("rows", "2"), html.Attr("dir", "auto"), e.Description)),
		html.Label("How often", howOften(e.Recurrence))}
	buttons := html.Div(html.Button("Save"))
	if e.Recurrence != "" {
		buttons = html.Div(html.Class("actions"), html.Button(html.Name("which"), html.Value("one"), "Save this one only"),
			html.Button(html.Name("which"), html.Value("all"), "Save all of them"))
	}
	return html.Details(html.Summary("Edit"), v.form("/plans/event/"+e.ID, append(fields, buttons)...))
}

// hiddenTime reads a hidden field that holds an RFC 3339 time.
func (v *visit) hiddenTime(name string) (time.Time, error) {
	given := v.field(name)
	t, err := time.Parse(time.RFC3339, given)
	if err != nil {
		return t, memory.Errorf(memory.CodeInvalidArgument, "%q is no time", memory.Shorten(given, 40))
	}
	return t, nil
}

// typedEvent reads the fields of editEvent. Its times are those of the occurrence that was edited,
// not of the event's first occurrence.
func (v *visit) typedEvent() (r planning.EventRequest, err error) {
	zone := v.site.o.Clock.Zone()
	r = planning.EventRequest{Title: v.field("title"), Location: v.field("location"), Description: v.field("description"),
		TimeZone: v.field("zone")}
	if r.StartsAt, err = v.at(v.field("day"), cmp.Or(v.field("hour"), "00:00"), zone); err != nil || v.field("until") == "" {
		return r, err
	}
	if r.EndsAt, err = v.at(cmp.Or(v.field("end_day"), v.field("day")), v.field("until"), zone); err == nil && v.field("end_day") == "" &&
		r.EndsAt.Before(r.StartsAt) {
		r.EndsAt = r.EndsAt.AddDate(0, 0, 1) // past midnight
	}
	return r, err
}

// changeEvent changes an event, or only one of its occurrences, unless it was changed since the
// form was made.
func (s *Site) changeEvent(v *visit) (answer, error) {
	scope, err := v.scope()
	if err != nil {
		return nil, err
	}
	r, err := v.typedEvent()
	if err != nil {
		return nil, err
	}
	start, err := v.hiddenTime("start")
	if err != nil {
		return nil, err
	}
	said := "Saved for this one; the others stay as they were."
	if v.field("which") != "one" {
		first, err := v.hiddenTime("first")
		if err != nil {
			return nil, err
		}
		if by := first.Sub(start); by != 0 { // a later occurrence was edited: move the first by as much
			r.StartsAt = r.StartsAt.Add(by)
			if !r.EndsAt.IsZero() {
				r.EndsAt = r.EndsAt.Add(by)
			}
		}
		r.Recurrence, start, said = v.field("recurrence"), time.Time{}, "Saved."
	}
	change, err := s.o.Planning.ChangeEvent(v.context(), scope.Agent, v.r.PathValue("id"), start, r, func(e memory.CalendarEvent) error {
		if eventVersion(e) != v.field("version") {
			return errChanged
		}
		return nil
	})
	if memory.CodeOf(err) == memory.CodeConflict {
		return v.eventConflict(), nil
	}
	if err != nil {
		return nil, err
	}
	return v.done(v.back(Root+"/plans"), said, v.session.keepEvent(change))
}

// eventConflict shows what was typed, if somebody else has changed the event meanwhile.
func (v *visit) eventConflict() page {
	var typed html.List
	for _, f := range []struct{ title, name string }{{"What", "title"}, {"On", "day"}, {"from", "hour"}, {"until", "until"},
		{"Where", "location"}, {"More about it", "description"}} {
		if said := v.field(f.name); said != "" {
			typed = append(typed, html.Dt(f.title), html.Dd(html.Attr("dir", "auto"), said))
		}
	}
	return page{status: http.StatusConflict, title: "Changed meanwhile", body: html.List{
		html.P(html.Class("warning"), html.Attr("role", "alert"), "Somebody changed it while you looked at it. Nothing was overwritten."),
		html.P(html.A(html.Href(v.back(Root+"/plans")), "See what it says now")), html.H2("What you typed"), html.Dl(typed)}}
}

// dropEvent removes an event from the calendar, or only the occurrence of the field start.
func (s *Site) dropEvent(v *visit) (answer, error) {
	scope, err := v.scope()
	if err != nil {
		return nil, err
	}
	var start time.Time
	if v.field("start") != "" {
		if start, err = v.hiddenTime("start"); err != nil {
			return nil, err
		}
	}
	removed, change, err := s.o.Planning.RemoveEvent(v.context(), scope.Agent, v.r.PathValue("id"), start)
	if err != nil {
		return nil, err
	}
	said := "Removed."
	if removed == planning.RemovedOccurrence {
		said = "This one was removed; the others take place."
	}
	return v.done(v.back(Root+"/plans"), said, v.session.keepEvent(change))
}

const (
	// eventUndo is the prefix of the undo ids of changes to events. A session keeps the last
	// maxEventUndos of them.
	eventUndo     = "event:"
	maxEventUndos = 20
)

// eventDone is a change to an event that this session can undo.
type eventDone struct {
	id     string
	change planning.EventChange
}

// keepEvent stores a change to an event so that this session can undo it, and returns the undo id.
func (s *session) keepEvent(c planning.EventChange) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := eventUndo + rand.Text()
	s.events = append(s.events, eventDone{id, c})
	s.events = s.events[max(0, len(s.events)-maxEventUndos):]
	return id
}

// event returns the change that keepEvent stored under an id.
func (s *session) event(id string) (planning.EventChange, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.events {
		if one.id == id {
			return one.change, true
		}
	}
	return planning.EventChange{}, false
}

// undoEvent undoes a change to an event that was made in this session.
func (v *visit) undoEvent(agent string) (answer, error) {
	if !v.open(access.WholeBank) {
		return nil, memory.Errorf(memory.CodeForbidden, "this token is restricted to projects")
	}
	change, known := v.session.event(v.field("id"))
	if !known {
		return nil, memory.Errorf(memory.CodeNotFound, "what was done to the event is not known any more").
			WithHint("edit it, or add it again")
	}
	if err := v.site.o.Planning.TakeBackEvent(v.context(), agent, change); err != nil {
		return nil, err
	}
	return v.done(v.back(Root+"/plans"), "Taken back: the event is as it was.", "")
}
