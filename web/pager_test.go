package web_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"testing"
	"time"

	"golang.org/x/net/html"

	"mcp-memory/cognition"
	"mcp-memory/memory"
	"mcp-memory/planning"
	"mcp-memory/remember"
)

// TestListsAreWhole: each list leads from page to page to its end, older and newer, every entry once, also while
// it grows.
func TestListsAreWhole(t *testing.T) {
	for name, c := range map[string]struct {
		path    string
		entries int
		grows   bool // new entries come first
		add     func(w *world, name string) error
	}{
		"search": {"/ui/search?kind=fact", 95, true, func(w *world, name string) error {
			w.save(w.scope, remember.SaveRequest{Content: name + " is kept in the barn."})
			return nil
		}},
		"told": {"/ui/told", 95, true, func(w *world, name string) error {
			w.told.Page(w.scope, "memory_recall", name, nil, 1)
			w.told.Flush(w.t.Context())
			return nil
		}},
		"timeline": {"/ui/timeline", 95, true, func(w *world, name string) error {
			w.save(w.scope, remember.SaveRequest{Content: name + " is in the log."})
			return nil
		}},
		"conversations": {"/ui/conversations", 120, true, func(w *world, name string) error { w.say(name); return nil }},
		"sessions by name": {"/ui/conversations?name=entry", 120, false,
			func(w *world, name string) error { w.say(name); return nil }},
		"sessions of odd names": {"/ui/conversations?name=*", 220, false,
			func(w *world, name string) error { w.say("*~-+%7E " + name + "~b"); return nil }},
		"people": {"/ui/people", 130, true, func(w *world, name string) error {
			_, err := w.cognition.UpdateRelationship(w.t.Context(), w.scope, cognition.RelationshipUpdate{Party: name})
			return err
		}},
		"triples": {"/ui/people?about=harbour", 260, true, func(w *world, name string) error {
			_, err := w.cognition.SaveTriple(w.t.Context(), w.scope,
				cognition.TripleRequest{Subject: name, Predicate: "part_of", Object: "harbour"})
			return err
		}},
		"to-dos": {"/ui/plans", 230, false, func(w *world, name string) error {
			_, err := w.planning.AddTodo(w.t.Context(), memory.Scope{Agent: "default"}, planning.TodoRequest{Title: name})
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w, n := newWorld(t, false), 0
			w.save(w.scope, remember.SaveRequest{Content: "Of a bank that is not there, nothing is told."})
			add := func() string {
				n++
				*w.clock = w.clock.Add(10 * time.Second)
				name := fmt.Sprintf("entry%04d", n)
				if err := c.add(w, name); err != nil {
					t.Fatal(err)
				}
				return name
			}
			var want []string
			for range c.entries {
				want = append(want, add())
			}
			wholeList(t, w.entered(), c.path, want, func() {
				if c.grows {
					add()
				}
			})
		})
	}
}

// say is a conversation of three messages.
func (w *world) say(session string) {
	w.t.Helper()
	err := w.bank.Store.Write(w.t.Context(), "default", func(tx memory.Tx) error {
		var turns []memory.Turn
		for i := range 3 {
			turns = append(turns,
				memory.Turn{ID: w.bank.IDs.New(), Agent: "default", Session: session, Index: i, Content: "Good morning.", Speaker: "Ana",
					SaidAt: *w.clock, CreatedAt: *w.clock})
		}
		_, err := tx.InsertTurns(turns, nil)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// wholeList walks through a list to its end and back, while it grows.
func wholeList(t *testing.T, b *browser, path string, want []string, grow func()) {
	t.Helper()
	names := regexp.MustCompile(`entry\d{4}`)
	wanted := map[string]bool{}
	for _, name := range want {
		wanted[name] = true
	}
	on := func(page reply) (found []string) {
		page.must(t, http.StatusOK)
		for _, name := range names.FindAllString(textOf(page.find(func(n *html.Node) bool { return n.Data == "main" })), -1) {
			if wanted[name] && !slices.Contains(found, name) {
				found = append(found, name)
			}
		}
		return found
	}
	var pages [][]string
	var all []string
	page := b.get(path)
	for {
		pages = append(pages, on(page))
		all = append(all, on(page)...)
		older := page.link("Older")
		if older == "" || len(pages) > 20 {
			break
		}
		grow()
		page = b.get(older)
	}
	if slices.Sort(all); len(pages) < 3 || !slices.Equal(all, slices.Sorted(slices.Values(want))) {
		t.Fatalf("%d pages have %d entries of %d", len(pages), len(all), len(want))
	}
	for i := len(pages) - 2; i > 0; i-- {
		newer := page.link("Newer")
		if newer == "" || page.link("Newest") == "" {
			t.Fatalf("page %d has no way back\n%s", i+1, page.text)
		}
		if page = b.get(newer); !slices.Equal(on(page), pages[i]) {
			t.Errorf("page %d is %v on the way back, was %v", i, on(page), pages[i])
		}
	}
	if page = b.get(page.link("Newer")); page.link("Newer") != "" {
		t.Error("there is something newer than the newest")
	}
}
