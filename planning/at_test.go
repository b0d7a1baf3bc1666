package planning_test

import (
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/planning"
	"mcp-memory/text/analysis"
)

// TestAt: a day that a to-do is due on is that day where the user is, what was done counts
// for when it was, and without a time all that is open.
func TestAt(t *testing.T) {
	d := newDesk(t)
	west := time.FixedZone("", -5*3600)
	clock := func() time.Time { return d.now.In(west) }
	d.Service = planning.New(planning.Options{Store: d.store, Clock: clock, IDs: memory.NewIDs(clock)})
	today := time.Date(d.now.In(west).Year(), d.now.In(west).Month(), d.now.In(west).Day(), 0, 0, 0, 0, west)
	date := func(days int) time.Time {
		y, m, day := today.AddDate(0, 0, days).Date()
		return time.Date(y, m, day, 0, 0, 0, 0, time.UTC)
	}
	d.todo(t, planning.TodoRequest{Title: "today", DueAt: date(0)})
	d.todo(t, planning.TodoRequest{Title: "tomorrow", DueAt: date(1)})
	d.todo(t, planning.TodoRequest{Title: "some day"})
	done := d.todo(t, planning.TodoRequest{Title: "done", DueAt: date(5)})
	if _, err := d.CompleteTodo(t.Context(), agent, done.ID); err != nil {
		t.Fatal(err)
	}
	for days, want := range map[int]string{0: "today, done", 1: "tomorrow", 5: "", -1: ""} {
		from := today.AddDate(0, 0, days)
		if got := titles(t, d, from, from.AddDate(0, 0, 1)); got != want {
			t.Errorf("in %d days: %q, want %q", days, got, want)
		}
	}
	if got := titles(t, d, time.Time{}, time.Time{}); got != "today, tomorrow, some day" {
		t.Errorf("open: %q", got)
	}
}

func titles(t *testing.T, d *desk, from, to time.Time) string {
	t.Helper()
	planned, more, err := d.At(t.Context(), memory.Scope{Agent: agent}, from, to)
	if err != nil || more > 0 {
		t.Fatal(more, err)
	}
	var all []string
	for _, p := range planned {
		all = append(all, p.Title)
	}
	return strings.Join(all, ", ")
}

// TestAbout: what is planned is found by what it is about, what is done or over is not.
func TestAbout(t *testing.T) {
	d := newDesk(t)
	soon := d.now.Add(48 * time.Hour)
	d.todo(t, planning.TodoRequest{Title: "Call the dentist about the crown"})
	d.todo(t, planning.TodoRequest{Title: "Tax return", DueAt: soon.AddDate(0, 1, 0)})
	done := d.todo(t, planning.TodoRequest{Title: "Book the dentist"})
	if _, err := d.CompleteTodo(t.Context(), agent, done.ID); err != nil {
		t.Fatal(err)
	}
	for title, at := range map[string]time.Time{"Dentist": soon, "Train to Vienna": soon.AddDate(0, 0, 1), "Opera in Vienna": soon.AddDate(2, 0, 0)} {
		if _, err := d.AddEvent(t.Context(), agent, planning.EventRequest{Title: title, StartsAt: at}); err != nil {
			t.Fatal(err)
		}
	}
	for question, want := range map[string]string{
		"dentist": "Dentist, Call the dentist about the crown", "tax return": "Tax return", "train Vienna leave": "Train to Vienna",
		"leave the house": "", "Vienna": "Train to Vienna", "return": "Tax return", "train Graz": "",
	} {
		planned, more, err := d.About(t.Context(), memory.Scope{Agent: agent}, analysis.Content(question))
		if err != nil || more > 0 {
			t.Fatal(more, err)
		}
		var all []string
		for _, p := range planned {
			all = append(all, p.Title)
		}
		if got := strings.Join(all, ", "); got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}
