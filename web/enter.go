package web

import (
	"net/http"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/web/html"
)

// enter starts a session for a link made by [Site.Link]. A HEAD request, as of a link preview, does
// not use the link up.
func (s *Site) enter(v *visit) (answer, error) {
	if v.r.Method == http.MethodHead {
		return nil, memory.Errorf(memory.CodeNotFound, "only a visit uses a link")
	}
	one, err := s.sessions.exchange(v.r.PathValue("code"))
	if err != nil {
		v.session = nil
		return nil, err
	}
	setCookie(v.w, v.r, one.id)
	return elsewhere(Root + "/"), nil
}

// signIn shows the form for a token.
func (s *Site) signIn(v *visit) (answer, error) {
	v.session = nil
	return s.signInPage(v, http.StatusOK, "")
}

func (s *Site) signInPage(v *visit, status int, why string) (answer, error) {
	body := html.List{}
	if why != "" {
		body = append(body, html.P(html.Class("failure"), html.Attr("role", "alert"), why))
	}
	if s.o.Access == nil {
		body = append(body, html.P("This page opens by a link that works once: start ", html.Code("mcp-memory web"),
			", which prints and opens it."))
		return page{status: status, title: "Sign in", body: body}, nil
	}
	required, err := s.o.Access.Required(v.context())
	if err != nil {
		return nil, err
	}
	if s.o.SignIn != nil {
		body = append(body, html.P(html.A(html.Class("button"), html.Href(Root+"/issuer"), "Sign in at ",
			html.El("bdi", s.o.SignIn.Name()))))
	}
	field := html.P("This server needs no token: everybody on this machine may use it.")
	if required {
		field = html.P(html.Label(html.For("token"), "Token"),
			html.Input(html.ID("token"), html.Name("token"), html.Type("password"), html.Attr("autocomplete", "current-password"),
				html.Flag("required", true)))
		body = append(body, html.P("With the token that you were given, or that of your issuer. It is not kept in the browser."))
	}
	body = append(body, html.Form(html.Attr("method", "post"), html.Action(Root+"/sign-in"), html.Class("stack"), field,
		html.Button("Sign in")))
	return page{status: status, title: "Sign in", body: body}, nil
}

// signedIn starts a session for the token of the form.
func (s *Site) signedIn(v *visit) (answer, error) {
	v.session = nil
	if s.o.Access == nil {
		return s.signInPage(v, http.StatusForbidden, "Tokens are of no use here.")
	}
	token := v.field("token")
	required, err := s.o.Access.Required(v.context())
	if err != nil {
		return nil, err
	}
	identity := access.Identity{Agent: s.o.Agent}
	if required || token != "" {
		identity, err = s.o.Access.Identify(v.context(), token)
		if memory.CodeOf(err) == memory.CodeForbidden {
			return s.signInPage(v, http.StatusForbidden, "The token is not valid.")
		}
		if err != nil {
			return nil, err
		}
	}
	setCookie(v.w, v.r, s.sessions.beginFor(&identity, token).id)
	return elsewhere(Root + "/"), nil
}

// signOut ends the session and removes its cookie.
func (s *Site) signOut(v *visit) (answer, error) {
	s.sessions.end(v.session.id)
	setCookie(v.w, v.r, "")
	return elsewhere(Root + "/sign-in"), nil
}

// chooseProject sets which project's memories the session looks at.
func (s *Site) chooseProject(v *visit) (answer, error) {
	name := v.r.PostFormValue("project")
	if _, err := v.scopeOf(name); err != nil {
		return nil, err
	}
	v.session.choose(name)
	return elsewhere(v.back(Root + "/")), nil
}
