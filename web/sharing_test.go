package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"mcp-memory/access"
	"mcp-memory/link"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

func TestSharing(t *testing.T) {
	w := newWorld(t, false)
	w.save(w.scope, remember.SaveRequest{Content: "The ferry runs at ten."})
	w.save(w.scope, remember.SaveRequest{Content: "The wifi password is Tr0ub4dor-9xQ!vb"})
	w.save(memory.Scope{Agent: "bob"}, remember.SaveRequest{Content: "Bob has a boat."})
	asked, err := w.links.Request(t.Context(), "bob", link.Request{Agent: "default", Message: "May I <b>know</b>?"})
	if err != nil {
		t.Fatal(err)
	}
	b := w.entered()
	page := b.get("/ui/sharing")
	page.must(t, http.StatusOK, "bob", "May I <b>know</b>?", "Would be copied, at most: 2 of fact", "Nobody's.")
	b.submit(page, "/ui/sharing/"+asked.ID+"/share", url.Values{"kind": nil}).must(t, http.StatusBadRequest, "the tick beside")
	b.submit(page, "/ui/sharing/"+asked.ID+"/share", url.Values{"kind": {"nonsense"}, "sure": {"1"}}).must(t, http.StatusBadRequest)
	b.submit(page, "/ui/sharing/"+asked.ID+"/share", url.Values{"sure": {"1"}, "note": {"with pleasure"}}).
		must(t, http.StatusOK, "Shared with bob: 1 memory was copied", "1 secret stayed here", "Nobody does.")
	if l, err := w.links.Status(t.Context(), "bob", asked.ID); err != nil || l.Status != memory.LinkShared || l.Note != "with pleasure" {
		t.Errorf("%+v, %v", l, err)
	}
	if _, err := w.links.Request(t.Context(), "bob", link.Request{Agent: "default"}); err != nil {
		t.Fatal(err)
	}
	again := b.get("/ui/sharing")
	decline := again.find(func(n *html.Node) bool { return n.Data == "form" && strings.HasSuffix(attr(n, "action"), "/decline") })
	b.submit(again, attr(decline, "action"), nil).must(t, http.StatusOK, "Declined.", "Nobody does.")
	mine := b.submit(again, "/ui/sharing", url.Values{"agent": {"bob"}, "message": {"about the boat"}, "kind": {"fact"}})
	mine.must(t, http.StatusOK, "Asked bob", "about the boat", "kinds: fact")
	revoke := mine.find(func(n *html.Node) bool { return n.Data == "form" && strings.HasSuffix(attr(n, "action"), "/revoke") })
	b.submit(mine, attr(revoke, "action"), nil).must(t, http.StatusOK, "Taken back.", "Nobody's.")
	b.submit(again, "/ui/sharing", url.Values{"agent": {"nobody"}}).must(t, http.StatusNotFound)
}

// TestSharingOfTokens: nobody answers for another, and who may only read answers nobody.
func TestSharingOfTokens(t *testing.T) {
	w := newWorld(t, true)
	for _, agent := range []string{"ann", "bob", "eve"} {
		w.save(memory.Scope{Agent: agent}, remember.SaveRequest{Content: "Something of " + agent + "."})
	}
	asked, err := w.links.Request(t.Context(), "bob", link.Request{Agent: "ann", Message: "to ann only"})
	if err != nil {
		t.Fatal(err)
	}
	_, ann := w.token(access.Request{Agent: "ann", ReadOnly: true})
	_, eve := w.token(access.Request{Agent: "eve"})
	_, narrow := w.token(access.Request{Agent: "ann", Projects: []string{"barn"}})
	r := w.signedIn(ann)
	page := r.get("/ui/sharing")
	page.must(t, http.StatusOK, "to ann only")
	r.send("/ui/sharing/"+asked.ID+"/share", url.Values{"key": {keyOf(page)}, "sure": {"1"}}).must(t, http.StatusForbidden, "may only read")
	e := w.signedIn(eve)
	other := e.get("/ui/sharing")
	if other.shows("to ann only") {
		t.Errorf("a bank sees another's:\n%s", other.text)
	}
	for _, how := range []string{"share", "decline", "revoke"} {
		if got := e.send("/ui/sharing/"+asked.ID+"/"+how,
			url.Values{"key": {keyOf(other)}, "sure": {"1"}}); got.status != http.StatusNotFound {
			t.Errorf("%s by another: %d", how, got.status)
		}
	}
	w.signedIn(narrow).get("/ui/sharing").must(t, http.StatusForbidden, "whole bank")
	if l, err := w.links.Status(t.Context(), "bob", asked.ID); err != nil || l.Status != memory.LinkPending {
		t.Errorf("%+v, %v", l, err)
	}
}
