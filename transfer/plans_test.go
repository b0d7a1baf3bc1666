package transfer_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/planning"
	"mcp-memory/transfer"
)

func (b *bank) plans() *planning.Service {
	return planning.New(planning.Options{Store: b.store, Clock: b.clock.Now, IDs: b.IDs})
}

// fillPlans adds to-dos and events with all that they can have, and an event
// that was removed.
func (b *bank) fillPlans(t testing.TB) {
	t.Helper()
	p := b.plans()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err := p.AddTodo(t.Context(), memory.Scope{Agent: "anna"}, planning.TodoRequest{Title: "Water the plants"})
	must(err)
	_, err = p.AddTodo(t.Context(), memory.Scope{Agent: "anna"}, planning.TodoRequest{
		Title: "Größe <b>", Description: "All\nof it.", Priority: memory.PriorityUrgent, DueAt: start.Add(90 * time.Minute),
	})
	must(err)
	done, err := p.AddTodo(t.Context(), memory.Scope{Agent: "anna"}, planning.TodoRequest{Title: "Buy milk", Priority: memory.PriorityLow})
	must(err)
	_, err = p.CompleteTodo(t.Context(), "anna", done.ID)
	must(err)

	_, err = p.AddEvent(t.Context(), "anna", planning.EventRequest{Title: "Dentist", StartsAt: start.AddDate(-3, 0, 0)})
	must(err)
	lesson, err := p.AddEvent(t.Context(), "anna", planning.EventRequest{
		Title: "Oboe lesson", StartsAt: start, EndsAt: start.Add(time.Hour), TimeZone: "Europe/Berlin", Location: "Music school",
		Description: "Bring reeds.", Recurrence: "FREQ=WEEKLY;BYDAY=SU",
	})
	must(err)
	_, _, err = p.RemoveEvent(t.Context(), "anna", lesson.ID, start.AddDate(0, 0, 7))
	must(err)
	_, err = p.AddEvent(t.Context(), "anna", planning.EventRequest{Title: "Course", StartsAt: start, Recurrence: "FREQ=DAILY;COUNT=5"})
	must(err)
	gone, err := p.AddEvent(t.Context(), "anna", planning.EventRequest{Title: "Called off", StartsAt: start})
	must(err)
	_, _, err = p.RemoveEvent(t.Context(), "anna", gone.ID, time.Time{})
	must(err)
}

// agenda is what takes place in four weeks.
func (b *bank) agenda(t testing.TB, agent string) string {
	t.Helper()
	list, _, err := b.plans().Calendar(t.Context(), agent, start.AddDate(0, 0, -1), start.AddDate(0, 0, 28), "")
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, o := range list {
		fmt.Fprintln(&text, o.Title, o.Start, o.End, o.TimeZone)
	}
	return text.String()
}

func TestBundleOfPlans(t *testing.T) {
	from, to := fullBank(t), newBank(t)
	bundle := from.export(t, "anna")
	to.mustLoad(t, transfer.Bundle, bundle)
	if got, want := to.agenda(t, "anna"), from.agenda(t, "anna"); got != want || strings.Count(want, "\n") != 5-1+5 {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if strings.Contains(bundle, "Called off") {
		t.Error("what was removed is in the bundle")
	}

	// What was done and removed since stays so.
	todos, _, err := to.store.Todos(t.Context(), "anna", memory.TodoFilter{Status: memory.TodoPending}, 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, todo := range todos {
		if _, err := to.plans().CompleteTodo(t.Context(), "anna", todo.ID); err != nil {
			t.Fatal(err)
		}
	}
	events, err := to.store.Calendar(t.Context(), "anna", start, start.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if _, _, err := to.plans().RemoveEvent(t.Context(), "anna", e.ID, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	report := to.mustLoad(t, transfer.Bundle, bundle)
	if report.Created != 0 || to.agenda(t, "anna") != "" {
		t.Errorf("%+v, agenda %q", report, to.agenda(t, "anna"))
	}
	if todos, _, err := to.store.Todos(t.Context(), "anna", memory.TodoFilter{Status: memory.TodoPending}, 10); err != nil ||
		len(todos) > 0 {
		t.Errorf("to do again: %v, %v", todos, err)
	}
}

func TestBundleOfAliases(t *testing.T) {
	from, to := fullBank(t), newBank(t)
	bundle := from.export(t, "anna")
	to.mustLoad(t, transfer.Facts, `{"id":"main","content":"Ours."}`) // hence theirs does not come, nor its alias
	to.mustLoad(t, transfer.Bundle, bundle)
	if report := to.mustLoad(t, transfer.Facts, `{"id":"alias","content":"Another."}`); report.Created != 1 {
		t.Errorf("an alias of nothing: %+v", report)
	}
	other := newBank(t)
	other.mustLoad(t, transfer.Bundle, bundle)
	if report := other.mustLoad(t, transfer.Facts, `{"id":"alias","content":"Anna plays the flute."}`); report.Updated != 1 {
		t.Errorf("the alias is not known: %+v", report)
	}
}

// Bundles that were written before there were plans in them.
func TestOldBundle(t *testing.T) {
	b := newBank(t)
	report := b.mustLoad(t, "", `{"type":"bundle","version":1,"agent":"anna","exported_at":"2026-03-01T12:00:00Z","schema_version":9}
{"type":"record","id":"a","kind":"fact","content":"Anna plays the oboe.","importance":0.5,"source":"user","created_at":"2026-03-01T12:00:00Z","confirmations":1}
{"type":"turn","id":"t","session":"s","index":0,"content":"Hm.","said_at":"2026-03-01T12:00:00Z","created_at":"2026-03-01T12:00:00Z"}
{"type":"footer","records":1,"turns":1}
`)
	if report.Records != 1 || report.Turns != 1 || report.Read != 2 {
		t.Errorf("%+v", report)
	}
}

func TestBrokenPlans(t *testing.T) {
	b := newBank(t)
	for name, c := range map[string]struct{ line, why string }{
		"no id": {`{"type":"todo","title":"x","priority":"low","created_at":"2026-03-01T00:00:00Z"}`, "no id"},
		"a priority": {`{"type":"todo","id":"a","title":"x","priority":"soon","created_at":"2026-03-01T00:00:00Z"}`,
			`priority "soon"`},
		"a time":          {`{"type":"todo","id":"a","title":"x","priority":"low","created_at":"today"}`, "today"},
		"no created_at":   {`{"type":"event","id":"a","title":"x","starts_at":"2026-03-01T00:00:00Z","time_zone":"UTC"}`, "no created_at"},
		"a zone":          {`{"type":"event","id":"a","title":"x","starts_at":"2026-03-01T00:00:00Z","created_at":"2026-03-01T00:00:00Z","time_zone":"Mars"}`, `time_zone "Mars"`},
		"every second":    {`{"type":"event","id":"a","title":"x","starts_at":"2026-03-01T00:00:00Z","created_at":"2026-03-01T00:00:00Z","time_zone":"UTC","recurrence":"FREQ=SECONDLY"}`, "every hour"},
		"alias of nobody": {`{"type":"alias","external_id":"x"}`, "no id"},
	} {
		_, err := b.load(transfer.Bundle, `{"type":"bundle","version":2}`+"\n"+c.line)
		if memory.CodeOf(err) != memory.CodeInvalidArgument || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
