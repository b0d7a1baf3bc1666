package web

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/web/html"
)

// attemptLife is how long somebody may take at the issuer.
const attemptLife = 10 * time.Minute

// attempts are the sign-ins that are under way at an issuer. Nothing is kept of one until it has
// succeeded: the browser has a random text in a cookie, and the attempt's secrets are made of it and a key of
// the process. So whoever begins many takes no room from others.
type attempts struct {
	key   [sha256.Size]byte
	clock memory.Clock

	mu   sync.Mutex
	done map[string]time.Time // cookies of those that succeeded, as long as they would be good
}

func newAttempts(clock memory.Clock) *attempts {
	a := &attempts{clock: clock, done: map[string]time.Time{}}
	rand.Read(a.key[:]) // never fails, see crypto/rand
	return a
}

// begin returns the cookie of a new attempt.
func (a *attempts) begin() string {
	return strconv.FormatInt(a.clock().Unix(), 36) + "." + rand.Text()
}

// of returns the attempt that a cookie belongs to.
func (a *attempts) of(cookie string) access.Attempt {
	secret := func(purpose string) string {
		mac := hmac.New(sha256.New, a.key[:])
		mac.Write([]byte(purpose + "\x00" + cookie))
		return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	}
	return access.Attempt{State: secret("state"), Nonce: secret("nonce"), Verifier: secret("verifier")}
}

// answered returns the attempt to which an answer with that state belongs, if the browser with
// the cookie has begun it, not long ago, and it has not succeeded yet.
func (a *attempts) answered(cookie, state string) (access.Attempt, error) {
	one := a.of(cookie)
	begun, _, _ := strings.Cut(cookie, ".")
	at, err := strconv.ParseInt(begun, 36, 64)
	if cookie == "" || err != nil || !hmac.Equal([]byte(one.State), []byte(state)) {
		return one, memory.Errorf(memory.CodeForbidden, "this sign-in was not begun in this browser, or is over").WithHint("begin again")
	}
	if age := a.clock().Sub(time.Unix(at, 0)); age > attemptLife || age < -attemptLife {
		return one, memory.Errorf(memory.CodeExpired, "this sign-in took too long").WithHint("begin again")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, used := a.done[cookie]; used {
		return one, errUsed()
	}
	return one, nil
}

func errUsed() error {
	return memory.Errorf(memory.CodeForbidden, "this sign-in was used before").WithHint("begin again")
}

// succeed notes that an attempt is over. It fails if it was already.
func (a *attempts) succeed(cookie string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.clock()
	for c, at := range a.done {
		if now.Sub(at) > 2*attemptLife {
			delete(a.done, c)
		}
	}
	if _, used := a.done[cookie]; used {
		return errUsed()
	}
	a.done[cookie] = now
	return nil
}

// setAttemptCookie gives a browser the cookie of an attempt; "" takes it away. It has to come back with
// a visit from the issuer's pages, and so is not as strict as that of a session.
func setAttemptCookie(v *visit, value string) {
	c := &http.Cookie{
		Name: attemptCookie(v.r), Value: value, Path: Root + "/callback", HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: secure(v.r), MaxAge: int(attemptLife.Seconds()),
	}
	if value == "" {
		c.MaxAge = -1
	}
	http.SetCookie(v.w, c)
}

func attemptCookie(r *http.Request) string { return cookieName(r) + "_attempt" }

// secure reports whether the browser asks by TLS, of us or of a proxy in front.
func secure(r *http.Request) bool {
	return r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")
}

// callback is the address to which the issuer sends people back. Its name is one of ours, see [Site.check].
func callback(r *http.Request) string {
	scheme := "http"
	if secure(r) {
		scheme = "https"
	}
	return (&url.URL{Scheme: scheme, Host: r.Host, Path: Root + "/callback"}).String()
}

// toIssuer is an address of another host: that of the issuer, to which a person is sent.
type toIssuer string

func (t toIssuer) give(v *visit) { http.Redirect(v.w, v.r, string(t), http.StatusSeeOther) }

// askIssuer begins a sign-in at the issuer.
func (s *Site) askIssuer(v *visit) (answer, error) {
	v.session = nil
	if s.o.SignIn == nil {
		return nil, errNoIssuer()
	}
	cookie := s.attempts.begin()
	to, err := s.o.SignIn.Begin(callback(v.r), s.attempts.of(cookie))
	if err != nil {
		return s.refusedByIssuer(v, err)
	}
	setAttemptCookie(v, cookie)
	return toIssuer(to), nil
}

func errNoIssuer() error {
	return memory.Errorf(memory.CodeNotFound, "nobody can sign in at an issuer here").
		WithHint("the settings auth.issuer and auth.client_id")
}

// fromIssuer gives a session to who comes back from the issuer.
func (s *Site) fromIssuer(v *visit) (answer, error) {
	v.session = nil
	if s.o.SignIn == nil || v.r.Method == http.MethodHead {
		return nil, errNoIssuer()
	}
	cookie := ""
	if c, err := v.r.Cookie(attemptCookie(v.r)); err == nil {
		cookie = c.Value
	}
	setAttemptCookie(v, "")
	one, err := s.attempts.answered(cookie, v.field("state"))
	if err == nil {
		err = saidByIssuer(v.field("error"), v.field("code"))
	}
	if err != nil {
		return s.refusedByIssuer(v, err)
	}
	login, err := s.o.SignIn.Finish(v.context(), callback(v.r), v.field("code"), one)
	if err == nil {
		err = s.attempts.succeed(cookie)
	}
	if err != nil {
		return s.refusedByIssuer(v, err)
	}
	setCookie(v.w, v.r, s.sessions.beginLogin(login).id)
	// A redirect would still count as coming from the issuer's page, without the new cookie.
	return page{title: "Signed in", onward: Root + "/", body: html.P("You are signed in. ", html.A(html.Href(Root+"/"), "Go on"))}, nil
}

// errorCode is what errors of an issuer look like (RFC 6749, section 4.1.2.1).
var errorCode = regexp.MustCompile(`^[a-z_]{1,40}$`)

// saidByIssuer is what is wrong by the issuer's own word, nil if it gave a code.
func saidByIssuer(code, grant string) error {
	switch {
	case code == "access_denied":
		return memory.Errorf(memory.CodeForbidden, "the issuer did not let you in, or you did not agree")
	case code == "temporarily_unavailable" || code == "server_error":
		return memory.Errorf(memory.CodeUnavailable, "the issuer cannot sign anybody in at the moment").WithHint("try again in a while")
	case errorCode.MatchString(code):
		return memory.Errorf(memory.CodeForbidden, "the issuer refused: %s", code).WithHint("whoever runs the server can see what it wants")
	case code != "" || grant == "":
		return memory.Errorf(memory.CodeInvalidArgument, "this is no answer of the issuer").WithHint("begin again")
	}
	return nil
}

// refusedByIssuer asks again, and says why.
func (s *Site) refusedByIssuer(v *visit, err error) (answer, error) {
	shown := memory.Public(err)
	if shown.Code == memory.CodeInternal {
		return nil, err
	}
	level := slog.LevelInfo
	if shown.Code == memory.CodeUnavailable {
		level = slog.LevelWarn
	}
	s.o.Log.Log(v.context(), level, "sign in at the issuer", "error", cause(err))
	why := strings.ToUpper(shown.Message[:1]) + shown.Message[1:] + "."
	if shown.Hint != "" {
		why += " (" + shown.Hint + ")"
	}
	return s.signInPage(v, statuses[shown.Code], why)
}

// cause is what an error says to the log, with what it hides from visitors.
func cause(err error) string {
	text := err.Error()
	if hidden := memory.Public(err).Err; hidden != nil {
		text += ": " + hidden.Error()
	}
	return text
}

// issuerPause is how long an issuer that did not answer is not asked again for a session.
const issuerPause = 5 * time.Second

// recheckLogin asks the issuer again when a login's time is over, and ends a session that it does not know any more.
func (s *Site) recheckLogin(ctx context.Context, one *session) error {
	one.renewing.Lock()
	defer one.renewing.Unlock()
	now := s.o.Clock()
	switch {
	case one.ended: // while this visit waited
		return errSignIn
	case now.Before(one.login.Until):
		return nil
	case now.Before(one.again):
		return one.failed
	}
	// A visitor who goes away meanwhile must not cost the session: a refresh token may work only once.
	next, err := s.o.SignIn.Renew(context.WithoutCancel(ctx), one.login)
	switch {
	case memory.CodeOf(err) == memory.CodeForbidden:
		s.o.Log.InfoContext(ctx, "end a session of the issuer", "error", cause(err))
		one.ended = true
		s.sessions.end(one.id)
		return errSignIn
	case err != nil:
		one.again, one.failed = now.Add(issuerPause), err
		one.login.Refresh = cmp.Or(next.Refresh, one.login.Refresh)
		return err
	}
	one.login = next
	one.setWho(next.Identity)
	return nil
}
