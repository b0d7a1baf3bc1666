package web_test

import (
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
	"mcp-memory/web"
)

// TestBanks: an operator sees how every bank does, and comes there wherever it enters.
func TestBanks(t *testing.T) {
	w := newWorld(t, true)
	w.save(memory.Scope{Agent: "ann"}, remember.SaveRequest{Content: "The barn is red."})
	*w.clock = w.clock.Add(time.Hour)
	w.save(memory.Scope{Agent: "bob"}, remember.SaveRequest{Content: "The mill wheel is broken."})
	w.told.Page(memory.Scope{Agent: "ann"}, "hook prompt", "What colour has the barn?", nil, 3)
	w.told.Flush(t.Context())
	_, secret := w.token(access.Request{Agent: "ops", Operator: true})
	b := w.browser()
	page := b.send("/ui/sign-in", url.Values{"token": {secret}})
	if page.path != "/ui/banks" {
		t.Errorf("an operator enters at %s", page.path)
	}
	page.must(t, http.StatusOK, "test 1.0", "Serves since2026-03-01 09:00", "MiB with all banks", "Nothing is known to be wrong",
		"The newest is of 2026-03-01 10:00, in /var/backups", "Operator: how banks do")
	want := []string{"ann|1|0|0|0|0|empty|2026-03-01 13:00|2026-03-01 12:00", "bob|1|0|0|0|0|empty|never|2026-03-01 13:00"}
	if got := banksOn(page); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, word := range []string{"barn", "mill", "Today", "Search", "Bank of"} {
		if page.shows(word) {
			t.Errorf("an operator is shown %s:\n%s", word, page.text)
		}
	}
	if home := b.get("/ui/"); home.path != "/ui/banks" {
		t.Errorf("at home an operator is at %s", home.path)
	}
	if out := b.submit(page, "/ui/sign-out", nil); out.path != "/ui/sign-in" {
		t.Errorf("signing out leads to %s", out.path)
	}
	if got := b.get("/ui/banks"); got.path != "/ui/sign-in" {
		t.Errorf("signed out, and still at %s", got.path)
	}
}

// TestBanksAreForOperators: no other token sees them. Who came in by a link is who runs the program.
func TestBanksAreForOperators(t *testing.T) {
	w := newWorld(t, true)
	everybody := w.browser()
	everybody.send("/ui/sign-in", url.Values{}).must(t, http.StatusOK, "Today")
	everybody.get("/ui/banks").must(t, http.StatusForbidden, "for operators")
	for _, r := range []access.Request{{Agent: "ann"}, {Agent: "ann", ReadOnly: true}, {Agent: "ann", Projects: []string{"barn"}}} {
		_, secret := w.token(r)
		b := w.signedIn(secret)
		page := b.get("/ui/")
		if page.must(t, http.StatusOK, "Today"); page.shows("Banks") {
			t.Errorf("%+v is led to the banks", r)
		}
		b.get("/ui/banks").must(t, http.StatusForbidden, "for operators")
	}
	own := newWorld(t, false)
	own.save(memory.Scope{Agent: "work"}, remember.SaveRequest{Content: "The barn is red."})
	b := own.entered()
	b.get("/ui/health").must(t, http.StatusOK, "How the banks of all agents do")
	if got := banksOn(b.get("/ui/banks")); len(got) != 1 || !strings.HasPrefix(got[0], "work|1|") {
		t.Errorf("%q", got)
	}
}

// banksOn are the lines of the table of banks on a page, without its head.
func banksOn(page reply) (lines []string) {
	each(page.doc, func(n *html.Node) {
		if n.Data != "tr" || n.Parent.Data != "tbody" {
			return
		}
		var cells []string
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			cells = append(cells, textOf(c))
		}
		lines = append(lines, strings.Join(cells, "|"))
	})
	return lines
}

// TestManyBanks are listed page by page, by their names.
func TestManyBanks(t *testing.T) {
	w := newWorld(t, true)
	for i := range 45 {
		w.save(memory.Scope{Agent: fmt.Sprintf("agent-%02d", i)}, remember.SaveRequest{Content: "Something."})
	}
	_, secret := w.token(access.Request{Agent: "ops", Operator: true})
	b := w.browser()
	b.send("/ui/sign-in", url.Values{"token": {secret}})
	for _, want := range []struct {
		after, first, last string
		more               bool
	}{{"", "agent-00", "agent-19", true}, {"agent-19", "agent-20", "agent-39", true},
		{"agent-39", "agent-40", "agent-44", false}, {"agent-19x", "agent-20", "agent-39", true}, {"zz", "", "", false}} {
		page := b.get("/ui/banks?after=" + want.after)
		page.must(t, http.StatusOK, want.first, want.last)
		if strings.Contains(page.text, "More banks") != want.more || want.after != "" && page.shows("agent-00") {
			t.Errorf("after %q:\n%s", want.after, page.text)
		}
	}
}

// TestAnOperatorReadsNothing: whatever it asks at whichever address, no word of any bank comes, and
// nothing of one is changed.
func TestAnOperatorReadsNothing(t *testing.T) {
	const theirs, own = "Zaubernuss", "Quittenbaum"
	w := newWorld(t, true)
	bob, ops := w.fill("bob", theirs), w.fill("ops", own)
	bob.link, ops.link = w.request("bob", theirs), w.request("ops", own)
	_, secret := w.token(access.Request{Agent: "ops", Operator: true})
	before := w.state("bob") + w.state("ops")
	b := w.browser()
	page := b.send("/ui/sign-in", url.Values{"token": {secret}})
	page.must(t, http.StatusOK, "bob", "ops")
	key, asked := keyOf(page), 0
	for _, x := range []ids{bob, ops} {
		for _, a := range w.addresses(func(a web.Address) bool { return !a.Free }, x.all()...) {
			for _, fields := range x.asked(a.Method) {
				var got reply
				if a.Method == http.MethodGet {
					got = b.get("/ui" + a.Path + "?" + fields.Encode())
				} else {
					fields.Set("key", key)
					got = b.send("/ui"+a.Path, fields)
				}
				asked++
				what := a.Method + " " + a.Path + "?" + fields.Encode()
				if strings.Contains(got.text, theirs) || strings.Contains(got.text, own) {
					t.Fatalf("%s shows a bank:\n%s", what, got.text)
				}
				if got.path != "/ui/banks" && (got.status != http.StatusForbidden || !got.shows("an operator's")) {
					t.Errorf("%s: %d at %s", what, got.status, got.path)
				}
			}
		}
	}
	if got := b.get("/ui/events"); got.status != http.StatusForbidden {
		t.Errorf("the stream of changes: %d", got.status)
	}
	if after := w.state("bob") + w.state("ops"); after != before || asked < 300 {
		t.Errorf("after %d questions a bank was changed:\n%s\n%s", asked, before, after)
	}
}
