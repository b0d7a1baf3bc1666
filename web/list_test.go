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

// TestNewest: where nothing is asked, the newest come, page by page and narrowed.
func TestNewest(t *testing.T) {
	w := newWorld(t, false)
	for i := range 40 {
		*w.clock = w.clock.Add(time.Minute)
		category := "technical"
		if i == 3 {
			category = "financial"
		}
		w.save(w.scope, remember.SaveRequest{Content: fmt.Sprintf("Shelf number %d has maps of parish %d.", i, i), Category: category})
	}
	w.save(memory.Scope{Agent: "other"}, remember.SaveRequest{Content: "Of another bank."})
	b := w.entered()
	page := b.get("/ui/search")
	page.must(t, http.StatusOK, "Shelf number 39 has", "Shelf number 10 has")
	if page.shows("Shelf number 9 has") || page.shows("another bank") {
		t.Errorf("too much:\n%s", page.text)
	}
	older := page.find(func(n *html.Node) bool { return n.Data == "a" && textOf(n) == "Older" })
	if older == nil {
		t.Fatal("there is no way to older ones")
	}
	rest := b.get(attr(older, "href"))
	rest.must(t, http.StatusOK, "Shelf number 9 has", "Shelf number 0 has")
	if rest.shows("Shelf number 10 has") || rest.shows("Older") {
		t.Errorf("the pages overlap:\n%s", rest.text)
	}
	money := b.get("/ui/search?category=financial")
	money.must(t, http.StatusOK, "Shelf number 3 has")
	if money.shows("Shelf number 4 has") {
		t.Error("the category narrows nothing")
	}
	b.get("/ui/search?kind=diary").must(t, http.StatusOK, "There is nothing here.")
	for _, wrong := range []string{"kind=nonsense", "before=-1", "before=x", "before=999999999999999999999", "category=%3Cb%3E",
		"since=soon"} {
		if got := b.get("/ui/search?" + wrong); got.find(func(n *html.Node) bool { return attr(n, "class") == "failure" }) == nil {
			t.Errorf("%s is taken: %d", wrong, got.status)
		}
	}
}

// TestNewestOfAToken: no more than its projects.
func TestNewestOfAToken(t *testing.T) {
	w := newWorld(t, true)
	w.save(memory.Scope{Agent: "ann", Project: "barn"}, remember.SaveRequest{Content: "The barn roof is red."})
	w.save(memory.Scope{Agent: "ann", Project: "mill"}, remember.SaveRequest{Content: "The mill wheel is broken."})
	w.save(memory.Scope{Agent: "ann"}, remember.SaveRequest{Content: "Ann's dog is called Tove."})
	_, narrow := w.token(access.Request{Agent: "ann", Projects: []string{"barn"}})
	page := w.signedIn(narrow).get("/ui/search")
	page.must(t, http.StatusOK, "barn roof")
	if page.shows("mill wheel") || page.shows("Tove") {
		t.Errorf("a token sees other projects:\n%s", page.text)
	}
}

// TestDetailsOfKinds: what only a kind has is on the page of a memory.
func TestDetailsOfKinds(t *testing.T) {
	w := newWorld(t, false)
	b := w.entered()
	for _, c := range []struct {
		details memory.KindDetails
		kind    memory.Kind
		shows   []string
	}{
		{memory.KindDetails{Procedure: &memory.ProcedureDetails{Name: "Release", Description: "how to release",
			Steps:         []memory.ProcedureStep{{Action: "tag it", ExpectedOutcome: "a tag", ErrorHandling: "delete it"}},
			Prerequisites: []string{"tests pass"}, Executed: 4, Succeeded: 3}}, memory.KindProcedure,
			[]string{"3 of 4 went well (75 %)", "tag it", "Then: a tag", "If it fails: delete it", "tests pass"}},
		{memory.KindDetails{Triple: &memory.TripleDetails{Subject: "Ines", Predicate: "lives_in", Object: "Porto", Confidence: 0.9,
			Origin: "a letter"}}, memory.KindTriple, []string{"Ines · lives_in · Porto", "0.90", "a letter"}},
		{memory.KindDetails{Relationship: &memory.RelationshipDetails{Party: "ines", Name: "Ines", Type: "mentor", Trust: 0.7, Tone: "warm",
			Interactions: 3}}, memory.KindRelationship, []string{"mentor", "0.70", "warm", "3 times"}},
		{memory.KindDetails{Learning: &memory.LearningDetails{Type: memory.LearningCorrection, Context: "while packing", Tool: "bash"}},
			memory.KindLearning, []string{"a correction", "bash", "while packing"}},
	} {
		id := w.save(w.scope, remember.SaveRequest{Content: "Something about " + string(c.kind) + ".", Kind: c.kind,
			KindDetails: c.details})
		b.get("/ui/memory/"+id).must(t, http.StatusOK, c.shows...)
	}
}
