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

// Site is the pages as an [http.Handler], for everything under [Root]. Safe for
// concurrent use.
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

// New makes the pages.
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

// Close ends what would go on as long as somebody looks.
func (s *Site) Close() {
	s.close()
	if s.o.Review != nil {
		s.o.Review.Close()
	}
}

// Link returns the address, behind a server's own, by which one browser gets in,
// once, within ten minutes.
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

// lost answers a request for what is not there, or not by this method.
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
	method, path string       // path below Root
	reach        access.Reach // how much of a bank it is about
	free         bool         // without a session
	idle         bool         // the page asks by itself: it does not keep a session alive
	reads        bool         // a post that changes nothing: who may only read may do it
	unaudited    bool         // a post that the audit log leaves out
	answer       func(*visit) (answer, error)
}

// serve answers at an address.
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

// ask finds out who asks, whether they may, and then asks.
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

// checkText refuses what is no text: nothing behind this would take it.
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

// errSignIn is of a visit that has no session.
var errSignIn = errors.New("sign in first")

// recognize finds the session of a visit. Whose it is goes into the context at once:
// a page that says what went wrong shows the bank, too.
func (v *visit) recognize(looking bool) {
	c, err := v.r.Cookie(cookieName(v.r))
	if err != nil {
		return
	}
	if v.session = v.site.sessions.find(c.Value, looking); v.session != nil {
		v.bind()
	}
}

// bind puts who asks into the context.
func (v *visit) bind() {
	if who := v.session.who(); who != nil {
		v.r = v.r.WithContext(access.With(v.r.Context(), *who))
	}
}

// identify asks again who that is, and refuses what they may not.
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

// recheck ends a session whose token is not good any more.
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
		if required { // there is a token since
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

// statuses are those of errors.
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

// fail answers with what went wrong.
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

// mustSignIn leads to where a session is to be had.
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

// send writes an answer.
func (v *visit) send(status int, kind string, body []byte) {
	v.extend()
	v.w.Header().Set("Content-Type", kind)
	v.w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	v.w.WriteHeader(status)
	if v.r.Method != http.MethodHead {
		_, _ = v.w.Write(body) // the client is gone
	}
}

// extend gives a client more time to take what is written.
func (v *visit) extend() {
	_ = http.NewResponseController(v.w).SetWriteDeadline(time.Now().Add(writeTime)) // a recorder in a test has none
}

// writeTime is what a client has to take a part of an answer.
const writeTime = 30 * time.Second

// field is a field of a form or query, without blanks around it.
func (v *visit) field(name string) string { return strings.TrimSpace(v.r.FormValue(name)) }
