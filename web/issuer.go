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

// attemptLife is how long a sign-in at the issuer may take.
const attemptLife = 10 * time.Minute

// attempts are the sign-ins under way at an OpenID issuer. The server stores nothing of an attempt
// before it succeeds, so that beginning many attempts uses no memory: the browser holds a random
// cookie, and state, nonce and verifier are an HMAC of it with a key of this process.
type attempts struct {
	key   [sha256.Size]byte
	clock memory.Clock

	mu   sync.Mutex
	done map[string]time.Time // used cookies with the time of use; deleted once they would have expired
}

func newAttempts(clock memory.Clock) *attempts {
	a := &attempts{clock: clock, done: map[string]time.Time{}}
	rand.Read(a.key[:]) // never fails, see crypto/rand
	return a
}

// begin returns the cookie of a new attempt: the time in base 36, a dot, and a random text.
func (a *attempts) begin() string {
	return strconv.FormatInt(a.clock().Unix(), 36) + "." + rand.Text()
}

// of derives the secrets of an attempt from its cookie.
func (a *attempts) of(cookie string) access.Attempt {
	secret := func(purpose string) string {
		mac := hmac.New(sha256.New, a.key[:])
		mac.Write([]byte(purpose + "\x00" + cookie))
		return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	}
	return access.Attempt{State: secret("state"), Nonce: secret("nonce"), Verifier: secret("verifier")}
}

// answered returns the attempt of a cookie. It fails if the issuer's state does not belong to that
// cookie, if the attempt is older than attemptLife, or if it has succeeded before.
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

// succeed marks the attempt of a cookie as used. It fails if it was used before.
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

// setAttemptCookie sets the cookie of an attempt; "" deletes it. It is SameSite=Lax, not Strict as
// that of a session, because the browser has to send it when the issuer redirects back to the
// callback.
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

// secure reports whether the browser uses TLS, to this server or to a reverse proxy in front of it.
func secure(r *http.Request) bool {
	return r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")
}

// callback returns the address to which the issuer redirects back. It contains the Host of the
// request, which [Site.check] has already checked.
func callback(r *http.Request) string {
	scheme := "http"
	if secure(r) {
		scheme = "https"
	}
	return (&url.URL{Scheme: scheme, Host: r.Host, Path: Root + "/callback"}).String()
}

// toIssuer is an answer that redirects to the issuer, which is another host.
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

// fromIssuer starts a session for a visitor whom the issuer has redirected back.
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
	// A redirect would still count as coming from the issuer's site, so the browser would not send
	// the new SameSite=Strict cookie with it.
	return page{title: "Signed in", onward: Root + "/", body: html.P("You are signed in. ", html.A(html.Href(Root+"/"), "Go on"))}, nil
}

// errorCode matches the error codes of an issuer (RFC 6749, section 4.1.2.1).
var errorCode = regexp.MustCompile(`^[a-z_]{1,40}$`)

// saidByIssuer turns the parameters error and code of the issuer's answer into an error, nil if
// there is a code and no error.
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

// refusedByIssuer logs a failed sign-in and shows the sign-in page with the reason. An internal
// error is returned instead.
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

// cause is the text of an error for the log, including what is hidden from visitors.
func cause(err error) string {
	text := err.Error()
	if hidden := memory.Public(err).Err; hidden != nil {
		text += ": " + hidden.Error()
	}
	return text
}

// issuerPause is how long after a failed renewal a session's login is not renewed again.
const issuerPause = 5 * time.Second

// recheckLogin renews the login of a session once it has expired. It ends the session if the issuer
// refuses. If the issuer does not answer, the error is kept and returned until issuerPause is over.
func (s *Site) recheckLogin(ctx context.Context, one *session) error {
	one.renewing.Lock()
	defer one.renewing.Unlock()
	now := s.o.Clock()
	switch {
	case one.ended: // by another visit, while this one waited for the lock
		return errSignIn
	case now.Before(one.login.Until):
		return nil
	case now.Before(one.again):
		return one.failed
	}
	// The context must not be cancelled when the visitor goes away: a refresh token may work only
	// once, and the new one would be lost.
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
