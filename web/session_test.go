package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"mcp-memory/access"
)

func TestALinkWorksOnce(t *testing.T) {
	w := newWorld(t, false)
	link := w.site.Link()
	first := w.browser()
	first.get(link).must(t, http.StatusOK, "Today")
	first.get("/ui/search").must(t, http.StatusOK)
	// A second use means that somebody has read the link: nobody can tell who was first.
	w.browser().get(link).must(t, http.StatusForbidden, "used before")
	if got := first.get("/ui/search"); got.path != "/ui/sign-in" {
		t.Errorf("who used a stolen link is still in, at %s", got.path)
	}
	w.browser().get("/ui/enter/AAAAAAAAAAAAAAAAAAAAAAAAAA").must(t, http.StatusForbidden, "does not work")
	late := w.site.Link()
	*w.clock = w.clock.Add(11 * time.Minute)
	w.browser().get(late).must(t, http.StatusGone, "too old")
}

func TestTheCookie(t *testing.T) {
	w := newWorld(t, false)
	b := w.browser()
	b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	got := b.get(w.site.Link())
	cookie := got.header.Get("Set-Cookie")
	for _, want := range []string{"HttpOnly", "SameSite=Strict", "Path=/ui"} {
		if !strings.Contains(cookie, want) {
			t.Errorf("the cookie %q lacks %s", cookie, want)
		}
	}
	if to := got.header.Get("Location"); to != "/ui/" {
		t.Errorf("the link stays in the address: %q", to)
	}
}

func TestSessionsEnd(t *testing.T) {
	w := newWorld(t, false)
	idle := w.entered()
	for range 3 { // use keeps it alive
		*w.clock = w.clock.Add(20 * time.Minute)
		idle.get("/ui/").must(t, http.StatusOK, "Today")
	}
	*w.clock = w.clock.Add(31 * time.Minute)
	if got := idle.get("/ui/"); got.path != "/ui/sign-in" {
		t.Errorf("after half an hour still at %s", got.path)
	}
	out := w.entered()
	out.submit(out.get("/ui/"), "/ui/sign-out", nil)
	if got := out.get("/ui/search"); got.path != "/ui/sign-in" {
		t.Errorf("signed out and still at %s", got.path)
	}
}

func TestTokens(t *testing.T) {
	w := newWorld(t, true)
	b := w.browser() // without any token everybody on the machine may
	b.get("/ui/").must(t, http.StatusOK, "needs no token")
	b.send("/ui/sign-in", url.Values{}).must(t, http.StatusOK, "Today", "Bank of default")
	id, secret := w.token(access.Request{Agent: "ann"})
	if got := b.get("/ui/search"); got.path != "/ui/sign-in" {
		t.Errorf("there are tokens since, and still at %s", got.path)
	}
	for _, wrong := range []string{"", "nonsense", secret + "x", access.Prefix} {
		w.browser().send("/ui/sign-in", url.Values{"token": {wrong}}).must(t, http.StatusForbidden, "not valid")
	}
	ann := w.signedIn(secret)
	ann.get("/ui/").must(t, http.StatusOK, "Bank of ann")
	if _, err := w.access.Revoke(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if got := ann.get("/ui/"); got.path != "/ui/sign-in" {
		t.Errorf("the token was revoked, and still at %s", got.path)
	}
}
