package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/access"
	"mcp-memory/cognition"
	"mcp-memory/link"
	"mcp-memory/memory"
	"mcp-memory/planning"
	"mcp-memory/remember"
	"mcp-memory/web"
)

// ids is what belongs to a bank and may be named in an address.
type ids struct {
	records             []string
	todo, event, link   string
	review, undo, told  string
	session, file, name string
}

// fill gives a bank one of everything, each with a word that is nowhere else.
func (w *world) fill(agent, marker string) (x ids) {
	w.t.Helper()
	scope, ctx := memory.Scope{Agent: agent, Project: "p-" + marker}, w.t.Context()
	must := func(err error) {
		w.t.Helper()
		if err != nil {
			w.t.Fatal(err)
		}
	}
	save := func(r remember.SaveRequest) { x.records = append(x.records, w.save(scope, r)) }
	for range 3 {
		*w.clock = w.clock.Add(time.Minute)
		save(remember.SaveRequest{Content: "The harbour gate of " + marker + " opens at seven in the morning.", Pinned: true,
			Tags: []string{marker}})
		save(remember.SaveRequest{Content: "In the morning at seven the harbour gate of " + marker + " opens."})
		save(remember.SaveRequest{Content: "The wifi password of " + marker + " is Tr0ub4dor-9xQ!vb", Kind: memory.KindLearning,
			KindDetails: memory.KindDetails{Learning: &memory.LearningDetails{Type: memory.LearningError, Context: marker}}})
	}
	forgotten, err := w.bank.Remember.Forget(ctx, scope, remember.ForgetRequest{IDs: x.records[:1], Reason: marker})
	must(err)
	x.undo = forgotten.UndoID
	triple, err := w.cognition.SaveTriple(ctx, scope, cognition.TripleRequest{Subject: "Harbour", Predicate: "belongs to", Object: marker})
	must(err)
	x.records = append(x.records, triple.Record.ID, w.trusts(agent, "harbour "+marker, 0.5))
	x.todo = w.plan(agent, "Paint "+marker)
	event, err := w.planning.AddEvent(ctx, agent,
		planning.EventRequest{Title: "Choir of " + marker, StartsAt: w.clock.Add(time.Hour), Recurrence: "FREQ=DAILY"})
	must(err)
	x.event, x.session, x.file, x.name = event.ID, "harbour-of-"+agent, "harbour-of-"+agent+".md", "harbour"
	w.says(agent, x.session, "Said in the harbour of "+marker+".", "Answered by "+marker+".")
	_, err = w.bank.Store.NoteActions(ctx, agent,
		[]memory.Action{{ID: "of-" + agent, Project: scope.Project, Session: x.session, At: *w.clock, Kind: memory.ActionCommand,
			Text: "make " + marker, Asked: "Build " + marker}})
	must(err)
	w.put(agent, x.file, "Written in the harbour of "+marker+".")
	w.told.Page(scope, "hook prompt", "asked of "+marker, x.records, 3)
	w.told.Flush(ctx)
	told, err := w.told.List(ctx, agent, "", 1)
	must(err)
	x.told = told[0].ID
	found, err := w.review.Items(ctx, agent)
	for try := 0; err == nil && len(found.Items) == 0 && try < 500; try++ {
		time.Sleep(10 * time.Millisecond)
		found, err = w.review.Items(ctx, agent)
	}
	must(err)
	if len(found.Items) == 0 {
		w.t.Fatal("there is nothing to review")
	}
	x.review = found.Items[0].Key
	return x
}

// request has somebody ask for the memory of a bank: there are two minutes to answer it.
func (w *world) request(agent, marker string) string {
	w.t.Helper()
	w.save(memory.Scope{Agent: "asks-" + agent}, remember.SaveRequest{Content: "Something."})
	asked, err := w.links.Request(w.t.Context(), "asks-"+agent, link.Request{Agent: agent, Message: "Is this " + marker + "?"})
	if err != nil {
		w.t.Fatal(err)
	}
	return asked.ID
}

// all are ids by which a path may be filled.
func (x ids) all() []string {
	return append(slices.Clone(x.records[len(x.records)-3:]), x.todo, x.event, x.link, x.review, x.undo, x.told)
}

// asked are queries, or fields of forms, that name what is in a bank, without its word.
func (x ids) asked(method string) []url.Values {
	if method == http.MethodPost {
		return []url.Values{
			{}, {"name": {x.file}, "content": {"x"}}, {"id": {x.undo}},
			{"id": {"kept:" + x.review}}, {"how": {"both"}}, {"agent": {"nobody"}},
			{"sure": {"1"}, "content": {"x"}, "how": {"newer"}, "title": {"x"}, "done": {"1"}, "note": {"x"}, "version": {""},
				"day": {"2026-03-01"}, "hour": {"10:00"}, "valid_from": {"2026-02-01"}},
		}
	}
	return []url.Values{
		{}, {"q": {"harbour gate"}}, {"open": x.records[len(x.records)-1:]},
		{"q": {"harbour"}, "archived": {"1"}, "kind": {"turn"}}, {"about": {"harbour"}}, {"about": {"Harbour"}, "as_of": {"2026-03-01"}},
		{"session": {x.session}}, {"session": {x.session}, "q": {"harbour"}},
		{"session": {x.session}, "from": {"1"}, "whole": {"1"}}, {"name": {x.file}}, {"name": {"harbour"}},
		{"name": {"../" + x.file}}, {"month": {"2026-03"}},
		{"before": {x.undo}}, {"before": {x.told}}, {"before": {"zzz"}}, {"from": {"0"}},
	}
}

// addresses are all addresses with an id put in.
func (w *world) addresses(with func(web.Address) bool, fill ...string) (list []web.Address) {
	for _, a := range w.site.Addresses() {
		if strings.Contains(a.Path, "/events") || a.Path == "/sign-out" ||
			!with(a) { // the one goes on for ever, the other is the end of it
			continue
		}
		before, rest, some := strings.Cut(strings.Replace(a.Path, "{$}", "", 1), "{")
		if _, after, _ := strings.Cut(rest, "}"); some {
			for _, id := range fill {
				a.Path = before + url.PathEscape(id) + after
				list = append(list, a)
			}
			continue
		}
		a.Path = before
		list = append(list, a)
	}
	return list
}

// TestEveryAddressIsClosed: to who has no session, to forms without the key, to who may only read, and to
// tokens of a project where a page is about the whole bank.
func TestEveryAddressIsClosed(t *testing.T) {
	w := newWorld(t, true)
	w.save(memory.Scope{Agent: "ann", Project: "barn"}, remember.SaveRequest{Content: "The barn is red."})
	_, all := w.token(access.Request{Agent: "ann"})
	_, reader := w.token(access.Request{Agent: "ann", ReadOnly: true})
	_, narrow := w.token(access.Request{Agent: "ann", Projects: []string{"barn"}})
	nobody, ann, reads, some := w.browser(), w.signedIn(all), w.signedIn(reader), w.signedIn(narrow)
	keys := map[*browser]string{}
	for _, b := range []*browser{ann, reads, some} {
		keys[b] = keyOf(b.get("/ui/"))
	}
	list := w.addresses(func(a web.Address) bool { return !a.Free }, "some-id")
	if len(list) < 30 {
		t.Fatalf("%d addresses", len(list))
	}
	ask := func(b *browser, a web.Address, fields url.Values) reply {
		if a.Method == http.MethodGet {
			return b.get("/ui" + a.Path)
		}
		return b.send("/ui"+a.Path, fields)
	}
	for _, a := range list {
		name := a.Method + " " + a.Path
		if got := ask(nobody, a, nil); got.status != http.StatusUnauthorized && got.path != "/ui/sign-in" {
			t.Errorf("%s without a session: %d at %s", name, got.status, got.path)
		}
		if a.Method == http.MethodPost {
			if got := ask(ann, a, url.Values{"key": {keys[reads]}}); got.status != http.StatusForbidden || !got.shows("another session") {
				t.Errorf("%s with the key of another: %d", name, got.status)
			}
		}
		if got := ask(reads, a, url.Values{"key": {keys[reads]}}); a.Changes() &&
			(got.status != http.StatusForbidden || !got.shows("may only read")) {
			t.Errorf("%s by who may only read: %d", name, got.status)
		}
		if got := ask(some, a, url.Values{"key": {keys[some]}}); a.Whole &&
			(got.status != http.StatusForbidden || !got.shows("whole bank")) {
			t.Errorf("%s by a token of a project: %d", name, got.status)
		}
	}
}

// TestNothingLeaks: at no address, whatever is asked, is there a word of another bank, or of a project
// that is not open; and nothing of either is changed.
func TestNothingLeaks(t *testing.T) {
	const others, hidden, own = "Zaubernuss", "Quittenbaum", "Apfelkiste"
	w := newWorld(t, true)
	bob, ann := w.fill("bob", others), w.fill("ann", hidden)
	bob.link, ann.link = w.request("bob", others), w.request("ann", hidden)
	mine := w.save(memory.Scope{Agent: "ann", Project: "barn"}, remember.SaveRequest{Content: "In the barn is the harbour " + own + "."})
	_, all := w.token(access.Request{Agent: "ann"})
	_, narrow := w.token(access.Request{Agent: "ann", Projects: []string{"barn"}})
	before := w.state("bob")
	for _, c := range []struct {
		token string
		of    []ids
		not   []string
	}{{all, []ids{bob}, []string{others}}, {narrow, []ids{bob, ann}, []string{others, hidden}}} {
		b := w.signedIn(c.token)
		key := keyOf(b.get("/ui/"))
		state := w.state("ann")
		asked := 0
		for _, x := range c.of {
			for _, a := range w.addresses(func(a web.Address) bool { return !a.Free && a.Path != "/project" }, x.all()...) {
				for _, fields := range x.asked(a.Method) {
					var got reply
					if a.Method == http.MethodGet {
						got = b.get("/ui" + a.Path + "?" + fields.Encode())
					} else {
						fields.Set("key", key)
						got = b.send("/ui"+a.Path, fields)
					}
					asked++
					for _, word := range c.not {
						if strings.Contains(got.text, word) {
							t.Fatalf("%s %s?%s shows %s:\n%s", a.Method, a.Path, fields.Encode(), word, got.text)
						}
					}
					if got.status == http.StatusInternalServerError {
						t.Errorf("%s %s?%s: %d", a.Method, a.Path, fields.Encode(), got.status)
					}
				}
			}
		}
		if asked < 500 {
			t.Errorf("only %d were asked", asked)
		}
		if c.token == narrow {
			if after := w.state("ann"); after != state {
				t.Errorf("a token of a project has changed others:\n%s\n%s", state, after)
			}
		}
		if b.get("/ui/memory/"+mine).status != http.StatusOK {
			t.Error("not even what is its own is shown")
		}
	}
	if after := w.state("bob"); after != before {
		t.Errorf("the other bank was changed:\n%s\n%s", before, after)
	}
	// The words are found by whom they belong to, so the test would see them.
	_, his := w.token(access.Request{Agent: "bob"})
	b := w.signedIn(his)
	for _, path := range []string{"/", "/search?q=harbour", "/review", "/told", "/timeline", "/plans?month=2026-03", "/conversations",
		"/people", "/files?name=" + bob.file, "/sharing", "/health"} {
		if got := b.get("/ui" + path); !strings.Contains(got.text, others) {
			t.Errorf("%s does not show what is its own: %d", path, got.status)
		}
	}
}

// state is a bank as far as somebody could have changed it.
func (w *world) state(agent string) string {
	w.t.Helper()
	var b strings.Builder
	err := w.bank.Store.EachRecord(w.t.Context(), agent, func(r memory.Record) error {
		fmt.Fprintln(&b, r.ID, r.Project, r.Content, r.Tags, r.Pinned, r.ArchivedAt, r.SupersededBy, r.ValidUntil)
		return nil
	})
	todos, _, failed := w.planning.Todos(w.t.Context(), agent, memory.TodoFilter{Status: memory.TodoAll}, 100)
	if err != nil || failed != nil {
		w.t.Fatal(err, failed)
	}
	events, _, err := w.planning.Calendar(w.t.Context(), agent, time.Time{}, time.Time{}, "")
	waiting, failed := w.links.Waiting(w.t.Context(), agent)
	if err != nil || failed != nil {
		w.t.Fatal(err, failed)
	}
	fmt.Fprintln(&b, todos, len(events), len(waiting))
	return b.String()
}
