package web_test

import (
	"fmt"
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

// TestUndoYesterday: a day's changes are found and taken back, once.
func TestUndoYesterday(t *testing.T) {
	w := newWorld(t, false)
	id := w.save(w.scope, remember.SaveRequest{Content: "The pump is serviced in March."})
	b := w.entered()
	b.submit(b.get("/ui/memory/"+id), "/ui/memory/"+id+"/forget", nil).must(t, http.StatusOK, "Forgotten.")
	for range 50 { // the session has to last
		*w.clock = w.clock.Add(20 * time.Minute)
		b.get("/ui/")
	}
	w.save(w.scope, remember.SaveRequest{Content: "Something of today."})
	page := b.get("/ui/timeline")
	page.must(t, http.StatusOK, "2026-03-01", "2026-03-02", "forgotten", "The pump is serviced in March.")
	var forgotten *html.Node
	each(page.doc, func(n *html.Node) {
		if n.Data == "li" && forgotten == nil && strings.Contains(textOf(n), "forgotten") {
			forgotten = n
		}
	})
	form := url.Values{}
	each(forgotten, func(n *html.Node) {
		if n.Data == "input" {
			form.Set(attr(n, "name"), attr(n, "value"))
		}
	})
	back := b.send("/ui/undo", form)
	back.must(t, http.StatusOK, "Taken back: 1 memory holds again", "Taken back 2026-03-02")
	b.send("/ui/undo", form).must(t, http.StatusConflict)
	if again := b.get("/ui/memory/" + id); again.shows("set aside") {
		t.Error("it is still set aside")
	}
	b.send("/ui/undo", url.Values{"key": form["key"], "id": {"nonsense"}}).must(t, http.StatusNotFound)
}

func TestTimelineInPages(t *testing.T) {
	w := newWorld(t, true)
	for i := range 60 {
		w.save(memory.Scope{Agent: "ann"}, remember.SaveRequest{Content: fmt.Sprintf("Fact number %d.", i)})
	}
	w.save(memory.Scope{Agent: "bob"}, remember.SaveRequest{Content: "Bob has a secret plan."})
	_, all := w.token(access.Request{Agent: "ann"})
	b := w.signedIn(all)
	seen, address := map[string]bool{}, "/ui/timeline"
	for pages := 0; address != "" && pages < 5; pages++ {
		page := b.get(address)
		if page.shows("secret plan") {
			t.Fatal("a bank sees another's")
		}
		address = ""
		each(page.doc, func(n *html.Node) {
			if n.Data == "a" && strings.HasPrefix(textOf(n), "Fact number") {
				if seen[textOf(n)] {
					t.Errorf("%s twice", textOf(n))
				}
				seen[textOf(n)] = true
			}
			if n.Data == "a" && textOf(n) == "Older" {
				address = attr(n, "href")
			}
		})
	}
	if len(seen) != 60 {
		t.Errorf("%d of 60 changes", len(seen))
	}
}
