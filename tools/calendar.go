package tools

import (
	"context"
	"fmt"
	"time"

	"mcp-memory/memory"
	"mcp-memory/planning"
)

var (
	addEventSpec = Spec{
		Name: "add_to_calendar", Title: "Add to the calendar", Group: Calendar, Effect: Add,
		Description: "Schedule an event with a time, once or again and again: a meeting, a vote, a deadline, a routine. Nothing reminds you: look with check_calendar.",
	}
	checkCalendarSpec = Spec{
		Name: "check_calendar", Title: "Check the calendar", Group: Calendar, Effect: Read,
		Description: "Show what is planned between two times, the next seven days unless you say otherwise. Recurring events are listed once for each time that they take place.",
	}
	removeEventSpec = Spec{
		Name: "remove_from_calendar", Title: "Remove from the calendar", Group: Calendar, Effect: Destroy,
		Description: "Cancel an event, or a single occurrence of a recurring one.",
	}
)

type addEventInput struct {
	Title       string    `json:"title" desc:"What it is." required:"true"`
	StartsAt    time.Time `json:"starts_at" desc:"When it begins; without an offset it is UTC, whatever time_zone says." required:"true"`
	EndsAt      time.Time `json:"ends_at,omitzero" desc:"When it ends."`
	TimeZone    string    `json:"time_zone,omitempty" desc:"IANA name such as Europe/Berlin: recurring events keep their local time in it. Default UTC."`
	Location    string    `json:"location,omitempty" desc:"Where."`
	Description string    `json:"description,omitempty" desc:"Details."`
	Recurrence  string    `json:"recurrence,omitempty" desc:"RFC 5545 RRULE such as FREQ=WEEKLY;BYDAY=MO;COUNT=10. At most hourly."`
}

// eventOutput is one occurrence of an event.
type eventOutput struct {
	ID          string    `json:"id"`
	Title       string    `json:"title"`
	StartsAt    time.Time `json:"starts_at"`
	EndsAt      time.Time `json:"ends_at,omitzero"`
	TimeZone    string    `json:"time_zone"`
	Location    string    `json:"location,omitempty"`
	Description string    `json:"description,omitempty"`
	Recurring   bool      `json:"recurring"`
	Recurrence  string    `json:"recurrence,omitempty"`
}

func eventOutputOf(o planning.Occurrence) eventOutput {
	return eventOutput{
		ID: o.ID, Title: o.Title, StartsAt: o.Start, EndsAt: o.End, TimeZone: o.TimeZone, Location: o.Location,
		Description: o.Description, Recurring: o.Recurrence != "", Recurrence: o.Recurrence,
	}
}

type addEventOutput struct {
	Action string `json:"action" enum:"created"`
	eventOutput
}

func (s Services) addEvent(ctx context.Context, scope memory.Scope, in addEventInput) (*addEventOutput, string, error) {
	e, err := s.Planning.AddEvent(ctx, scope.Agent, planning.EventRequest(in))
	if err != nil {
		return nil, "", err
	}
	first := planning.Occurrence{CalendarEvent: e, Start: e.StartsAt, End: e.EndsAt}
	return &addEventOutput{"created", eventOutputOf(first)},
		fmt.Sprintf("Put %s into the calendar for %s UTC%s.", e.ID, minute(e.StartsAt), localTime(e.StartsAt, e.TimeZone)), nil
}

// localTime returns " (15:04 in zone)" for t in an IANA time zone, so that a user who gave the hour
// in that zone can check it. It returns "" for UTC and for an unknown zone.
func localTime(t time.Time, zone string) string {
	location, err := time.LoadLocation(zone)
	if err != nil || zone == time.UTC.String() {
		return ""
	}
	return fmt.Sprintf(" (%s in %s)", t.In(location).Format("15:04"), zone)
}

type checkCalendarInput struct {
	From  time.Time `json:"from,omitzero" desc:"Beginning, included; default: now."`
	To    time.Time `json:"to,omitzero" desc:"End, excluded; default: seven days after from."`
	Query string    `json:"query,omitempty" desc:"Only events that mention all of these words."`
}

type checkCalendarOutput struct {
	Items     []eventOutput `json:"items"`
	Total     int           `json:"total"`
	Truncated bool          `json:"truncated"`
}

// maxEventRows is how many events the text form shows, because hosts cut long texts off. The
// structured result has all of them.
const maxEventRows = 100

func (s Services) checkCalendar(ctx context.Context, scope memory.Scope, in checkCalendarInput) (*checkCalendarOutput, string, error) {
	found, more, err := s.Planning.Calendar(ctx, scope.Agent, in.From, in.To, in.Query)
	if err != nil {
		return nil, "", err
	}
	out := checkCalendarOutput{Total: len(found), Truncated: more}
	rows := [][]string{{"STARTS (UTC)", "ENDS (UTC)", "ID", "TITLE"}}
	for i, o := range found {
		if out.Items = append(out.Items, eventOutputOf(o)); i >= maxEventRows {
			continue
		}
		title := memory.OneLine(o.Title, 80)
		if o.Location != "" {
			title += " @ " + memory.OneLine(o.Location, 40)
		}
		rows = append(rows, []string{minute(o.Start), minute(o.End), o.ID, title})
	}
	text := listing(rows, len(found), "event")
	if more || len(found) > maxEventRows {
		text += "\nThere are more: ask for a shorter time."
	}
	return &out, text, nil
}

type removeEventInput struct {
	ID         string    `json:"id" desc:"Id of the event." required:"true"`
	Occurrence time.Time `json:"occurrence,omitzero" desc:"The starts_at of the one occurrence to cancel; without it the whole event goes."`
}

type removeEventOutput struct {
	ID      string           `json:"id"`
	Removed planning.Removed `json:"removed" enum:"event,occurrence"`
}

func (s Services) removeEvent(ctx context.Context, scope memory.Scope, in removeEventInput) (*removeEventOutput, string, error) {
	removed, _, err := s.Planning.RemoveEvent(ctx, scope.Agent, in.ID, in.Occurrence)
	if err != nil {
		return nil, "", err
	}
	return &removeEventOutput{in.ID, removed}, "Removed the " + string(removed) + ".", nil
}
