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
	"mcp-memory/cognition"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

func (w *world) triple(agent, subject, predicate, object string, from time.Time) {
	w.t.Helper()
	many := predicate == "stands beside"
	if _, err := w.cognition.SaveTriple(w.t.Context(), memory.Scope{Agent: agent},
		cognition.TripleRequest{Subject: subject, Predicate: predicate, Object: object, Confidence: 0.9, ValidFrom: from,
			MultiValued: &many}); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) trusts(agent, party string, trust float64) string {
	w.t.Helper()
	mentor := "mentor"
	saved, err := w.cognition.UpdateRelationship(w.t.Context(), memory.Scope{Agent: agent},
		cognition.RelationshipUpdate{Party: party, Type: &mentor, Trust: &trust, Interaction: true})
	if err != nil {
		w.t.Fatal(err)
	}
	return saved.Record.ID
}

func TestPeopleAndRelations(t *testing.T) {
	w := newWorld(t, false)
	w.trusts("default", "Ines <b>", 0.4)
	*w.clock = w.clock.Add(24 * time.Hour)
	id := w.trusts("default", "Ines <b>", 0.9)
	w.triple("default", "Ines", "lives in", "Porto", time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC))
	w.triple("default", "Porto", "lies in", "Portugal", time.Time{})
	w.triple("default", "Ines", "lives in", "Braga", time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC))
	b := w.entered()
	page := b.get("/ui/people")
	page.must(t, http.StatusOK, "Ines <b>", "mentor", "2 meetings", "lives in", "Braga", "Portugal")
	circles, lines := 0, 0
	each(page.doc, func(n *html.Node) {
		switch n.Data {
		case "circle":
			circles++
		case "line":
			lines++
		}
	})
	if circles != 4 || lines != 2 { // Ines and Braga, Porto and Portugal
		t.Errorf("%d things, %d lines\n%s", circles, lines, page.text)
	}
	past := b.get("/ui/people?about=ines&as_of=2025-06-01")
	past.must(t, http.StatusOK, "Porto")
	if strings.Contains(textOf(past.find(func(n *html.Node) bool { return n.Data == "tbody" })), "Braga") {
		t.Errorf("what became true later:\n%s", past.text)
	}
	if now := b.get("/ui/people?about=Portugal"); !now.shows("Porto") || now.shows("Braga") {
		t.Errorf("about Portugal:\n%s", now.text)
	}
	b.get("/ui/people?as_of=soon").must(t, http.StatusBadRequest, "no date")
	b.get("/ui/memory/"+id).must(t, http.StatusOK, "Trust", "2 times")
	if n := b.get("/ui/memory/" + id).find(func(n *html.Node) bool { return n.Data == "polyline" }); n == nil ||
		!strings.Contains(attr(n.Parent, "aria-label"), "trust from 0.40 to 0.90") {
		t.Error("how trust changed is not drawn")
	}
}

// TestPeopleOfManyThings: a big graph is drawn in part, the same each time.
func TestPeopleOfManyThings(t *testing.T) {
	w := newWorld(t, false)
	for i := range 150 {
		w.triple("default", fmt.Sprintf("thing %d", i%50), "stands beside", fmt.Sprintf("thing %d", (i*7+1+i/50)%50), time.Time{})
	}
	b := w.entered()
	page := b.get("/ui/people")
	page.must(t, http.StatusOK, "Older")
	svg := func(r reply) string {
		_, rest, _ := strings.Cut(r.text, `<svg class="graph"`)
		drawn, _, _ := strings.Cut(rest, "</svg>")
		return drawn
	}
	if got := strings.Count(svg(page), "<circle"); got < 20 || got > 36 {
		t.Errorf("%d things", got)
	}
	if svg(page) != svg(b.get("/ui/people")) || strings.Contains(svg(page), "NaN") {
		t.Error("the drawing is another one each time, or none")
	}
}

func TestPeopleOfTokens(t *testing.T) {
	w := newWorld(t, true)
	w.trusts("ann", "Tove", 0.5)
	w.trusts("bob", "Sven", 0.5)
	w.triple("bob", "Sven", "owns", "the mill", time.Time{})
	_, all := w.token(access.Request{Agent: "ann"})
	_, narrow := w.token(access.Request{Agent: "ann", Projects: []string{"barn"}})
	page := w.signedIn(all).get("/ui/people")
	page.must(t, http.StatusOK, "Tove", "Nothing is.")
	if page.shows("Sven") {
		t.Errorf("a bank sees another's:\n%s", page.text)
	}
	w.signedIn(narrow).get("/ui/people").must(t, http.StatusForbidden, "whole bank")
}

// TestPeopleOfMemories: whom memories speak of has a card with what they say, under the whole name; what is no person has none.
func TestPeopleOfMemories(t *testing.T) {
	w := newWorld(t, true)
	barn, mill := memory.Scope{Agent: "ann", Project: "barn"}, memory.Scope{Agent: "ann", Project: "mill"}
	for _, one := range []struct {
		scope          memory.Scope
		text, category string
	}{
		{memory.Scope{Agent: "ann"}, "The user's name is Ann Dahl.", "identity"},
		{barn, "Kjell Berg tests the roof of the barn.", "social"},
		{mill, "The wheel was mended by Kjell after the flood.", "technical"},
		{barn, "Visual Studio is slow on the old machine.", "technical"},
		{barn, "Ann's mother, Birgitta, turns seventy in February.", "social"},
		{memory.Scope{Agent: "bob"}, "Sven Holm owns the ferry.", "social"},
	} {
		w.save(one.scope, remember.SaveRequest{Content: one.text, Category: one.category})
	}
	w.trusts("ann", "Kjell Berg", 0.7)
	_, all := w.token(access.Request{Agent: "ann"})
	b := w.signedIn(all)
	cards := map[string]string{}
	page := b.get("/ui/people")
	each(page.doc, func(n *html.Node) {
		if n.Data == "article" && attr(n, "class") == "card" {
			cards[textOf(n.FirstChild)] = textOf(n)
		}
	})
	if len(cards) != 3 {
		t.Errorf("cards of %v", cards)
	}
	for name, says := range map[string][]string{
		"Ann Dahl":   {"the user", "Birgitta, turns seventy"},
		"Kjell Berg": {"mentor", "0.70", "tests the roof", "mended by Kjell"}, "Birgitta": {"turns seventy"},
	} {
		for _, text := range says {
			if !strings.Contains(cards[name], text) {
				t.Errorf("the card of %s does not say %q: %q", name, text, cards[name])
			}
		}
	}
	b.get("/ui/people?about=kjell+berg").must(t, http.StatusOK, "mended by Kjell")
	b.submit(page, "/ui/project", url.Values{"project": {"barn"}})
	if some := b.get("/ui/people"); some.shows("mended by Kjell") || !some.shows("tests the roof") {
		t.Errorf("of another project:\n%s", some.text)
	}
}
