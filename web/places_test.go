package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

// links are where those of a part of a page lead that fits.
func (r reply) links(in func(*html.Node) bool) (list []string) {
	if part := r.find(in); part != nil {
		each(part, func(n *html.Node) {
			if n.Data == "a" {
				list = append(list, attr(n, "href"))
			}
		})
	}
	return list
}

func labelled(label string) func(*html.Node) bool {
	return func(n *html.Node) bool { return attr(n, "aria-label") == label }
}

// TestFivePlaces: every page leads to five, and to the other pages of its own; whoever may not open a page is not led there.
func TestFivePlaces(t *testing.T) {
	w := newWorld(t, true)
	w.save(memory.Scope{Agent: "ann", Project: "barn"}, remember.SaveRequest{Content: "The barn is red."})
	_, all := w.token(access.Request{Agent: "ann"})
	_, narrow := w.token(access.Request{Agent: "ann", Projects: []string{"barn"}})
	page := w.signedIn(all).get("/ui/people")
	if got, want := page.links(labelled("Places")),
		[]string{"/ui/", "/ui/memories", "/ui/timeline", "/ui/plans", "/ui/health"}; !slices.Equal(got, want) {
		t.Errorf("places: %q", got)
	}
	if got, want := page.links(labelled("Pages of Memories")),
		[]string{"/ui/memories", "/ui/review", "/ui/people"}; !slices.Equal(got, want) {
		t.Errorf("pages: %q", got)
	}
	if here := page.find(func(n *html.Node) bool { return attr(n, "aria-current") == "true" }); here == nil || textOf(here) != "Memories" {
		t.Error("the place of the page is not marked")
	}
	some := w.signedIn(narrow).get("/ui/timeline")
	if got, want := some.links(labelled("Places")), []string{"/ui/", "/ui/memories", "/ui/timeline"}; !slices.Equal(got, want) {
		t.Errorf("a token of a project is led to %q", got)
	}
	if got, want := some.links(labelled("Pages of Timeline")), []string{"/ui/timeline", "/ui/work", "/ui/told"}; !slices.Equal(got, want) {
		t.Errorf("and to %q", got)
	}
}

// TestOldAddressOfASearch goes on working.
func TestOldAddressOfASearch(t *testing.T) {
	w := newWorld(t, false)
	w.save(w.scope, remember.SaveRequest{Content: "The harbour office opens at seven."})
	b := w.entered()
	got := b.get("/ui/search?q=When+does+the+harbour+office+open%3F&category=technical")
	if got.path != "/ui/memories" ||
		attr(got.find(func(n *html.Node) bool { return attr(n, "name") == "q" }), "value") != "When does the harbour office open?" {
		t.Errorf("at %s\n%s", got.path, got.text)
	}
	b.get("/ui/search").must(t, http.StatusOK, "The harbour office opens at seven.")
}

// TestReadingBesideTheList: what is read has an address of its own beside the list, and stays there when it is corrected.
func TestReadingBesideTheList(t *testing.T) {
	w := newWorld(t, false)
	id := w.save(w.scope, remember.SaveRequest{Content: "The harbour office opens at seven."})
	b := w.entered()
	address := "/ui/memories?category=technical&open=" + id
	page := b.get("/ui/memories?open=" + id)
	page.must(t, http.StatusOK, "The newest.", "Recorded", "Open alone")
	saved := b.submit(page, "/ui/memory/"+id+"/edit", url.Values{"content": {"The harbour office opens at nine."}})
	saved.must(t, http.StatusOK, "The newest.", "The harbour office opens at nine.", "History")
	if saved.path != "/ui/memories" {
		t.Errorf("corrected, and at %s", saved.path)
	}
	b.header.Set("X-Part", "pane")
	part := b.get(address)
	part.must(t, http.StatusOK, "It was replaced")
	if part.shows("The newest.") || strings.Contains(part.text, "<header") {
		t.Errorf("more than the pane:\n%s", part.text)
	}
	b.get("/ui/memories?open=nothing").must(t, http.StatusOK, "It is not there any more.")
	b.get("/ui/memories").must(t, http.StatusOK, "What is known, by project and month")
}

// TestUnlikelyResultsAreFew: below three that may not answer, the rest is folded away.
func TestUnlikelyResultsAreFew(t *testing.T) {
	w := newWorld(t, false)
	for i := range 12 {
		w.save(w.scope, remember.SaveRequest{Content: fmt.Sprintf("Shelf number %d of the archive holds the maps of parish %d.", i, i)})
	}
	page := w.entered().get("/ui/memories?q=Who+repairs+the+shelf%3F")
	folded := page.find(func(n *html.Node) bool { return attr(n, "class") == "unlikely" })
	if folded == nil {
		t.Fatalf("nothing is folded away:\n%s", page.text)
	}
	shown := 0
	each(folded, func(n *html.Node) {
		if n.Data == "li" && n.Parent.Parent.Parent == folded {
			shown++
		}
	})
	if shown != 3 {
		t.Errorf("%d are shown at once", shown)
	}
}

// TestWork: commands with how they ended and changed files, session by session, of the project that is chosen.
func TestWork(t *testing.T) {
	w := newWorld(t, true)
	note := func(project, session, id string, kind memory.ActionKind, text string, how memory.Outcome, tail string) {
		*w.clock = w.clock.Add(time.Minute)
		_, err := w.bank.Store.NoteActions(t.Context(), "ann",
			[]memory.Action{{ID: id, Project: project, Session: session, At: *w.clock, Kind: kind, Text: text, Outcome: how, Tail: tail,
				Asked: "Mend the " + project}})
		if err != nil {
			t.Fatal(err)
		}
	}
	w.save(memory.Scope{Agent: "ann", Project: "barn"}, remember.SaveRequest{Content: "The barn is red."})
	note("barn", "s1", "a", memory.ActionTest, "go test ./<roof>", memory.OutcomeFailed, "FAIL\nroof_test.go: it leaks")
	note("barn", "s1", "b", memory.ActionEdit, "roof.go", memory.OutcomeUnknown, "")
	note("barn", "s1", "c", memory.ActionTest, "go test ./<roof>", memory.OutcomeOK, "ok")
	note("barn", "s1", "d", memory.ActionRead, "never-shown.go", memory.OutcomeOK, "")
	note("mill", "s2", "e", memory.ActionCommand, "make wheel", memory.OutcomeOK, "")
	_, all := w.token(access.Request{Agent: "ann"})
	_, narrow := w.token(access.Request{Agent: "ann", Projects: []string{"barn"}})
	page := w.signedIn(all).get("/ui/work")
	page.must(t, http.StatusOK, "Mend the barn", "go test ./<roof>", "roof_test.go: it leaks", "2 commands1 failed1 change to a filebarn",
		"make wheel")
	if page.shows("never-shown.go") {
		t.Error("what was only read is shown")
	}
	for address, wants := range map[string][]string{
		"/ui/work?text=ROOF.go": {"roof.go", "!make wheel", "!it leaks"},
		"/ui/work?failed=1":     {"it leaks", "!make wheel"}, "/ui/work?text=wheel&failed=1": {"There is none.", "!Mend"},
	} {
		found := w.signedIn(all).get(address)
		for _, want := range wants {
			if not, absent := strings.CutPrefix(want, "!"); found.shows(not) == absent {
				t.Errorf("%s: %q in\n%s", address, want, found.text)
			}
		}
	}
	some := w.signedIn(narrow).get("/ui/work")
	if some.must(t, http.StatusOK, "Mend the barn"); some.shows("wheel") {
		t.Errorf("a token sees other projects:\n%s", some.text)
	}
	w.signedIn(all).get("/ui/").must(t, http.StatusOK, "Done lately", "Mend the mill")
}

// TestChangesOfASessionAreTogether, and those of a project without a pause.
func TestChangesOfASessionAreTogether(t *testing.T) {
	w := newWorld(t, false)
	save := func(session, project string, after time.Duration) {
		*w.clock = w.clock.Add(after)
		r := remember.SaveRequest{Content: fmt.Sprintf("Said at %s.", w.clock)}
		if session != "" {
			r.Provenance, _ = json.Marshal(map[string]string{"session": session})
		}
		w.save(memory.Scope{Agent: "default", Project: project}, r)
	}
	save("", "barn", 0)
	save("", "barn", time.Minute)
	save("", "mill", time.Minute)
	save("", "mill", time.Hour)
	save("s1", "mill", time.Minute)
	save("s1", "mill", time.Hour)
	b := w.entered()
	page := b.get("/ui/timeline")
	var groups []int
	each(page.doc, func(n *html.Node) {
		if attr(n, "class") == "group" {
			groups = append(groups, strings.Count(textOf(n), "Said at"))
		}
	})
	if want := []int{2, 1, 1, 2}; !slices.Equal(groups, want) {
		t.Errorf("groups of %v, want %v", groups, want)
	}
	page.must(t, http.StatusOK, "Today 2026-03-01 · 6 changes", "session s1")
}
