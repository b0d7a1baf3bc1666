package oidc_test

import (
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"mcp-memory/access"
	"mcp-memory/access/oidc"
	"mcp-memory/access/oidc/oidctest"
	"mcp-memory/memory"
)

const redirect = "https://memory.example/ui/callback"

var attempt = access.Attempt{State: "the-state", Nonce: "the-nonce", Verifier: strings.Repeat("v", 43)}

func dialogue(t *testing.T, i *oidctest.Issuer) *oidc.SignIn {
	t.Helper()
	v, err := oidc.New(oidc.Options{Issuer: i.URL, Audience: oidctest.Audience, Operator: "groups=ops",
		Clock: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	s, err := oidc.NewSignIn(v, oidc.Client{ID: i.Client, Secret: i.Secret, Scopes: []string{"groups"}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// begin goes through the issuer's dialogue and returns with what it sends people back.
func begin(t *testing.T, s *oidc.SignIn) url.Values {
	t.Helper()
	to, err := s.Begin(redirect, attempt)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Get(to)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	back, err := answer.Location()
	if err != nil || !strings.HasPrefix(back.String(), redirect+"?") {
		t.Fatalf("%s leads to %v, %v", to, back, err)
	}
	return back.Query()
}

func TestSignIn(t *testing.T) {
	for _, secret := range []string{"s3cret", ""} {
		i := newIssuer(t)
		i.Redirect, i.Secret, i.Claims = redirect, secret, claims{"groups": []string{"ops"}}
		s := dialogue(t, i)
		back := begin(t, s)
		if back.Get("state") != attempt.State {
			t.Errorf("state %q", back.Get("state"))
		}
		l, err := s.Finish(t.Context(), redirect, back.Get("code"), attempt)
		if err != nil || l.Identity.Agent != "ann" || l.Identity.Token != "sub:ann" || !l.Identity.Operator ||
			!l.Until.Equal(now.Add(time.Hour)) || l.Refresh == "" {
			t.Errorf("%+v, %v", l, err)
		}
		if _, err := s.Finish(t.Context(), redirect, back.Get("code"), attempt); memory.CodeOf(err) != memory.CodeForbidden {
			t.Errorf("a code twice: %v", err)
		}
		next, err := s.Renew(t.Context(), l)
		if err != nil || next.Identity.Agent != "ann" || next.Refresh == l.Refresh || i.Refreshed() != 1 {
			t.Errorf("renewed: %+v, %v", next, err)
		}
		if _, err := s.Renew(t.Context(), l); memory.CodeOf(err) != memory.CodeForbidden {
			t.Errorf("renewed twice: %v", err)
		}
		if s.Name() != strings.TrimPrefix(i.URL, "http://") {
			t.Errorf("name %q", s.Name())
		}
	}
}

// TestRenewWithoutAnIDToken: the issuer may leave it out, and the login goes on as it was.
func TestRenewWithoutAnIDToken(t *testing.T) {
	i := newIssuer(t)
	i.Bare, i.Claims = true, claims{"groups": []string{"ops"}}
	s := dialogue(t, i)
	l, err := s.Finish(t.Context(), redirect, begin(t, s).Get("code"), attempt)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		life, until time.Duration
		forgets     bool
	}{
		{20 * time.Minute, 20 * time.Minute, false}, {0, 5 * time.Minute, false},
		{-time.Minute, 5 * time.Minute, false}, {time.Minute, time.Minute, true},
	} {
		i.Set(func(i *oidctest.Issuer) { i.Life, i.Forgets = c.life, c.forgets })
		next, err := s.Renew(t.Context(), l)
		if err != nil || !reflect.DeepEqual(next.Identity, l.Identity) || !next.Until.Equal(now.Add(c.until)) ||
			(next.Refresh == l.Refresh) != c.forgets {
			t.Errorf("%v: %+v, %v", c.life, next, err)
		}
		l = next
	}
	if _, err := s.Renew(t.Context(), l); memory.CodeOf(err) != memory.CodeForbidden {
		t.Errorf("with a refresh token that was used: %v", err)
	}
}

func TestSignInRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*oidctest.Issuer)
		edit   func(*access.Attempt)
		code   memory.Code
	}{
		"another audience": {func(i *oidctest.Issuer) { i.Claims = claims{"aud": "other"} }, nil, memory.CodeForbidden},
		"bearers' one":     {func(i *oidctest.Issuer) { i.Claims = claims{"aud": oidctest.Audience} }, nil, memory.CodeForbidden},
		"expired":          {func(i *oidctest.Issuer) { i.Life = -time.Second }, nil, memory.CodeForbidden},
		"another issuer":   {func(i *oidctest.Issuer) { i.Claims = claims{"iss": "https://id.example"} }, nil, memory.CodeForbidden},
		"another key":      {func(i *oidctest.Issuer) { i.Signs = oidctest.NewKey(t) }, nil, memory.CodeForbidden},
		"no nonce":         {func(i *oidctest.Issuer) { i.Claims = claims{"nonce": nil} }, nil, memory.CodeForbidden},
		"another nonce":    {nil, func(a *access.Attempt) { a.Nonce = "x" }, memory.CodeForbidden},
		"another verifier": {nil, func(a *access.Attempt) { a.Verifier = strings.Repeat("w", 43) }, memory.CodeForbidden},
		"no agent":         {func(i *oidctest.Issuer) { i.Subject = "../x" }, nil, memory.CodeForbidden},
		"wrong secret":     {func(i *oidctest.Issuer) { i.Secret = "changed" }, nil, memory.CodeUnavailable},
		"issuer away":      {func(i *oidctest.Issuer) { i.Away = true }, nil, memory.CodeUnavailable},
	} {
		i := newIssuer(t)
		s := dialogue(t, i)
		before := begin(t, s)
		a := attempt
		if c.edit != nil {
			c.edit(&a)
		}
		if c.change != nil {
			i.Set(c.change)
		}
		code := before.Get("code")
		if name == "no agent" {
			code = begin(t, s).Get("code")
		}
		l, err := s.Finish(t.Context(), redirect, code, a)
		if memory.CodeOf(err) != c.code || l.Identity.Agent != "" {
			t.Errorf("%s: %+v, %v", name, l, err)
		}
		if err != nil && strings.Contains(err.Error(), code) {
			t.Errorf("%s: the error has the code: %v", name, err)
		}
	}
}

// TestRenewRefuses: a login ends when the issuer says so, or means somebody else by it.
func TestRenewRefuses(t *testing.T) {
	i := newIssuer(t)
	s := dialogue(t, i)
	login := func() access.Login {
		t.Helper()
		l, err := s.Finish(t.Context(), redirect, begin(t, s).Get("code"), attempt)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	l := login()
	i.Set(func(i *oidctest.Issuer) { i.Away = true })
	if _, err := s.Renew(t.Context(), l); memory.CodeOf(err) != memory.CodeUnavailable {
		t.Errorf("away: %v", err)
	}
	i.Set(func(i *oidctest.Issuer) { i.Away, i.Claims = false, claims{"sub": "bob"} })
	if _, err := s.Renew(t.Context(), l); memory.CodeOf(err) != memory.CodeForbidden {
		t.Errorf("somebody else: %v", err)
	}
	i.Set(func(i *oidctest.Issuer) { i.Claims = nil })
	l = login()
	i.Forget()
	if _, err := s.Renew(t.Context(), l); memory.CodeOf(err) != memory.CodeForbidden {
		t.Errorf("taken back: %v", err)
	}
	i.Set(func(i *oidctest.Issuer) { i.Forgets = true })
	if l = login(); l.Refresh != "" {
		t.Fatalf("%+v", l)
	}
	if _, err := s.Renew(t.Context(), l); memory.CodeOf(err) != memory.CodeForbidden {
		t.Errorf("without a refresh token: %v", err)
	}
}

func TestSignInWithoutAnIssuer(t *testing.T) {
	i := newIssuer(t)
	s := dialogue(t, i)
	i.Set(func(i *oidctest.Issuer) { i.Away = true })
	if _, err := s.Begin(redirect, attempt); memory.CodeOf(err) != memory.CodeUnavailable {
		t.Errorf("%v", err)
	}
	v, err := oidc.New(oidc.Options{Issuer: "id.example.com", Audience: "memory"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := oidc.NewSignIn(v, oidc.Client{ID: "page"}); memory.CodeOf(err) != memory.CodeInvalidArgument {
		t.Errorf("an issuer that is no URL: %v", err)
	}
}
