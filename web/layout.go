package web

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/web/html"
)

// navLink is a page that every page leads to.
type navLink struct {
	path, title string
	reach       access.Reach
}

// links are in the order in which they are shown.
var links = []navLink{
	{"/", "Today", access.Projects},
	{"/search", "Search", access.Projects},
	{"/review", "Review", access.WholeBank},
	{"/told", "Told", access.Projects},
	{"/timeline", "Timeline", access.Projects},
	{"/plans", "Plans", access.WholeBank},
	{"/conversations", "Conversations", access.WholeBank},
	{"/people", "People", access.WholeBank},
	{"/files", "Files", access.WholeBank},
	{"/sharing", "Sharing", access.WholeBank},
	{"/health", "Health", access.WholeBank},
	{"/banks", "Banks", access.AllBanks},
}

// page writes a whole page.
func (v *visit) page(p page) {
	if p.status == 0 {
		p.status = http.StatusOK
	}
	main := html.List{html.H1(p.title)}
	if v.session != nil && !v.wantsPart(newsPart) {
		for _, n := range v.session.takeNotes() {
			main = append(main, v.said(n))
		}
	}
	body := []any{
		html.A(html.Class("skip"), html.Href("#main"), "Skip to the content"),
		v.header(p),
		html.El("p", html.ID("status"), html.Attr("role", "status"), html.Attr("aria-live", "polite"), html.Flag("hidden", true)),
		html.El("main", html.ID("main"), html.Attr("tabindex", "-1"), append(main, p.body)),
		v.footer(),
	}
	if v.session != nil && !access.IsOperator(v.context()) {
		body = append(body, html.Data("events", Root+"/events"))
	}
	var onward html.Node
	if p.onward != "" {
		onward = html.El("meta", html.Attr("http-equiv", "refresh"), html.Attr("content", "0; url="+p.onward))
	}
	v.send(p.status, "text/html; charset=utf-8", html.Page("en",
		html.El("head",
			html.El("meta", html.Attr("charset", "utf-8")),
			html.El("meta", html.Name("viewport"), html.Attr("content", "width=device-width, initial-scale=1")),
			html.El("meta", html.Name("color-scheme"), html.Attr("content", "light dark")),
			onward,
			html.El("title", p.title+" · Memory"),
			html.El("link", html.Attr("rel", "icon"), html.Href(assetPath("icon.svg"))),
			html.El("link", html.Attr("rel", "stylesheet"), html.Href(assetPath("page.css"))),
			html.El("script", html.Src(assetPath("page.js")), html.Flag("defer", true)),
		),
		html.El("body", body...),
	))
}

// said is what was done, and how to take it back.
func (v *visit) said(n note) html.Node {
	parts := []any{html.Class("note"), html.Attr("role", "status"), html.Span(n.text)}
	if n.undo != "" && v.writes() {
		parts = append(parts, v.form("/undo", hidden("id", n.undo), hidden("back", v.address()), html.Class("inline"), html.Button("Undo")))
	}
	return html.Div(parts...)
}

func (v *visit) header(p page) html.Node {
	parts := []any{html.A(html.Class("brand"), html.Href(Root+"/"), "Memory")}
	if v.session == nil {
		return html.El("header", parts...)
	}
	current := v.r.URL.Path[len(Root):]
	var items html.List
	for _, l := range links {
		if _, token := access.From(v.context()); !v.open(l.reach) || l.reach == access.AllBanks && !token {
			continue // the process's own agent finds the other banks by its page of health
		}
		here := []html.Attribute{}
		if current == l.path {
			here = append(here, html.Attr("aria-current", "page"))
		}
		var waiting html.Node
		if l.path == "/review" {
			waiting = v.waiting()
		}
		items = append(items, html.Li(html.A(html.Href(Root+l.path), here, l.title, waiting)))
	}
	return html.El("header", append(parts,
		html.El("nav", html.AriaLabel("Pages"), html.Ul(items)),
		v.projectChoice(),
	)...)
}

// projectChoice says which project is looked at, and changes it.
func (v *visit) projectChoice() html.Node {
	if access.IsOperator(v.context()) {
		return nil
	}
	scope, err := v.scope()
	if err != nil {
		return nil
	}
	open := access.ReadableProjects(v.context())
	names := open
	if open == nil {
		names = append([]string{memory.AllProjects, ""}, v.site.projects.of(v.context(), scope.Agent)...)
	}
	if !slices.Contains(names, scope.Project) {
		names = append(names, scope.Project)
	}
	if len(names) <= 2 && open == nil {
		return nil
	}
	var options html.List
	for _, name := range names {
		options = append(options, html.Option(html.Value(name), html.Flag("selected", name == scope.Project), projectTitle(name)))
	}
	return v.form("/project", html.Class("project"), html.Data("send", "change"), hidden("back", v.address()),
		html.Label(html.For("project"), "Project"),
		html.Select(html.ID("project"), html.Name("project"), options), html.Button("Show"))
}

func projectTitle(name string) string {
	switch name {
	case memory.AllProjects:
		return "all projects"
	case "":
		return "global"
	}
	return name
}

func (v *visit) footer() html.Node {
	if v.session == nil {
		return nil
	}
	out := v.form("/sign-out", html.Class("inline"), html.Button("Sign out"))
	if access.IsOperator(v.context()) {
		return html.El("footer", html.P("Operator: how banks do, not what is in them"), out)
	}
	scope, err := v.scope()
	if err != nil {
		return nil
	}
	may := ""
	if !v.writes() {
		may = ", may only read"
	}
	return html.El("footer", html.P("Bank of ", html.Strong(html.El("bdi", scope.Agent)), may), out)
}

// projectNames remembers the names of projects for a moment: every page has them.
type projectNames struct {
	memories Memories
	mu       sync.Mutex
	known    map[string]knownNames
}

type knownNames struct {
	names []string
	at    time.Time
}

func newProjectNames(m Memories) *projectNames {
	return &projectNames{memories: m, known: map[string]knownNames{}}
}

// namesLife is how long names of projects are taken to be right.
const namesLife = 20 * time.Second

func (p *projectNames) of(ctx context.Context, agent string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if k, ok := p.known[agent]; ok && time.Since(k.at) < namesLife {
		return k.names
	}
	all, err := p.memories.Projects(ctx, agent)
	if err != nil {
		return p.known[agent].names // a page without them is better than none
	}
	var names []string
	for _, one := range all {
		if one.Name != "" {
			names = append(names, one.Name)
		}
	}
	p.known[agent] = knownNames{names, time.Now()}
	return names
}

// when is a moment as a person reads it, in their time zone.
func (v *visit) when(t time.Time) html.Node {
	if t.IsZero() {
		return nil
	}
	return html.El("time", html.Attr("datetime", t.UTC().Format(time.RFC3339)), v.site.moment(t))
}

// moment is a time in words.
func (s *Site) moment(t time.Time) string {
	if memory.DateOnly(t) {
		return t.Format(time.DateOnly)
	}
	return s.o.Clock.In(t).Format("2006-01-02 15:04")
}

// text is what a person or agent wrote: it runs its own way, and breaks its lines.
func text(content string) html.Node {
	return html.Div(html.Class("text"), html.Attr("dir", "auto"), content)
}

// count is a number of things.
func count(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + more
}
