package web_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"golang.org/x/net/html"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

// TestWhyDidItSayThat: what was told leads to the memory, which leads to its correction.
func TestWhyDidItSayThat(t *testing.T) {
	w := newWorld(t, false)
	id := w.save(w.scope, remember.SaveRequest{Content: "The deposit is due in May."})
	for i := range 40 {
		*w.clock = w.clock.Add(time.Minute)
		w.told.Page(memory.Scope{Agent: "default", Session: "s7"}, "hook prompt", fmt.Sprintf("question %d", i), []string{id, "gone"}, 12)
	}
	w.told.Flush(t.Context())
	b := w.entered()
	first := b.get("/ui/told")
	first.must(t, http.StatusOK, "question 39", "hook prompt", "12 tokens", "session s7", "The deposit is due in May.", "and 1 more")
	if first.shows("question 9") {
		t.Error("all on one page")
	}
	older := first.find(func(n *html.Node) bool { return n.Data == "a" && textOf(n) == "Older" })
	if older == nil {
		t.Fatal("there is no way to older ones")
	}
	rest := b.get(attr(older, "href"))
	rest.must(t, http.StatusOK, "question 9", "question 0")
	if rest.shows("question 10") {
		t.Error("the pages overlap")
	}
}

func TestWhatWasToldToOthers(t *testing.T) {
	w := newWorld(t, true)
	for _, s := range []memory.Scope{{Agent: "ann", Project: "barn"}, {Agent: "ann", Project: "mill"}, {Agent: "bob"}} {
		w.save(s, remember.SaveRequest{Content: "Something of " + s.Project + s.Agent})
		w.told.Page(s, "memory_recall", "asked in "+s.Agent+"/"+s.Project, nil, 1)
	}
	w.told.Flush(t.Context())
	_, narrow := w.token(access.Request{Agent: "ann", Projects: []string{"barn"}})
	_, all := w.token(access.Request{Agent: "ann"})
	page := w.signedIn(narrow).get("/ui/told")
	page.must(t, http.StatusOK, "asked in ann/barn")
	if page.shows("mill") || page.shows("bob") {
		t.Errorf("a token sees what others were told:\n%s", page.text)
	}
	page = w.signedIn(all).get("/ui/told")
	page.must(t, http.StatusOK, "asked in ann/barn", "asked in ann/mill")
	if page.shows("bob") {
		t.Error("a bank sees another's")
	}
}
