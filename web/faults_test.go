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

// TestFaultsShowTheOwnBank: a page that says what went wrong has the head and foot of who asked, not
// those of the process.
func TestFaultsShowTheOwnBank(t *testing.T) {
	w := newWorld(t, true)
	w.save(memory.Scope{Agent: "default", Project: "hidden-harbour"}, remember.SaveRequest{Content: "The process's own."})
	w.save(memory.Scope{Agent: "ann", Project: "barn"}, remember.SaveRequest{Content: "The barn is red."})
	id, secret := w.token(access.Request{Agent: "ann"})
	b := w.signedIn(secret)
	faults := func() map[string]reply {
		return map[string]reply{
			"a form of another session": b.send("/ui/undo", url.Values{"key": {"no"}}),
			"no such page":              b.get("/ui/nothing"), "another method": b.get("/ui/undo"),
			"no such memory":            b.get("/ui/memory/nothing"),
			"a file of another program": b.get("/ui/assets/page.0.css"), "no text": b.get("/ui/search?q=%00"),
		}
	}
	for name, page := range faults() {
		if page.status < 400 {
			t.Errorf("%s: %d", name, page.status)
		}
		if page.shows("hidden-harbour") || page.shows("Bank of default") {
			t.Errorf("%s: shows the process's own bank:\n%s", name, page.text)
		}
	}
	if page := b.get("/ui/nothing"); !page.shows("Bank of ann") || !page.shows("barn") {
		t.Errorf("the own bank is not shown:\n%s", page.text)
	}
	if _, err := w.access.Revoke(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	for name, page := range faults() {
		if page.shows("hidden-harbour") || page.shows("barn") || page.shows("Bank of") {
			t.Errorf("%s: shows a bank to a token that was revoked:\n%s", name, page.text)
		}
	}
}

// TestNewsAreNoVisit: what the script asks for by itself takes no note from who should read
// it, and keeps no session alive.
func TestNewsAreNoVisit(t *testing.T) {
	w := newWorld(t, false)
	id := w.save(w.scope, remember.SaveRequest{Content: "The spare key hangs behind the clock."})
	b := w.entered()
	page := b.get("/ui/memory/" + id)
	b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	b.submit(page, "/ui/memory/"+id+"/forget", nil)
	b.client.CheckRedirect = nil
	b.header.Set("X-Part", "news")
	if news := b.get("/ui/timeline"); news.status != http.StatusOK || news.shows("Forgotten.") {
		t.Errorf("news: %d\n%s", news.status, news.text)
	}
	b.header.Del("X-Part")
	b.get("/ui/timeline").must(t, http.StatusOK, "Forgotten.")
	b.header.Set("X-Part", "news")
	for range 4 {
		*w.clock = w.clock.Add(10 * time.Minute)
		b.get("/ui/timeline")
	}
	b.header.Del("X-Part")
	if got := b.get("/ui/"); got.path != "/ui/sign-in" {
		t.Errorf("after forty minutes in which nobody looked still at %s", got.path)
	}
}

// TestFormsOfAConflictLeadBack: the page that answers a form is not where its own forms lead.
func TestFormsOfAConflictLeadBack(t *testing.T) {
	w := newWorld(t, false)
	id := w.save(w.scope, remember.SaveRequest{Content: "The ferry runs at ten."})
	b := w.entered()
	old := b.get("/ui/memory/" + id)
	b.submit(old, "/ui/memory/"+id+"/details", url.Values{"tags": {"ferry"}})
	conflict := b.submit(old, "/ui/memory/"+id+"/edit", url.Values{"content": {"The ferry runs at noon."}})
	conflict.must(t, http.StatusConflict)
	if pinned := b.submit(conflict, "/ui/memory/"+id+"/pin", nil); pinned.status != http.StatusOK || pinned.path != "/ui/memory/"+id {
		t.Errorf("pinned from there: %d at %s", pinned.status, pinned.path)
	}
	for _, to := range []string{`/ui/../\evil.example`, "/ui/..//evil.example", "//evil.example/ui", "/uix", "https://evil.example/ui/",
		`/ui\evil`, "/ui/%5c..", "/ui/%2e%2e/mcp"} {
		b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		got := b.submit(conflict, "/ui/memory/"+id+"/pin", url.Values{"back": {to}})
		if at := got.header.Get("Location"); at != "/ui/memory/"+id {
			t.Errorf("back to %q leads to %q", to, at)
		}
	}
}

// TestToldOfOneProject: entries of others on the first pages do not hide its own.
func TestToldOfOneProject(t *testing.T) {
	w := newWorld(t, false)
	w.save(memory.Scope{Agent: "default", Project: "barn"}, remember.SaveRequest{Content: "The barn is red."})
	w.save(memory.Scope{Agent: "default", Project: "mill"}, remember.SaveRequest{Content: "The mill is old."})
	for i := range 59 {
		*w.clock = w.clock.Add(time.Minute)
		project := "mill"
		if i < 2 {
			project = "barn"
		}
		w.told.Page(memory.Scope{Agent: "default", Project: project}, "memory_recall",
			fmt.Sprintf("asked %d of the %s", i, project), nil, 1)
	}
	w.told.Flush(t.Context())
	b := w.entered()
	b.submit(b.get("/ui/told"), "/ui/project", url.Values{"project": {"barn"}})
	page := b.get("/ui/told")
	page.must(t, http.StatusOK, "asked 1 of the barn", "asked 0 of the barn")
	if strings.Contains(textOf(page.find(func(n *html.Node) bool { return n.Data == "main" })), "mill") || page.shows("Older") {
		t.Errorf("what is not of the project:\n%s", page.text)
	}
}
