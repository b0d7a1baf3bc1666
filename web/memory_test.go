package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

// TestCorrectAWrongFact: find it, correct it, see the history, take it back.
func TestCorrectAWrongFact(t *testing.T) {
	w := newWorld(t, false)
	id := w.save(w.scope, remember.SaveRequest{Content: "The harbour office opens at seven."})
	b := w.entered()
	found := b.get("/ui/search?q=when+does+the+harbour+office+open")
	found.must(t, http.StatusOK, "The harbour office opens at seven.", "confidence:", "Why: score", "words")
	page := b.get("/ui/memory/" + id)
	saved := b.submit(page, "/ui/memory/"+id+"/edit", url.Values{"content": {"The harbour office opens at nine."}})
	saved.must(t, http.StatusOK, "The harbour office opens at nine.", "The old text is history", "History")
	del, ins := saved.find(func(n *html.Node) bool { return n.Data == "del" }),
		saved.find(func(n *html.Node) bool { return n.Data == "ins" })
	if del == nil || ins == nil || textOf(del) != "seven." || textOf(ins) != "nine." {
		t.Errorf("the difference is not shown:\n%s", saved.text)
	}
	b.get("/ui/memory/"+id).must(t, http.StatusOK, "It was replaced", "a newer text")
	// In the other tab the page is old: nothing is overwritten.
	late := b.submit(page, "/ui/memory/"+id+"/edit", url.Values{"content": {"The harbour office opens at eight."}})
	late.must(t, http.StatusConflict, "Somebody changed it", "The harbour office opens at nine.", "The harbour office opens at eight.")
	back := saved.find(func(n *html.Node) bool { return n.Data == "button" && textOf(n) == "Take the last change back" })
	if back == nil {
		t.Fatal("no way back")
	}
	values := url.Values{}
	each(back.Parent, func(n *html.Node) {
		if n.Data == "input" {
			values.Set(attr(n, "name"), attr(n, "value"))
		}
	})
	b.send(attr(back.Parent, "action"), values).must(t, http.StatusOK, "The harbour office opens at seven.")
}

// TestFromADayOn: what changed in the world changes from its day on, and a search as of
// before finds the old.
func TestFromADayOn(t *testing.T) {
	w := newWorld(t, false)
	id := w.save(w.scope, remember.SaveRequest{Content: "Ines lives in Porto.", ValidFrom: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)})
	b := w.entered()
	b.submit(b.get("/ui/memory/"+id), "/ui/memory/"+id+"/edit",
		url.Values{"content": {"Ines lives in Braga."}, "valid_from": {"2026-02-01"}}).must(t, http.StatusOK, "Ines lives in Braga.")
	first := func(page reply) string {
		if n := page.find(func(n *html.Node) bool { return n.Data == "article" }); n != nil {
			return textOf(n)
		}
		return ""
	}
	if got := first(b.get("/ui/search?q=where+does+Ines+live")); !strings.Contains(got, "Braga") {
		t.Errorf("now: %q", got)
	}
	if got := first(b.get("/ui/search?q=where+does+Ines+live&as_of=2026-01-15")); !strings.Contains(got, "Porto") {
		t.Errorf("in January: %q", got)
	}
	b.get("/ui/search?q=Ines&as_of=soon").must(t, http.StatusOK, "no date")
}

func TestForgetAndUndo(t *testing.T) {
	w := newWorld(t, false)
	id := w.save(w.scope, remember.SaveRequest{Content: "The spare key hangs behind the clock."})
	b := w.entered()
	gone := b.submit(b.get("/ui/memory/"+id), "/ui/memory/"+id+"/forget", nil)
	gone.must(t, http.StatusOK, "Forgotten.", "It was set aside")
	b.submit(gone, "/ui/undo", nil).must(t, http.StatusOK, "Taken back: 1 memory holds again.")
	again := b.get("/ui/memory/" + id)
	if again.shows("It was set aside") {
		t.Error("it is still set aside")
	}
	b.submit(again, "/ui/memory/"+id+"/erase", nil).must(t, http.StatusBadRequest, "I am sure")
	b.submit(again, "/ui/memory/"+id+"/erase", url.Values{"sure": {"1"}}).must(t, http.StatusOK, "Erased for good.")
	b.get("/ui/memory/"+id).must(t, http.StatusNotFound, "no such memory")
}

func TestTwoChangeOneRecord(t *testing.T) {
	w := newWorld(t, false)
	id := w.save(w.scope, remember.SaveRequest{Content: "The ferry runs at ten."})
	one, other := w.entered(), w.entered()
	mine, theirs := one.get("/ui/memory/"+id), other.get("/ui/memory/"+id)
	one.submit(mine, "/ui/memory/"+id+"/details", url.Values{"tags": {"ferry, times"}}).must(t, http.StatusOK, "#ferry")
	other.submit(theirs, "/ui/memory/"+id+"/edit", url.Values{"content": {"The ferry runs at noon."}}).
		must(t, http.StatusConflict, "What you typed", "The ferry runs at noon.")
	records, err := w.bank.Store.Records(t.Context(), "default", []string{id})
	if err != nil || len(records) != 1 || records[0].Content != "The ferry runs at ten." || !records[0].Live() {
		t.Errorf("%+v, %v", records, err)
	}
	one.submit(one.get("/ui/memory/"+id), "/ui/memory/"+id+"/pin", nil).must(t, http.StatusOK, "Pinned")
}

// TestToday: the page is what a session gets, word for word.
func TestToday(t *testing.T) {
	w := newWorld(t, false)
	id := w.save(w.scope, remember.SaveRequest{Content: "Decided: no deployments on Fridays.", Pinned: true})
	b := w.entered()
	page := b.get("/ui/")
	page.must(t, http.StatusOK, "no deployments on Fridays", "it is pinned", "of 500 tokens", "# Memory at the start of a session")
	unpinned := b.submit(page, "/ui/memory/"+id+"/pin", nil)
	unpinned.must(t, http.StatusOK, "No longer pinned")
	b.submit(unpinned, "/ui/memory/"+id+"/forget", nil).must(t, http.StatusOK, "Forgotten.", "Nothing stands out yet")
}

// TestWhatATokenSees: its bank, its projects, and nothing to change if it may only read.
func TestWhatATokenSees(t *testing.T) {
	w := newWorld(t, true)
	in := func(agent, project, content string) string {
		return w.save(memory.Scope{Agent: agent, Project: project}, remember.SaveRequest{Content: content, Pinned: true})
	}
	mine, other, global := in("ann", "barn", "The barn roof is red."),
		in("ann", "mill", "The mill wheel is broken."), in("ann", "", "Ann's dog is called Tove.")
	foreign := in("bob", "barn", "Bob's barn is green.")
	_, all := w.token(access.Request{Agent: "ann"})
	_, narrow := w.token(access.Request{Agent: "ann", Projects: []string{"barn"}})
	_, reader := w.token(access.Request{Agent: "ann", ReadOnly: true})

	for name, c := range map[string]struct {
		secret string
		sees   []string
		not    []string
	}{
		"all":    {all, []string{mine, other, global}, []string{foreign}},
		"narrow": {narrow, []string{mine}, []string{other, global, foreign}},
		"reader": {reader, []string{mine, other, global}, []string{foreign}},
	} {
		b := w.signedIn(c.secret)
		for _, id := range c.sees {
			if got := b.get("/ui/memory/" + id); got.status != http.StatusOK {
				t.Errorf("%s: %s: %d", name, id, got.status)
			}
		}
		for _, id := range c.not {
			if got := b.get("/ui/memory/" + id); got.status != http.StatusNotFound {
				t.Errorf("%s: %s: %d\n%s", name, id, got.status, got.text)
			}
			key := attr(b.get("/ui/").find(func(n *html.Node) bool { return attr(n, "name") == "key" }), "value")
			for _, to := range []string{"/edit", "/details", "/pin", "/forget", "/erase"} {
				got := b.send("/ui/memory/"+id+to, url.Values{"key": {key}, "content": {"mine now"}, "sure": {"1"}})
				if got.status < 400 {
					t.Errorf("%s changed %s by %s: %d", name, id, to, got.status)
				}
			}
		}
	}
	b := w.signedIn(narrow)
	for _, path := range []string{"/ui/", "/ui/search?q=barn", "/ui/search?q=mill", "/ui/search?q=dog"} {
		for _, text := range []string{"mill wheel", "Tove", "green"} {
			if page := b.get(path); page.shows(text) {
				t.Errorf("%s shows %q to a token of another project", path, text)
			}
		}
	}
	r := w.signedIn(reader)
	page := r.get("/ui/memory/" + mine)
	page.must(t, http.StatusOK, "may only read")
	if n := page.find(func(n *html.Node) bool { return n.Data == "textarea" }); n != nil {
		t.Error("a reader is offered a form")
	}
	key := attr(page.find(func(n *html.Node) bool { return attr(n, "name") == "key" }), "value")
	r.send("/ui/memory/"+mine+"/forget", url.Values{"key": {key}}).must(t, http.StatusForbidden, "may only read")
}
