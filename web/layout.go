package web

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/web/html"
)

// navLink is a page in the navigation.
type navLink struct {
	path, title string
	reach       access.Reach
}

// place is an entry of the main navigation. If it has several pages, they are shown as tabs.
type place struct {
	title string
	pages []navLink
}

// places are in the order in which they are shown. The keys 1 to 5 open them.
var places = []place{
	{"Today", []navLink{{"/", "Today", access.Projects}}},
	{"Memories", []navLink{{"/memories", "All", access.Projects}, {"/review", "Review", access.WholeBank},
		{"/people", "People", access.WholeBank}}},
	{"Timeline", []navLink{{"/timeline", "Changes", access.Projects}, {"/work", "Work", access.Projects},
		{"/conversations", "Conversations", access.WholeBank}, {"/told", "Recalls", access.Projects}}},
	{"Plans", []navLink{{"/plans", "Plans", access.WholeBank}}},
	{"Settings", []navLink{{"/health", "Health", access.WholeBank}, {"/settings", "All settings", access.WholeBank},
		{"/sharing", "Sharing", access.WholeBank}, {"/files", "Files", access.WholeBank}, {"/banks", "Banks", access.AllBanks}}},
}

// pagesOf returns the pages of a place that the visit may open.
func (v *visit) pagesOf(p place) (open []navLink) {
	_, token := access.From(v.context())
	for _, l := range p.pages {
		switch {
		case !v.open(l.reach), l.path == "/settings" && v.ofMachine() != nil:
		case l.reach == access.AllBanks && !token: // who came by a link finds the banks on the page Health
		default:
			open = append(open, l)
		}
	}
	return open
}

// shows reports whether the page of the link is the one at an address below [Root].
func (l navLink) shows(address string) bool {
	return address == l.path || l.path == "/memories" && strings.HasPrefix(address, "/memory/")
}

// page writes a whole page, with navigation, the notes of the session, and footer.
func (v *visit) page(p page) {
	if p.status == 0 {
		p.status = http.StatusOK
	}
	main := html.List{html.Div(html.Class("head"), html.H1(p.title), v.tabs())}
	if v.session != nil && !v.wantsPart(newsPart) {
		for _, n := range v.session.takeNotes() {
			main = append(main, v.said(n))
		}
	}
	body := []any{
		html.A(html.Class("skip"), html.Href("#main"), "Skip to the content"),
		v.header(),
		html.El("p", html.ID("status"), html.Attr("role", "status"), html.Attr("aria-live", "polite"), html.Flag("hidden", true)),
		html.El("main", html.ID("main"), html.Attr("tabindex", "-1"), append(main, p.body)),
		v.footer(),
		v.help(),
	}
	if v.session != nil && !access.IsOperator(v.context()) {
		body = append(body, html.Data("events", query("/events", "since", v.seen)))
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

// said shows a note, with a button to undo what it is about.
func (v *visit) said(n note) html.Node {
	parts := []any{html.Class("note"), html.Attr("role", "status"), html.Span(n.text)}
	if n.undo != "" && v.writes() {
		parts = append(parts, v.form("/undo", hidden("id", n.undo), hidden("back", v.address()), html.Class("inline"), html.Button("Undo")))
	}
	return html.Div(parts...)
}

// header has the link home, the choice of a project and the navigation.
func (v *visit) header() html.Node {
	parts := []any{html.A(html.Class("brand"), html.Href(Root+"/"), icon("brand"), "Memory")}
	if v.session == nil {
		return html.El("header", parts...)
	}
	current := v.r.URL.Path[len(Root):]
	var items html.List
	for i, p := range places {
		open := v.pagesOf(p)
		if len(open) == 0 {
			continue
		}
		here := []html.Attribute{html.Data("place", strconv.Itoa(i+1))}
		var waiting html.Node
		for _, l := range open {
			switch {
			case current == open[0].path && l.shows(current):
				here = append(here, html.Attr("aria-current", "page"))
			case l.shows(current):
				here = append(here, html.Attr("aria-current", "true"))
			}
			if l.path == "/review" {
				waiting = v.waiting()
			}
		}
		items = append(items, html.Li(html.A(html.Href(Root+open[0].path), here, icon(p.title), html.Span(p.title), waiting)))
	}
	return html.El("header", append(parts, v.projectChoice(), html.El("nav", html.AriaLabel("Places"), html.Ul(items)))...)
}

// tabs links the pages of the current place, nil if fewer than two are open.
func (v *visit) tabs() html.Node {
	if v.session == nil {
		return nil
	}
	current := v.r.URL.Path[len(Root):]
	for _, p := range places {
		open := v.pagesOf(p)
		if len(open) < 2 || !slices.ContainsFunc(open, func(l navLink) bool { return l.shows(current) }) {
			continue
		}
		var items html.List
		for _, l := range open {
			parts := []any{html.Href(Root + l.path), l.title}
			if l.shows(current) {
				parts = append(parts, html.Attr("aria-current", "page"))
			}
			if l.path == "/review" {
				parts = append(parts, v.waiting())
			}
			items = append(items, html.Li(html.A(parts...)))
		}
		return html.El("nav", html.Class("tabs"), html.AriaLabel("Pages of "+p.title), html.Ul(items))
	}
	return nil
}

// keys are the keyboard shortcuts as the help shows them, several in one entry separated by blanks.
var keys = []struct{ keys, does string }{
	{"/", "Search"}, {"j k", "Down and up in a list"}, {"Enter", "Open what is marked"},
	{"e", "Correct it"}, {"p", "Pin it, or let it go"}, {"f", "Forget it"}, {"d", "Tick a to-do"},
	{"u", "Take back what was done last"}, {"Esc", "Close what is open"}, {"?", "This help"},
}

// help is the dialog with the keyboard shortcuts. The script opens it.
func (v *visit) help() html.Node {
	if v.session == nil || access.IsOperator(v.context()) {
		return nil
	}
	var rows html.List
	for i, p := range places {
		if len(v.pagesOf(p)) > 0 {
			rows = append(rows, html.Dt(key(strconv.Itoa(i+1))), html.Dd(p.title))
		}
	}
	for _, k := range keys {
		var shown html.List
		for one := range strings.FieldsSeq(k.keys) {
			shown = append(shown, key(one), html.Text(" "))
		}
		rows = append(rows, html.Dt(shown), html.Dd(k.does))
	}
	return html.El("dialog", html.ID("keys"), html.Attr("aria-labelledby", "keys-title"), html.H2(html.ID("keys-title"), "Keys"),
		html.Dl(rows),
		html.P(html.Class("hint"), "On Review each button says its own."),
		html.El("form", html.Attr("method", "dialog"), html.Button("Close")))
}

// projectChoice is the form that selects a project, nil if there is nothing to choose from.
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
		html.Label(html.Class("visually-hidden"), html.For("project"), "Project"),
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
	return html.El("footer", html.P("Bank of ", html.Strong(html.El("bdi", scope.Agent)), may),
		html.Button(html.Type("button"), html.Class("scripted quiet"), html.Data("help", "keys"), "Keys ", key("?")), out)
}

// projectNames caches the names of an agent's projects for namesLife, because every page lists
// them.
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

// namesLife is how long the names of projects are cached.
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

// when shows a time in the user's time zone, nil for the zero time.
func (v *visit) when(t time.Time) html.Node {
	if t.IsZero() {
		return nil
	}
	return html.El("time", html.Attr("datetime", t.UTC().Format(time.RFC3339)), v.site.moment(t))
}

// moment formats a time in the user's time zone: as a date if it is only one, else to the minute.
func (s *Site) moment(t time.Time) string {
	if memory.DateOnly(t) {
		return t.Format(time.DateOnly)
	}
	return s.o.Clock.In(t).Format("2006-01-02 15:04")
}

// clock shows the time of day, such as "15:04".
func (v *visit) clock(t time.Time) html.Node {
	return html.El("time", html.Attr("datetime", t.UTC().Format(time.RFC3339)), v.site.o.Clock.In(t).Format("15:04"))
}

// dayWords is the heading of a day, such as "Yesterday 2026-03-01".
func (v *visit) dayWords(t time.Time) html.Node {
	clock := v.site.o.Clock
	day, now := clock.In(t), clock.Here()
	words := day.Format("Monday 2 January")
	switch clock.Day(t) {
	case now.Format(time.DateOnly):
		words = "Today"
	case now.AddDate(0, 0, -1).Format(time.DateOnly):
		words = "Yesterday"
	}
	return html.List{html.Text(words + " "), html.Small(html.Class("hint"), clock.Day(t))}
}

// text shows what a person or agent wrote. The browser finds the text direction, and line breaks
// are kept (by the style of class "text").
func text(content string) html.Node {
	return html.Div(html.Class("text"), html.Attr("dir", "auto"), content)
}

// count formats a number with the noun it counts, in singular or plural.
func count(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + more
}
