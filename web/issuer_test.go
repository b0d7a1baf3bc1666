package web_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"mcp-memory/access"
	"mcp-memory/access/oidc"
	"mcp-memory/access/oidc/oidctest"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/web"
)

// newIssuerWorld has a page for whoever an issuer signs in.
func newIssuerWorld(t *testing.T) (*world, *oidctest.Issuer) {
	t.Helper()
	var issuer *oidctest.Issuer
	w := newWorldWith(t, true, func(w *world, o *web.Options) access.Verifier {
		issuer = oidctest.New(t, o.Clock)
		v, err := oidc.New(oidc.Options{Issuer: issuer.URL, Audience: oidctest.Audience, Operator: "groups=ops", Clock: o.Clock})
		if err != nil {
			t.Fatal(err)
		}
		if o.SignIn, err = oidc.NewSignIn(v, oidc.Client{ID: issuer.Client, Secret: issuer.Secret}); err != nil {
			t.Fatal(err)
		}
		return v
	})
	issuer.Redirect = w.server.URL + "/ui/callback"
	return w, issuer
}

// atIssuer is a browser that was sent back by the issuer, but has not followed yet.
func (w *world) atIssuer() (b *browser, back string) {
	w.t.Helper()
	b = w.browser()
	b.client.CheckRedirect = func(r *http.Request, _ []*http.Request) error {
		if r.URL.Path == "/ui/callback" {
			back = r.URL.RequestURI()
			return http.ErrUseLastResponse
		}
		return nil
	}
	b.get("/ui/issuer")
	if back == "" {
		w.t.Fatal("the issuer sends nobody back")
	}
	return b, back
}

func TestIssuersDialogue(t *testing.T) {
	w, _ := newIssuerWorld(t)
	w.save(memory.Scope{Agent: "ann"}, remember.SaveRequest{Content: "The barn is red.", Pinned: true})
	b := w.browser()
	page := b.get("/ui/")
	page.must(t, http.StatusOK, "Sign in at 127.0.0.1:")
	if page.find(func(n *html.Node) bool { return n.Data == "a" && attr(n, "href") == "/ui/issuer" }) == nil {
		t.Errorf("no way to the issuer:\n%s", page.text)
	}
	in := b.get("/ui/issuer")
	in.must(t, http.StatusOK, "You are signed in.")
	if in.path != "/ui/callback" || in.find(func(n *html.Node) bool {
		return attr(n, "http-equiv") == "refresh" && attr(n, "content") == "0; url=/ui/"
	}) == nil {
		t.Errorf("at %s nothing leads on:\n%s", in.path, in.text)
	}
	for _, cookie := range in.header.Values("Set-Cookie") {
		if !strings.Contains(cookie, "HttpOnly") ||
			!strings.Contains(cookie, "Max-Age=0") && !strings.Contains(cookie, "SameSite=Strict; ") &&
				!strings.HasSuffix(cookie, "SameSite=Strict") {
			t.Errorf("cookie %q", cookie)
		}
	}
	b.get("/ui/").must(t, http.StatusOK, "Today", "The barn is red.", "Bank of ann")
	w.browser().send("/ui/sign-in", url.Values{"token": {"nonsense"}}).must(t, http.StatusForbidden, "not valid", "Sign in at")
}

// TestWithoutAnIssuer: there is no button, and nothing behind it.
func TestWithoutAnIssuer(t *testing.T) {
	w := newWorld(t, true)
	w.token(access.Request{Agent: "ann"})
	b := w.browser()
	if page := b.get("/ui/sign-in"); strings.Contains(page.text, "/ui/issuer") {
		t.Errorf("a button for no issuer:\n%s", page.text)
	}
	for _, path := range []string{"/ui/issuer", "/ui/callback?code=x&state=y"} {
		b.get(path).must(t, http.StatusNotFound, "nobody can sign in at an issuer here")
	}
}

// TestAskingTheIssuer: what the browser is sent with, and what it keeps for the way back.
func TestAskingTheIssuer(t *testing.T) {
	w, i := newIssuerWorld(t)
	b := w.browser()
	b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	b.header.Set("X-Forwarded-Proto", "https")
	got := b.get("/ui/issuer")
	to, err := url.Parse(got.header.Get("Location"))
	if err != nil || got.status != http.StatusSeeOther || !strings.HasPrefix(to.String(), i.URL+"/authorize?") {
		t.Fatalf("%d to %v, %v", got.status, to, err)
	}
	q := to.Query()
	for name, want := range map[string]string{
		"response_type": "code", "client_id": "page", "scope": "openid", "code_challenge_method": "S256", "tenant": "1",
		"redirect_uri": "https" + strings.TrimPrefix(w.server.URL, "http") + "/ui/callback",
	} {
		if q.Get(name) != want {
			t.Errorf("%s is %q, want %q", name, q.Get(name), want)
		}
	}
	cookie := got.header.Get("Set-Cookie")
	for _, want := range []string{"HttpOnly", "Secure", "SameSite=Lax", "Path=/ui/callback", "Max-Age=600"} {
		if !strings.Contains(cookie, want) {
			t.Errorf("the cookie %q lacks %s", cookie, want)
		}
	}
	again := b.get("/ui/issuer")
	other, _ := url.Parse(again.header.Get("Location"))
	for _, name := range []string{"state", "nonce", "code_challenge"} {
		if len(q.Get(name)) < 43 || other.Query().Get(name) == q.Get(name) || strings.Contains(cookie, q.Get(name)) {
			t.Errorf("%s is %q, then %q", name, q.Get(name), other.Query().Get(name))
		}
	}
}

// TestStolenAnswer: the way back works in the browser that began it, and once.
func TestStolenAnswer(t *testing.T) {
	w, i := newIssuerWorld(t)
	b, back := w.atIssuer()
	thief := w.browser()
	thief.get(back).must(t, http.StatusForbidden, "not begun in this browser")
	if thief.get("/ui/search").path != "/ui/sign-in" {
		t.Error("the thief is in")
	}
	// Somebody is to be signed in as somebody else: by the other's answer, in the middle of an own attempt.
	victim, own := w.atIssuer()
	victim.get(back).must(t, http.StatusForbidden, "not begun in this browser")
	victim.get(own).must(t, http.StatusForbidden, "not begun in this browser") // which is over by that
	at, _ := url.Parse(w.server.URL + "/ui/callback")
	kept := b.client.Jar.Cookies(at)
	b.get(back).must(t, http.StatusOK, "You are signed in.")
	b.get(back).must(t, http.StatusForbidden, "not begun in this browser")
	asked := 0
	i.Set(func(i *oidctest.Issuer) { asked = i.Asked })
	thief.client.Jar.SetCookies(at, kept) // everything that the browser had
	thief.get(back).must(t, http.StatusForbidden, "used before")
	i.Set(func(i *oidctest.Issuer) {
		if i.Asked != asked {
			t.Error("the issuer was asked about a used answer")
		}
	})
	b.get("/ui/").must(t, http.StatusOK, "Today")
	if got := b.send("/ui/callback", url.Values{}); got.status != http.StatusMethodNotAllowed {
		t.Errorf("by POST: %d", got.status)
	}
	head, _ := http.NewRequest(http.MethodHead, w.server.URL+back, nil)
	if got := b.do(head); got.status != http.StatusNotFound {
		t.Errorf("by HEAD: %d", got.status)
	}
}

func TestAnswersOfTheIssuer(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*oidctest.Issuer)
		edit   func(url.Values)
		later  time.Duration
		status int
		text   string
	}{
		"denied": {change: func(i *oidctest.Issuer) { i.Refuses = "access_denied" }, status: http.StatusForbidden,
			text: "The issuer did not let you in"},
		"its own trouble": {change: func(i *oidctest.Issuer) { i.Refuses = "temporarily_unavailable" },
			status: http.StatusServiceUnavailable, text: "cannot sign anybody in at the moment"},
		"another error": {change: func(i *oidctest.Issuer) { i.Refuses = "invalid_scope" }, status: http.StatusForbidden,
			text: "The issuer refused: invalid_scope"},
		"no error": {change: func(i *oidctest.Issuer) { i.Refuses = "<img src=x>" }, status: http.StatusBadRequest,
			text: "no answer of the issuer"},
		"no code": {edit: func(q url.Values) { q.Del("code") }, status: http.StatusBadRequest, text: "no answer of the issuer"},
		"another code": {edit: func(q url.Values) { q.Set("code", "x") }, status: http.StatusForbidden,
			text: "does not know this sign-in any more"},
		"another state": {edit: func(q url.Values) { q.Set("state", q.Get("state")+"x") }, status: http.StatusForbidden,
			text: "not begun in this browser"},
		"no state": {edit: func(q url.Values) { q.Del("state") }, status: http.StatusForbidden, text: "not begun in this browser"},
		"a forged error": {edit: func(q url.Values) { q.Set("error", "access_denied"); q.Del("state") }, status: http.StatusForbidden,
			text: "not begun in this browser"},
		"late": {later: 11 * time.Minute, status: http.StatusGone, text: "took too long"},
		"for another": {change: func(i *oidctest.Issuer) { i.Claims = oidctest.Claims{"aud": "other"} }, status: http.StatusForbidden,
			text: "The token is not valid"},
		"expired": {change: func(i *oidctest.Issuer) { i.Life = -time.Minute }, status: http.StatusForbidden,
			text: "The token is not valid"},
		"forged": {change: func(i *oidctest.Issuer) { i.Signs = oidctest.NewKey(t) }, status: http.StatusForbidden,
			text: "The token is not valid"},
		"replayed token": {change: func(i *oidctest.Issuer) { i.Claims = oidctest.Claims{"nonce": "of another"} },
			status: http.StatusForbidden, text: "The token is not valid"},
		"no agent": {change: func(i *oidctest.Issuer) { i.Claims = oidctest.Claims{"sub": "../x"} }, status: http.StatusForbidden,
			text: "The token is not valid"},
	} {
		w, i := newIssuerWorld(t)
		if c.change != nil {
			i.Set(c.change)
		}
		b, back := w.atIssuer()
		u, _ := url.Parse(back)
		q := u.Query()
		if c.edit != nil {
			c.edit(q)
		}
		*w.clock = w.clock.Add(c.later)
		got := b.get("/ui/callback?" + q.Encode())
		if got.status != c.status || !got.shows(c.text) || !got.shows("Sign in at") || strings.Contains(got.text, "<img") {
			t.Errorf("%s: %d, want %d and %q\n%s", name, got.status, c.status, c.text, got.text)
		}
		if b.get("/ui/search").path != "/ui/sign-in" {
			t.Errorf("%s: somebody is in", name)
		}
	}
}

func TestIssuerIsAway(t *testing.T) {
	w, i := newIssuerWorld(t)
	away := func(on bool) { i.Set(func(i *oidctest.Issuer) { i.Away = on }) }
	away(true)
	b := w.browser()
	b.get("/ui/issuer").must(t, http.StatusServiceUnavailable, "The issuer of tokens does not answer.", "Sign in at")
	away(false)
	*w.clock = w.clock.Add(10 * time.Second)
	b, back := w.atIssuer()
	away(true)
	b.get(back).must(t, http.StatusServiceUnavailable, "The issuer does not answer", "Sign in at")
	away(false)
	b, back = w.atIssuer()
	b.get(back).must(t, http.StatusOK, "You are signed in.")
	// The server's own tokens do not need it.
	away(true)
	_, secret := w.token(access.Request{Agent: "bob"})
	w.signedIn(secret).get("/ui/").must(t, http.StatusOK, "Bank of bob")
}

// TestIssuersSessions: they last as long as the issuer says, which is asked again when a token's time is over.
func TestIssuersSessions(t *testing.T) {
	w, i := newIssuerWorld(t)
	i.Life = 10 * time.Minute
	enter := func() *browser {
		b := w.browser()
		b.get("/ui/issuer").must(t, http.StatusOK, "You are signed in.")
		return b
	}
	b := enter()
	for range 4 {
		*w.clock = w.clock.Add(9 * time.Minute)
		b.get("/ui/").must(t, http.StatusOK, "Bank of ann")
	}
	if n := i.Refreshed(); n != 2 {
		t.Errorf("the issuer was asked %d times in 36 minutes", n)
	}
	*w.clock = w.clock.Add(11 * time.Minute)
	i.Set(func(i *oidctest.Issuer) { i.Away = true })
	b.get("/ui/").must(t, http.StatusServiceUnavailable, "the issuer does not answer")
	asked := 0
	i.Set(func(i *oidctest.Issuer) { asked, i.Away = i.Asked, false })
	b.get("/ui/").must(t, http.StatusServiceUnavailable, "the issuer does not answer") // it is not asked for each page
	i.Set(func(i *oidctest.Issuer) {
		if i.Asked != asked {
			t.Error("an issuer that was away is asked again at once")
		}
	})
	*w.clock = w.clock.Add(6 * time.Second)
	b.get("/ui/").must(t, http.StatusOK, "Bank of ann")
	i.Set(func(i *oidctest.Issuer) { i.Claims = oidctest.Claims{"groups": []string{"ops"}} })
	*w.clock = w.clock.Add(11 * time.Minute)
	if got := b.get("/ui/"); got.path != "/ui/banks" {
		t.Errorf("who became an operator is at %s", got.path)
	}
	i.Forget()
	*w.clock = w.clock.Add(11 * time.Minute)
	if got := b.get("/ui/"); got.path != "/ui/sign-in" {
		t.Errorf("the issuer took it back, and still at %s", got.path)
	}
	i.Set(func(i *oidctest.Issuer) { i.Claims, i.Forgets = nil, true })
	b = enter()
	*w.clock = w.clock.Add(9 * time.Minute)
	b.get("/ui/").must(t, http.StatusOK, "Bank of ann")
	*w.clock = w.clock.Add(time.Minute)
	if got := b.get("/ui/"); got.path != "/ui/sign-in" {
		t.Errorf("the token expired, and still at %s", got.path)
	}
}

// TestSessionsOutliveTheKeys: while the issuer's keys are away a session waits, and goes on when they are back.
func TestSessionsOutliveTheKeys(t *testing.T) {
	w, i := newIssuerWorld(t)
	i.Life = 10 * time.Minute
	b := w.browser()
	b.get("/ui/issuer").must(t, http.StatusOK, "You are signed in.")
	i.Set(func(i *oidctest.Issuer) { i.Key, i.Keyless = oidctest.NewKey(t), true })
	*w.clock = w.clock.Add(10 * time.Minute)
	for range 2 {
		*w.clock = w.clock.Add(6 * time.Second)
		b.get("/ui/").must(t, http.StatusServiceUnavailable, "the issuer of tokens does not answer")
	}
	i.Set(func(i *oidctest.Issuer) { i.Keyless = false })
	*w.clock = w.clock.Add(6 * time.Second)
	b.get("/ui/").must(t, http.StatusOK, "Bank of ann")
}

// TestAnEndedSessionIsNotAskedAbout: visits that waited while the issuer ended their session do not ask it again.
func TestAnEndedSessionIsNotAskedAbout(t *testing.T) {
	w, i := newIssuerWorld(t)
	w.browser().get("/ui/issuer").must(t, http.StatusOK, "You are signed in.")
	i.Forget()
	*w.clock = w.clock.Add(time.Hour)
	asked := 0
	i.Set(func(i *oidctest.Issuer) { asked = i.Asked })
	errs := w.site.RecheckLogins(t.Context(), 3)
	for _, err := range errs {
		if !errors.Is(err, web.ErrSignIn) {
			t.Errorf("%v", err)
		}
	}
	i.Set(func(i *oidctest.Issuer) {
		if len(errs) != 3 || i.Asked != asked+1 {
			t.Errorf("%d visits asked the issuer %d times", len(errs), i.Asked-asked)
		}
	})
}

// TestManyAttempts: beginning costs the server nothing, so nobody can push another's attempt out.
func TestManyAttempts(t *testing.T) {
	w, _ := newIssuerWorld(t)
	b, back := w.atIssuer()
	others := w.browser()
	others.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	for n := range 300 {
		if got := others.get(fmt.Sprintf("/ui/issuer?%d", n)); got.status != http.StatusSeeOther {
			t.Fatalf("%d", got.status)
		}
	}
	b.get(back).must(t, http.StatusOK, "You are signed in.")
}
