package web_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"mcp-memory/access"
	"mcp-memory/actions"
	"mcp-memory/changes"
	"mcp-memory/cognition"
	"mcp-memory/consolidate"
	"mcp-memory/internal/testbank"
	"mcp-memory/link"
	"mcp-memory/memory"
	"mcp-memory/planning"
	"mcp-memory/recall"
	"mcp-memory/remember"
	"mcp-memory/resources"
	"mcp-memory/review"
	"mcp-memory/salience"
	"mcp-memory/told"
	"mcp-memory/upkeep"
	"mcp-memory/web"
	"mcp-memory/workspace"
)

// world is a bank behind its page.
type world struct {
	t      testing.TB
	bank   *testbank.Bank
	site   *web.Site
	server *httptest.Server
	clock  *time.Time
	access *access.Service
	scope  memory.Scope
	told   *told.Service

	cognition *cognition.Service
	planning  *planning.Service
	links     *link.Service
	review    *review.Service
	recall    *recall.Service
}

// newWorld has a page for whoever has a link, or with tokens for these.
func newWorld(t testing.TB, tokens bool) *world {
	t.Helper()
	return newWorldWith(t, tokens, nil)
}

// newWorldWith lets a test add to the options, and to who knows tokens.
func newWorldWith(t testing.TB, tokens bool, edit func(*world, *web.Options) access.Verifier) *world {
	t.Helper()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	begun := now
	w := &world{t: t, clock: &now, scope: memory.Scope{Agent: "default"}}
	clock := func() time.Time { return *w.clock }
	w.bank = testbank.New(t, testbank.Options{Clock: clock})
	guard := access.NewGuard(w.bank.Store, clock)
	ro, co := w.bank.RememberOptions(), w.bank.RecallOptions()
	ro.Store, co.Store = guard, guard
	co.Recalled = func(memory.Scope, []string) { t.Error("looking counts as a recall") }
	keep := remember.New(ro)
	w.recall = recall.New(co)
	links := link.New(link.Options{Store: guard, Clock: clock, IDs: w.bank.IDs, Queued: func() {}, Log: w.bank.Log})
	o := web.Options{
		Agent: "default", Clock: clock, Log: slog.New(slog.DiscardHandler), Memories: keep, Recall: w.recall,
		Start: resources.New(resources.Options{
			Store: guard, Links: links, Salience: salience.Default(), Tokens: w.bank.Tokens, Clock: clock,
			Files: func(agent string) resources.Files { return workspace.Open(w.bank.Dir, agent) },
		}),
		Scope: func(ctx context.Context, project *string) (memory.Scope, error) {
			if i, ok := access.From(ctx); ok {
				return i.Scope(project)
			}
			scope := w.scope
			if project != nil {
				scope.Project = *project
			}
			return scope, nil
		},
	}
	w.told = told.New(told.Options{Store: guard, Clock: clock, IDs: w.bank.IDs, Log: w.bank.Log, Keep: time.Hour})
	o.Told = w.told
	co2 := w.bank.ConsolidateOptions()
	co2.Store = guard
	o.Changes = changes.New(keep, consolidate.New(co2), "")
	w.review = review.New(review.Options{Store: guard, Clock: clock, Log: w.bank.Log})
	o.Review = w.review
	known := w.bank.CognitionOptions()
	known.Store = guard
	w.cognition = cognition.New(known)
	plans := w.bank.PlanningOptions()
	plans.Store = guard
	w.planning = planning.New(plans)
	o.Planning, o.Links = w.planning, links
	w.links = links
	o.Cognition, o.Conversations = w.cognition, guard
	o.Work = actions.New(actions.Options{Store: guard, Recall: w.recall, Clock: clock, Keep: 1 << 20})
	o.Files = func(agent string) workspace.Dir { return workspace.Open(w.bank.Dir, agent) }
	o.Counter, o.Machine = guard, &machine{now: clock}
	o.Banks = upkeep.NewOverview(w.bank.Store, "test 1.0", begun.Add(-3*time.Hour),
		func() (string, time.Time, error) { return "/var/backups", begun.Add(-2 * time.Hour), nil })
	var verifier access.Verifier
	if edit != nil {
		verifier = edit(w, &o)
	}
	w.access = access.New(w.bank.Store, verifier, clock, w.bank.IDs)
	if tokens {
		o.Access, o.Audit = w.access, guard
	}
	w.site = web.New(o)
	w.server = httptest.NewServer(w.site)
	t.Cleanup(func() { w.site.Close(); w.server.Close() })
	return w
}

func (w *world) save(scope memory.Scope, r remember.SaveRequest) string {
	w.t.Helper()
	saved, err := w.bank.Remember.Save(w.t.Context(), scope, r)
	if err != nil {
		w.t.Fatal(err)
	}
	return saved.ID
}

// token makes one.
func (w *world) token(r access.Request) (id, secret string) {
	w.t.Helper()
	token, secret, err := w.access.Create(w.t.Context(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	return token.ID, secret
}

// browser is one browser.
type browser struct {
	*world
	client *http.Client
	header http.Header
}

func (w *world) browser() *browser {
	jar, _ := cookiejar.New(nil)
	return &browser{w, &http.Client{Jar: jar}, http.Header{}}
}

// entered is a browser that used a link.
func (w *world) entered() *browser {
	w.t.Helper()
	b := w.browser()
	if got := b.get(w.site.Link()); got.status != http.StatusOK {
		w.t.Fatalf("the link: %d\n%s", got.status, got.text)
	}
	return b
}

// signedIn is a browser that has a token.
func (w *world) signedIn(secret string) *browser {
	w.t.Helper()
	b := w.browser()
	if got := b.send("/ui/sign-in", url.Values{"token": {secret}}); got.status != http.StatusOK || got.path != "/ui/" {
		w.t.Fatalf("signing in: %d at %s\n%s", got.status, got.path, got.text)
	}
	return b
}

// reply is what came.
type reply struct {
	status int
	path   string
	header http.Header
	text   string
	doc    *html.Node
}

func (b *browser) do(r *http.Request) reply {
	b.t.Helper()
	for name, values := range b.header {
		r.Header[name] = values
	}
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	answer, err := b.client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	doc, err := html.Parse(strings.NewReader(string(text)))
	if err != nil {
		b.t.Fatal(err)
	}
	return reply{answer.StatusCode, answer.Request.URL.Path, answer.Header, string(text), doc}
}

func (b *browser) get(path string) reply {
	b.t.Helper()
	r, err := http.NewRequest(http.MethodGet, b.server.URL+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.do(r)
}

// send posts a form as it is.
func (b *browser) send(path string, form url.Values) reply {
	b.t.Helper()
	r, err := http.NewRequest(http.MethodPost, b.server.URL+path, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return b.do(r)
}

// submit fills a form of a page in and posts it, with what is hidden in it.
func (b *browser) submit(page reply, action string, fields url.Values) reply {
	b.t.Helper()
	form := page.find(func(n *html.Node) bool { return n.Data == "form" && attr(n, "action") == action })
	values := url.Values{}
	if form == nil { // or a button of a form around a list
		button := page.find(func(n *html.Node) bool { return n.Data == "button" && attr(n, "formaction") == action })
		if button == nil {
			b.t.Fatalf("%s has no form to %s\n%s", page.path, action, page.text)
		}
		for form = button; form.Data != "form"; form = form.Parent {
		}
		if name := attr(button, "name"); name != "" {
			values.Set(name, attr(button, "value"))
		}
	}
	each(form, func(n *html.Node) {
		switch name := attr(n, "name"); {
		case name == "":
		case n.Data == "input" && attr(n, "type") != "checkbox":
			values.Set(name, attr(n, "value"))
		case n.Data == "textarea":
			values.Set(name, textOf(n))
		}
	})
	for name, all := range fields {
		values[name] = all
	}
	return b.send(action, values)
}

func each(n *html.Node, fn func(*html.Node)) {
	fn(n)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		each(c, fn)
	}
}

func (r reply) find(fits func(*html.Node) bool) (found *html.Node) {
	each(r.doc, func(n *html.Node) {
		if found == nil && n.Type == html.ElementNode && fits(n) {
			found = n
		}
	})
	return found
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func textOf(n *html.Node) string {
	var b strings.Builder
	each(n, func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
	})
	return b.String()
}

// link is where a link with that text leads, "" where there is none.
func (r reply) link(text string) string {
	found := r.find(func(n *html.Node) bool { return n.Data == "a" && textOf(n) == text })
	if found == nil {
		return ""
	}
	return attr(found, "href")
}

// shows reports whether a person reads that on the page.
func (r reply) shows(text string) bool {
	return strings.Contains(strings.Join(strings.Fields(textOf(r.doc)), " "), text)
}

func (r reply) must(t *testing.T, status int, texts ...string) {
	t.Helper()
	if r.status != status {
		t.Errorf("%s: status %d instead of %d\n%s", r.path, r.status, status, r.text)
	}
	for _, text := range texts {
		if !r.shows(text) {
			t.Errorf("%s does not show %q:\n%s", r.path, text, r.text)
		}
	}
}

// keyOf is the session's key as the forms of a page have it.
func keyOf(page reply) string {
	return attr(page.find(func(n *html.Node) bool { return n.Data == "input" && attr(n, "name") == "key" }), "value")
}
