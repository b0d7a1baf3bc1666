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

// visit is one request and the answer to it.
type visit struct {
	site    *Site
	w       http.ResponseWriter
	r       *http.Request
	session *session // nil before sign-in
	seen    string   // [visit.version] before anything was read; "" if not known
}

// answer is the result of a route's handler.
type answer interface{ give(v *visit) }

// page is a whole page.
type page struct {
	status int // 0 means 200
	title  string
	body   html.Node
	onward string // address under [Root] to which the browser goes at once; "" for none
}

func (p page) give(v *visit) { v.page(p) }

// part is an answer that the script puts in the place of a part of the page.
type part struct{ body html.Node }

func (p part) give(v *visit) { v.send(http.StatusOK, "text/html; charset=utf-8", html.Bytes(p.body)) }

// elsewhere is an answer that redirects to another page of the site.
type elsewhere string

func (e elsewhere) give(v *visit) { http.Redirect(v.w, v.r, string(e), http.StatusSeeOther) }

// partHeader is the header with which the script asks for a part of a page only.
const partHeader = "X-Part"

// newsPart is the part that the script asks for when the bank has changed, without the user doing
// anything. Such a request does not keep a session alive and does not take the session's notes.
const newsPart = "news"

// wantsPart reports whether the script asks for the part of that name.
func (v *visit) wantsPart(name string) bool { return v.r.Header.Get(partHeader) == name }

func (v *visit) context() context.Context { return v.r.Context() }

// scope returns the scope that the visit reads: the chosen project, else all projects, or the first
// one that the token is restricted to.
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

// scopeOf returns the scope of one project.
func (v *visit) scopeOf(project string) (memory.Scope, error) {
	return v.site.o.Scope(v.context(), &project)
}

// own returns the scope that a new session of the same process or token would have: the chosen
// project unless that is all projects, else the project of the token or process.
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

// open reports whether the visit may read pages of that reach.
func (v *visit) open(reach access.Reach) bool {
	return access.Refusal(v.context(), "", false, reach) == nil
}

// done redirects to a page that says once what was done. undo is the id by which it can be undone,
// "" for none.
func (v *visit) done(to, text, undo string) (answer, error) {
	v.session.note(note{text, undo})
	return elsewhere(to), nil
}

// back returns the address in the form's field back if it is on this site, else the fallback.
func (v *visit) back(fallback string) string {
	to := v.field("back")
	u, err := url.Parse(to)
	if err != nil || u.IsAbs() || u.Host != "" || u.Path != Root && !strings.HasPrefix(u.Path, Root+"/") ||
		strings.ContainsAny(u.Path, "\\") || path.Clean(u.Path) != strings.TrimSuffix(u.Path, "/") {
		return fallback
	}
	return to
}

// address returns the address of the current page. In a POST that is answered with a page, it is
// the parent of the form's address.
func (v *visit) address() string {
	if v.r.Method == http.MethodPost {
		return path.Dir(v.r.URL.EscapedPath())
	}
	return v.r.URL.RequestURI()
}

// form returns a POST form with the session's key. to is the address below [Root].
func (v *visit) form(to string, parts ...any) html.Node {
	return html.Form(append([]any{
		html.Attr("method", "post"), html.Action(Root + to),
		html.Input(html.Type("hidden"), html.Name(keyField), html.Value(v.session.key)),
	}, parts...)...)
}

// hidden is a hidden form field.
func hidden(name, value string) html.Node {
	return html.Input(html.Type("hidden"), html.Name(name), html.Value(value))
}

// query returns an address below [Root] with a query of names and values. Empty values are left
// out.
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
