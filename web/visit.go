package web

import (
	"context"
	"net/http"
	"net/url"
	"path"
	"strings"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/web/html"
)

// visit is one request and its answer.
type visit struct {
	site    *Site
	w       http.ResponseWriter
	r       *http.Request
	session *session // nil before sign-in
	seen    string   // version of the bank before anything of it was read; "" where that is not known
}

// answer is what a route gives.
type answer interface{ give(v *visit) }

// page is a whole page.
type page struct {
	status int // 0 is OK
	title  string
	body   html.Node
	onward string // address below [Root] that the browser goes to by itself; "" is none
}

func (p page) give(v *visit) { v.page(p) }

// part is what takes the place of a part of a page.
type part struct{ body html.Node }

func (p part) give(v *visit) { v.send(http.StatusOK, "text/html; charset=utf-8", html.Bytes(p.body)) }

// elsewhere leads to another page, after something was done.
type elsewhere string

func (e elsewhere) give(v *visit) { http.Redirect(v.w, v.r, string(e), http.StatusSeeOther) }

// partHeader is set by the script where it wants a part of a page only.
const partHeader = "X-Part"

// newsPart is asked for by pages that follow what others write. Nobody looks at them for that:
// it does not keep a session alive, and what is said once is not said to them.
const newsPart = "news"

// wantsPart reports whether only that part of the page is asked for.
func (v *visit) wantsPart(name string) bool { return v.r.Header.Get(partHeader) == name }

func (v *visit) context() context.Context { return v.r.Context() }

// scope is whose memory the visit reads: of the project that was chosen, else of
// every one that is open to it.
func (v *visit) scope() (memory.Scope, error) {
	project := v.session.chosen()
	if project == nil {
		all := memory.AllProjects
		project = &all
		if open := access.ReadableProjects(v.context()); len(open) > 0 {
			project = &open[0]
		}
	}
	return v.site.o.Scope(v.context(), project)
}

// scopeOf is whose memory the visit reads in a project.
func (v *visit) scopeOf(project string) (memory.Scope, error) {
	return v.site.o.Scope(v.context(), &project)
}

// own is the scope of the process or token itself, with the project that belongs to it.
func (v *visit) own() (memory.Scope, error) {
	project := v.session.chosen()
	if project != nil && *project == memory.AllProjects {
		project = nil
	}
	if open := access.ReadableProjects(v.context()); project == nil && len(open) > 0 {
		project = &open[0]
	}
	return v.site.o.Scope(v.context(), project)
}

// writes reports whether the visit may change something.
func (v *visit) writes() bool {
	i, ok := access.From(v.context())
	return !ok || !i.ReadOnly
}

// open reports whether a page of that reach is open to the visit.
func (v *visit) open(reach access.Reach) bool {
	return access.Refusal(v.context(), "", false, reach) == nil
}

// done says on the next page what was done, and leads there.
func (v *visit) done(to, text, undo string) (answer, error) {
	v.session.note(note{text, undo})
	return elsewhere(to), nil
}

// back is the page that a form was on, if it says so, else the fallback.
func (v *visit) back(fallback string) string {
	to := v.field("back")
	u, err := url.Parse(to)
	if err != nil || u.IsAbs() || u.Host != "" || u.Path != Root && !strings.HasPrefix(u.Path, Root+"/") ||
		strings.ContainsAny(u.Path, "\\") || path.Clean(u.Path) != strings.TrimSuffix(u.Path, "/") {
		return fallback
	}
	return to
}

// address is that of the page itself, or of the one whose form was sent where that is
// answered with a page.
func (v *visit) address() string {
	if v.r.Method == http.MethodPost {
		return path.Dir(v.r.URL.EscapedPath())
	}
	return v.r.URL.RequestURI()
}

// form is a form that changes something. Where it leads is below [Root].
func (v *visit) form(to string, parts ...any) html.Node {
	return html.Form(append([]any{
		html.Attr("method", "post"), html.Action(Root + to),
		html.Input(html.Type("hidden"), html.Name(keyField), html.Value(v.session.key)),
	}, parts...)...)
}

// hidden is a field that nobody sees.
func hidden(name, value string) html.Node {
	return html.Input(html.Type("hidden"), html.Name(name), html.Value(value))
}

// query is an address with a query; empty values are left out.
func query(path string, pairs ...string) string {
	q := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q.Add(pairs[i], pairs[i+1])
		}
	}
	if len(q) == 0 {
		return Root + path
	}
	return Root + path + "?" + q.Encode()
}
