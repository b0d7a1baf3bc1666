package web_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/planning"
)

func (w *world) plan(agent, title string) string {
	w.t.Helper()
	t, err := w.planning.AddTodo(w.t.Context(), memory.Scope{Agent: agent}, planning.TodoRequest{Title: title})
	if err != nil {
		w.t.Fatal(err)
	}
	return t.ID
}

// TestEditEvents: an event is changed as a whole or at one time, removed, and all of it taken back; who comes
// second overwrites nothing.
func TestEditEvents(t *testing.T) {
	w := newWorld(t, false)
	event, err := w.planning.AddEvent(t.Context(), "default", planning.EventRequest{
		Title: "Choir", StartsAt: time.Date(2026, 3, 3, 18, 0, 0, 0, time.UTC),
		EndsAt: time.Date(2026, 3, 3, 19, 30, 0, 0, time.UTC), Recurrence: "FREQ=WEEKLY", Location: "church",
	})
	if err != nil {
		t.Fatal(err)
	}
	b := w.entered()
	const address = "/ui/plans?month=2026-03"
	to := "/ui/plans/event/" + event.ID
	march := func() (all []string) {
		got, _, err := w.planning.Calendar(t.Context(), "default", time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC),
			time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC), "")
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range got {
			all = append(all, o.Title+o.Start.Format(" 2 15:04")+o.End.Format("-15:04"))
		}
		return all
	}
	expect := func(step string, want ...string) {
		t.Helper()
		if got := march(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", step, got, want)
		}
	}
	before := []string{"Choir 3 18:00-19:30", "Choir 10 18:00-19:30", "Choir 17 18:00-19:30", "Choir 24 18:00-19:30",
		"Choir 31 18:00-19:30"}
	expect("at first", before...)
	page := b.get(address) // its first form is that of the first time
	one := b.submit(page, to, url.Values{"title": {"Concert"}, "hour": {"20:00"}, "until": {"22:00"}, "which": {"one"},
		"recurrence": {"FREQ=WEEKLY"}})
	one.must(t, http.StatusOK, "Saved for this one", "Concert")
	expect("one", "Concert 3 20:00-22:00", "Choir 10 18:00-19:30", "Choir 17 18:00-19:30", "Choir 24 18:00-19:30", "Choir 31 18:00-19:30")
	b.submit(page, to, url.Values{"title": {"Too late"}, "which": {"all"}}).
		must(t, http.StatusConflict, "Nothing was overwritten", "Too late")
	b.submit(one, "/ui/undo", nil).must(t, http.StatusOK, "Taken back")
	expect("one, taken back", before...)
	all := b.submit(b.get(address), to,
		url.Values{"title": {"Band"}, "day": {"2026-03-04"}, "end_day": {"2026-03-04"}, "hour": {"19:00"}, "until": {"20:00"},
			"which": {"all"}, "recurrence": {"FREQ=WEEKLY"}})
	all.must(t, http.StatusOK, "Saved.", "Band")
	expect("all", "Band 4 19:00-20:00", "Band 11 19:00-20:00", "Band 18 19:00-20:00", "Band 25 19:00-20:00")
	b.submit(all, "/ui/undo", nil).must(t, http.StatusOK, "Taken back")
	b.submit(all, "/ui/undo", nil).must(t, http.StatusConflict, "changed again since")
	expect("all, taken back", before...)
	gone := b.submit(b.get(address), to+"/remove", url.Values{"start": {""}})
	gone.must(t, http.StatusOK, "Removed.")
	expect("removed")
	b.submit(gone, "/ui/undo", nil).must(t, http.StatusOK, "Taken back")
	expect("removed, taken back", before...)
	for _, wrong := range []url.Values{{"day": {"soon"}}, {"title": {""}}, {"start": {"x"}}, {"until": {"10:00"}}, {"zone": {"Atlantis"}}} {
		again := b.get(address)
		form := again.find(func(n *html.Node) bool {
			return n.Data == "form" && strings.HasPrefix(attr(n, "action"), "/ui/plans/event/") &&
				!strings.HasSuffix(attr(n, "action"), "/remove")
		})
		wrong.Set("which", "one")
		b.submit(again, attr(form, "action"), wrong).must(t, http.StatusBadRequest)
	}
	expect("after mistakes", before...)
	other := w.entered()
	other.send("/ui/undo", url.Values{"key": {keyOf(other.get(address))}, "id": {"event:nothing"}}).
		must(t, http.StatusNotFound, "not known any more")
}

func TestTodos(t *testing.T) {
	w := newWorld(t, false)
	id := w.plan("default", "Paint the <boat>")
	b := w.entered()
	page := b.get("/ui/plans")
	page.must(t, http.StatusOK, "Paint the <boat>", "March 2026", "To do 1")
	late := page // of another tab
	changed := b.submit(page, "/ui/plans/todo/"+id, url.Values{"title": {"Paint the boat"}, "priority": {"urgent"}, "day": {"2026-02-20"}})
	changed.must(t, http.StatusOK, "Saved.", "Paint the boat", "urgent", "due 2026-02-20")
	b.submit(late, "/ui/plans/todo/"+id, url.Values{"title": {"Sell the boat"}}).
		must(t, http.StatusConflict, "Nothing was overwritten", "Paint the boat", "What you typed")
	if kept, err := w.planning.TodosByID(t.Context(), "default", []string{id}); err != nil || kept[0].Title != "Paint the boat" ||
		!kept[0].DueAt.Equal(time.Date(2026, 2, 20, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v, %v", kept, err)
	}
	done := b.submit(changed, "/ui/plans/todo/"+id+"/tick", nil)
	done.must(t, http.StatusOK, "Nothing is to be done.", "Done lately")
	b.send("/ui/plans/todo/"+id+"/tick", url.Values{"key": {keyOf(done)}}).must(t, http.StatusOK, "To do 1")
	b.submit(done, "/ui/plans/todo", url.Values{"title": {"Call Ines"}, "day": {"2026-03-04"}, "hour": {"16:30"}}).
		must(t, http.StatusOK, "Call Ines", "due 2026-03-04 16:30")
	for _, wrong := range []url.Values{{"title": {""}}, {"title": {"x"}, "day": {"soon"}}, {"title": {"x"}, "hour": {"16:30"}},
		{"title": {"x"}, "priority": {"never"}}} {
		wrong.Set("key", keyOf(done))
		b.send("/ui/plans/todo", wrong).must(t, http.StatusBadRequest)
	}
	b.send("/ui/plans/todo/nothing/tick", url.Values{"key": {keyOf(done)}, "done": {"1"}}).must(t, http.StatusNotFound)
}

// TestEventInUnnamedZone: an hour is the user's, also where the zone has no name to be stored.
func TestEventInUnnamedZone(t *testing.T) {
	w := newWorld(t, false)
	*w.clock = w.clock.In(time.FixedZone("Local", 2*60*60))
	b := w.entered()
	b.submit(b.get("/ui/plans?month=2026-03"), "/ui/plans/event",
		url.Values{"title": {"Choir"}, "day": {"2026-03-03"}, "hour": {"18:00"}}).must(t, http.StatusOK, "18:00")
	got, _, err := w.planning.Calendar(t.Context(), "default", time.Time{}, time.Time{}, "")
	if err != nil || len(got) != 1 || !got[0].Start.Equal(time.Date(2026, 3, 3, 16, 0, 0, 0, time.UTC)) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestCalendar(t *testing.T) {
	w := newWorld(t, false)
	b := w.entered()
	page := b.get("/ui/plans?month=2026-03")
	b.submit(page, "/ui/plans/event",
		url.Values{"title": {"Choir"}, "day": {"2026-03-03"}, "hour": {"18:00"}, "until": {"19:30"}, "recurrence": {"FREQ=WEEKLY"},
			"location": {"church"}}).must(t, http.StatusOK, "Choir", "church")
	b.submit(page, "/ui/plans/event", url.Values{"title": {"Night watch"}, "day": {"2026-03-31"}, "hour": {"22:00"}, "until": {"06:00"}}).
		must(t, http.StatusOK, "until 2026-04-01 06:00")
	march := b.get("/ui/plans?month=2026-03")
	days := map[string]bool{}
	each(march.doc, func(n *html.Node) {
		if n.Data == "li" && strings.Contains(textOf(n), "Choir") && n.Parent != nil && attr(n.Parent, "class") == "month" {
			days[textOf(n)] = true
		}
	})
	if len(days) != 5 || !days["3Choir"] || !days["31ChoirNight watch"] {
		t.Errorf("the choir is on %v", days)
	}
	b.get("/ui/plans?month=2026-04").must(t, http.StatusOK, "Night watch")
	var event, start string
	each(march.doc, func(n *html.Node) {
		if n.Data == "form" && strings.HasSuffix(attr(n, "action"), "/remove") && event == "" {
			event = attr(n, "action")
			each(n, func(n *html.Node) {
				if attr(n, "name") == "start" {
					start = attr(n, "value")
				}
			})
		}
	})
	one := b.send(event, url.Values{"key": {keyOf(march)}, "start": {start}, "back": {"/ui/plans?month=2026-03"}})
	one.must(t, http.StatusOK, "This one was removed")
	if one.shows("2026-03-03 18:00") || !one.shows("2026-03-10 18:00") {
		t.Errorf("another one was removed:\n%s", one.text)
	}
	if all := b.send(event, url.Values{"key": {keyOf(march)}, "back": {"/ui/plans?month=2026-03"}}); all.status != http.StatusOK ||
		all.shows("Choir") {
		t.Errorf("all: %d", all.status)
	}
	for _, wrong := range []string{"x", "2026-13", "2026-03-01", "-1"} {
		b.get("/ui/plans?month="+wrong).must(t, http.StatusBadRequest, "no month")
	}
}

func TestPlansOfTokens(t *testing.T) {
	w := newWorld(t, true)
	mine, his := w.plan("ann", "Ann's own"), w.plan("bob", "Bob's own")
	_, all := w.token(access.Request{Agent: "ann"})
	_, reader := w.token(access.Request{Agent: "ann", ReadOnly: true})
	_, narrow := w.token(access.Request{Agent: "ann", Projects: []string{"barn"}})
	b := w.signedIn(all)
	page := b.get("/ui/plans")
	page.must(t, http.StatusOK, "Ann's own")
	if page.shows("Bob") {
		t.Errorf("a bank sees another's:\n%s", page.text)
	}
	b.send("/ui/plans/todo/"+his+"/tick", url.Values{"key": {keyOf(page)}, "done": {"1"}}).must(t, http.StatusNotFound)
	r := w.signedIn(reader)
	looked := r.get("/ui/plans")
	looked.must(t, http.StatusOK, "Ann's own")
	if looked.find(func(n *html.Node) bool { return strings.Contains(attr(n, "action"), "/plans") }) != nil {
		t.Error("a reader is offered a form")
	}
	r.send("/ui/plans/todo/"+mine+"/tick", url.Values{"key": {keyOf(looked)}, "done": {"1"}}).must(t, http.StatusForbidden, "may only read")
	if left, _, err := w.planning.Todos(t.Context(), "bob", memory.TodoFilter{Status: memory.TodoPending}, 10); err != nil ||
		len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
	w.signedIn(narrow).get("/ui/plans").must(t, http.StatusForbidden, "whole bank")
}
