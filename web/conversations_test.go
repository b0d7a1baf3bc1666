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
	"mcp-memory/contextwindow"
	"mcp-memory/memory"
)

// says reports messages of a session, by turns of a user and an assistant.
func (w *world) says(agent, session string, contents ...string) {
	w.t.Helper()
	windows := contextwindow.New(w.bank.WindowOptions())
	for i, content := range contents {
		*w.clock = w.clock.Add(time.Minute)
		m := contextwindow.Message{Role: memory.RoleUser, Content: content}
		if i%2 == 1 {
			m = contextwindow.Message{Role: memory.RoleAssistant, Content: content, Thinking: "thought of " + session,
				ToolCalls: []memory.ToolCall{{Name: "bash <b>", Arguments: []byte(`{"command":"ls"}`), Result: "files"}}}
		}
		if _, err := windows.Append(w.t.Context(),
			contextwindow.AppendRequest{Scope: memory.Scope{Agent: agent}, Session: session, Messages: []contextwindow.Message{m},
				Total: 4000, Reserve: new(int)}); err != nil {
			w.t.Fatal(err)
		}
	}
	if err := windows.Close(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

func TestConversations(t *testing.T) {
	w := newWorld(t, false)
	var long []string
	for i := range 45 {
		long = append(long, fmt.Sprintf("Message number %d about the harbour.", i))
	}
	w.says("default", "a/b <i>", long...)
	w.says("default", "other", "The mill is old.", "<script>alert(1)</script>"+strings.Repeat(" word", 1000))
	b := w.entered()
	page := b.get("/ui/conversations")
	page.must(t, http.StatusOK, "a/b <i>", "45 messages", "other", "2 messages")
	first := b.get("/ui/conversations?" + url.Values{"session": {"a/b <i>"}}.Encode())
	first.must(t, http.StatusOK, "Context window", "Message number 0 about", "Called bash <b>", "thought of a/b <i>", "Later")
	if first.shows("Message number 40 about") {
		t.Error("all on one page")
	}
	if n := first.find(func(n *html.Node) bool { return n.Data == "polyline" }); n == nil ||
		!strings.Contains(attr(n.Parent, "aria-label"), "60 %") || strings.Contains(attr(n, "points"), "NaN") {
		t.Errorf("the use of the window is not drawn:\n%s", first.text)
	}
	later := first.find(func(n *html.Node) bool { return n.Data == "a" && textOf(n) == "Later" })
	b.get(attr(later, "href")).must(t, http.StatusOK, "Message number 44 about", "Earlier")
	b.get("/ui/conversations?"+url.Values{"session": {"a/b <i>"}, "q": {"number 17"}}.Encode()).
		must(t, http.StatusOK, "Message number 17 about")
	cut := b.get("/ui/conversations?session=other")
	cut.must(t, http.StatusOK, "<script>alert(1)</script>", "All of it")
	all := cut.find(func(n *html.Node) bool { return n.Data == "a" && textOf(n) == "All of it" })
	if got := b.get(attr(all, "href")); len(got.text) < len(cut.text) || strings.Count(got.text, " word") != 1000 {
		t.Error("not all of it")
	}
	b.get("/ui/conversations?name=oth").must(t, http.StatusOK, "other")
	b.get("/ui/conversations?session=nothing").must(t, http.StatusNotFound, "no such conversation")
	b.get("/ui/conversations?session=other&from=x").must(t, http.StatusBadRequest)
	b.get("/ui/search?kind=turn").must(t, http.StatusOK, "The mill is old.")
}

// TestACondensedConversation: the summary stands beside what was said.
func TestACondensedConversation(t *testing.T) {
	w := newWorld(t, false)
	var long []string
	for i := range 60 {
		long = append(long, fmt.Sprintf("We decided that crate %d goes to parish %d, because the road is open again there.", i, i))
	}
	w.says("default", "crates", long...)
	page := w.entered().get("/ui/conversations?session=crates")
	page.must(t, http.StatusOK, "What the model gets in the place of the first", "Last condensed", "We decided that crate 0 goes",
		"condensed")
}

func TestConversationsOfTokens(t *testing.T) {
	w := newWorld(t, true)
	w.says("ann", "hers", "Ann says hello.")
	w.says("bob", "his", "Bob says goodbye.")
	_, all := w.token(access.Request{Agent: "ann"})
	_, narrow := w.token(access.Request{Agent: "ann", Projects: []string{"barn"}})
	b := w.signedIn(all)
	page := b.get("/ui/conversations")
	page.must(t, http.StatusOK, "Ann says hello.")
	if page.shows("Bob") {
		t.Errorf("a bank sees another's:\n%s", page.text)
	}
	b.get("/ui/conversations?session=his").must(t, http.StatusNotFound)
	w.signedIn(narrow).get("/ui/conversations").must(t, http.StatusForbidden, "whole bank")
}
