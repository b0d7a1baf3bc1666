package web

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/web/html"
)

// Site is an [http.Handler] for all pages, which are under [Root]. It is safe for concurrent use.
type Site struct {
	o        Options
	sessions *sessions
	attempts *attempts
	origins  *http.CrossOriginProtection
	mux      *http.ServeMux
	projects *projectNames
	examined examined
	counted  counted
	surveys  surveys
	recalled recallCounts
	closing  context.Context
	close    context.CancelFunc
}

// New returns a site; see [Options] for what it needs.
func New(o Options) *Site {
	o.fill()
	s := &Site{o: o, sessions: newSessions(o.Clock, o.Idle), attempts: newAttempts(o.Clock), origins: http.NewCrossOriginProtection(),
		mux: http.NewServeMux(), projects: newProjectNames(o.Memories)}
	s.closing, s.close = context.WithCancel(context.Background())
	for _, r := range s.table() {
		s.mux.HandleFunc(r.method+" "+Root+r.path, s.serve(r))
	}
	return s
}

// Close ends event streams and the background work of the review.
func (s *Site) Close() {
	s.close()
	if s.o.Review != nil {
		s.o.Review.Close()
	}
}

// Link returns a path with which one browser can sign in, once, within ten minutes. It is relative
// to the server's own address.
func (s *Site) Link() string { return Root + "/enter/" + s.sessions.newCode() }

// ServeHTTP implements [http.Handler].
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		if p := recover(); p != nil {
			if p == http.ErrAbortHandler {
				panic(p)
			}
			s.o.Log.ErrorContext(r.Context(), "panic", "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
			w.WriteHeader(http.StatusInternalServerError)
		}
	}()
	protect(w.Header())
	v := &visit{site: s, w: w, r: r}
	if err := s.check(r); err != nil {
		v.fail(err)
		return
	}
	if r.URL.Path == Root {
		http.Redirect(w, r, Root+"/", http.StatusSeeOther)
		return
	}
	if _, pattern := s.mux.Handler(r); pattern == "" {
		v.lost()
		return
	}
	s.mux.ServeHTTP(w, r)
}

// lost answers a request that no route matches: 405 if one would match another method, else 404.
func (v *visit) lost() {
	if v.recognize(true); v.session != nil && v.identify(route{reach: access.NoBank}) != nil {
		v.session = nil
	}
	other := http.MethodGet
	if v.r.Method == other || v.r.Method == http.MethodHead {
		other = http.MethodPost
	}
	r := v.r.Clone(v.r.Context())
	if r.Method = other; v.allowed(r) {
		v.w.Header().Set("Allow", other)
		v.page(page{status: http.StatusMethodNotAllowed, title: "Not this way",
			body: html.P("There is something here, but not by " + v.r.Method + ".")})
		return
	}
	v.fail(memory.Errorf(memory.CodeNotFound, "there is no such page").WithHint("the links above lead to those that there are"))
}

func (v *visit) allowed(r *http.Request) bool {
	_, pattern := v.site.mux.Handler(r)
	return pattern != ""
}

// route is one address.
type route struct {
	method, path string       // path is below Root
	reach        access.Reach // which part of a bank it shows or changes; see access.Refusal
	free         bool         // needs no session
	idle         bool         // requested by the script, not by a person: does not keep a session alive
	reads        bool         // a POST that changes nothing, so read-only tokens may send it
	unaudited    bool         // a POST that is not in the audit log
	answer       func(*visit) (answer, error)
}

// serve returns the handler of a route.
func (s *Site) serve(r route) http.HandlerFunc {
	return func(w http.ResponseWriter, request *http.Request) {
		v := &visit{site: s, w: w, r: request}
		a, err := v.ask(r)
		if err != nil {
			v.fail(err)
			return
		}
		if a != nil {
			a.give(v)
		}
	}
}

// ask reads the form, checks session, permission and form key, and then calls the route's handler.
// Changes go to the audit log.
func (v *visit) ask(r route) (answer, error) {
	if v.r.Method == http.MethodPost {
		_ = http.NewResponseController(v.w).SetReadDeadline(time.Now().Add(writeTime)) // a recorder in a test has none
		v.r.Body = http.MaxBytesReader(v.w, v.r.Body, maxBody)
		if err := v.r.ParseForm(); err != nil {
			return nil, memory.Errorf(memory.CodeTooLarge, "what was sent is no form, or too long").WithCause(err)
		}
	}
	if err := checkText(v.r); err != nil {
		return nil, err
	}
	if r.free {
		return r.answer(v)
	}
	if v.recognize(r.idle || v.wantsPart(newsPart)); v.session == nil {
		return nil, errSignIn
	}
	if err := v.identify(r); err != nil {
		return nil, err
	}
	if v.r.Method != http.MethodPost {
		if !r.idle && !access.IsOperator(v.context()) {
			v.seen, _ = v.version() // without it a page follows what is written from when its stream begins
		}
		return r.answer(v)
	}
	if err := checkKey(v.r, v.session); err != nil {
		return nil, err
	}
	if r.unaudited {
		return r.answer(v)
	}
	var a answer
	var err error
	page := "page" + strings.ReplaceAll(r.path, "/{id}", "")
	access.Audited(v.context(), v.site.o.Audit, v.site.o.Log, page, rand.Text(), func(ctx context.Context) memory.Code {
		v.r = v.r.WithContext(ctx)
		a, err = r.answer(v)
		return memory.CodeOf(err)
	})
	return a, err
}

// checkText refuses an address or fields that are not valid text, because nothing below accepts
// that.
func checkText(r *http.Request) error {
	if err := memory.CheckText("the address", r.URL.Path+r.URL.RawQuery, memory.MaxQueryBytes); err != nil {
		return err
	}
	values := r.Form
	if values == nil {
		values = r.URL.Query()
	}
	for name, all := range values {
		for _, value := range all {
			if err := memory.CheckText("a field", name+value, maxBody); err != nil {
				return err
			}
		}
	}
	return nil
}

// errSignIn is the error of a visit that has no session.
var errSignIn = errors.New("sign in first")

// recognize finds the session of a visit and puts its identity into the context at once, because
// even an error page shows whose bank it is. With looking set, the session does not count as used.
func (v *visit) recognize(looking bool) {
	c, err := v.r.Cookie(cookieName(v.r))
	if err != nil {
		return
	}
	if v.session = v.site.sessions.find(c.Value, looking); v.session != nil {
		v.bind()
	}
}

// bind puts the identity of the session into the request's context.
func (v *visit) bind() {
	if who := v.session.who(); who != nil {
		v.r = v.r.WithContext(access.With(v.r.Context(), *who))
	}
}

// identify checks that the session's token or login is still valid and that it may use the route.
func (v *visit) identify(r route) error {
	if err := v.site.recheck(v.r.Context(), v.session); err != nil {
		return err
	}
	v.bind()
	if why := access.Refusal(v.r.Context(), "this page", r.method == http.MethodPost && !r.reads, r.reach); why != nil {
		return why
	}
	return nil
}

// recheck checks the session's token or login again. If it is not valid any more, recheck ends the
// session and returns errSignIn.
func (s *Site) recheck(ctx context.Context, one *session) error {
	if one.atIssuer {
		return s.recheckLogin(ctx, one)
	}
	if one.token == "" {
		if s.o.Access == nil || one.who() == nil {
			return nil
		}
		required, err := s.o.Access.Required(ctx)
		if err != nil {
			return err
		}
		if required { // tokens were introduced after the sign-in
			s.sessions.end(one.id)
			return errSignIn
		}
		return nil
	}
	identity, err := s.o.Access.Identify(ctx, one.token)
	if memory.CodeOf(err) == memory.CodeForbidden {
		s.sessions.end(one.id)
		return errSignIn
	}
	if err == nil {
		one.setWho(identity)
	}
	return err
}

// statuses maps error codes to HTTP status codes.
var statuses = map[memory.Code]int{
	memory.CodeInvalidArgument: http.StatusBadRequest,
	memory.CodeNotFound:        http.StatusNotFound,
	memory.CodeConflict:        http.StatusConflict,
	memory.CodeForbidden:       http.StatusForbidden,
	memory.CodeTooLarge:        http.StatusRequestEntityTooLarge,
	memory.CodeExpired:         http.StatusGone,
	memory.CodeUnavailable:     http.StatusServiceUnavailable,
	memory.CodeInternal:        http.StatusInternalServerError,
}

// fail answers with an error page, or with mustSignIn for errSignIn.
func (v *visit) fail(err error) {
	if errors.Is(err, errSignIn) {
		v.mustSignIn()
		return
	}
	shown := memory.Public(err)
	level := slog.LevelDebug
	if shown.Code == memory.CodeInternal {
		level = slog.LevelError
	}
	if v.r.Context().Err() == nil {
		v.site.o.Log.LogAttrs(v.r.Context(), level, "page", slog.String("path", v.r.URL.Path), slog.Any("error", err))
	}
	body := html.List{html.P(shown.Message + ".")}
	if shown.Hint != "" {
		body = append(body, html.P(html.Class("hint"), shown.Hint))
	}
	v.page(page{status: statuses[shown.Code], title: "That did not work", body: html.Div(html.Class("failure"), body)})
}

// mustSignIn redirects to the sign-in page. Where that would lose a form or replace only a part of
// the page, it answers 401 instead.
func (v *visit) mustSignIn() {
	v.session = nil
	if v.r.Header.Get(partHeader) != "" || v.r.Method != http.MethodGet {
		v.page(page{status: http.StatusUnauthorized, title: "Signed out", body: html.Div(html.Class("failure"),
			html.P("You were signed out, because nobody used the page for a while or the token was revoked. Nothing was changed."),
			html.P(html.A(html.Href(Root+"/sign-in"), "Sign in")))})
		return
	}
	http.Redirect(v.w, v.r, Root+"/sign-in", http.StatusSeeOther)
}

// send writes a whole answer.
func (v *visit) send(status int, kind string, body []byte) {
	v.extend()
	v.w.Header().Set("Content-Type", kind)
	v.w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	v.w.WriteHeader(status)
	if v.r.Method != http.MethodHead {
		_, _ = v.w.Write(body) // the client is gone
	}
}

// extend moves the write deadline to writeTime from now.
func (v *visit) extend() {
	_ = http.NewResponseController(v.w).SetWriteDeadline(time.Now().Add(writeTime)) // a recorder in a test has none
}

// writeTime is how long a client may take to send a form, or to receive an answer or an event.
const writeTime = 30 * time.Second

// field returns a field of the form or query, trimmed of white space.
func (v *visit) field(name string) string { return strings.TrimSpace(v.r.FormValue(name)) }
