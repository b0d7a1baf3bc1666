package oidc_test

import (
	"encoding/base64"
	"strconv"
	"testing"
	"time"

	"mcp-memory/access/oidc"
	"mcp-memory/access/oidc/oidctest"
	"mcp-memory/memory"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

type claims = oidctest.Claims

func newIssuer(t *testing.T) *oidctest.Issuer {
	return oidctest.New(t, func() time.Time { return now })
}

func verifier(t *testing.T, url, claim string) *oidc.Verifier {
	t.Helper()
	v, err := oidc.New(oidc.Options{Issuer: url, Audience: "memory", Claim: claim, Clock: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestVerify(t *testing.T) {
	i := newIssuer(t)
	v := verifier(t, i.URL, "")
	who, expires, err := v.Verify(t.Context(), i.Token(i.Key, nil))
	if err != nil || who.Agent != "ann" || who.Token != "sub:ann" || !expires.Equal(now.Add(time.Hour)) {
		t.Fatalf("%+v until %v, %v", who, expires, err)
	}
	if who, _, err = v.Verify(t.Context(), i.Token(i.Key, claims{"aud": []string{"other", "memory"}})); err != nil || who.Agent != "ann" {
		t.Errorf("one of several audiences: %+v, %v", who, err)
	}
	if who, _, err = verifier(t, i.URL, "agent").Verify(t.Context(), i.Token(i.Key, claims{"agent": "bob"})); err != nil ||
		who.Agent != "bob" {
		t.Errorf("another claim: %+v, %v", who, err)
	}
}

func TestOperator(t *testing.T) {
	i := newIssuer(t)
	for _, c := range []struct {
		setting string
		claims  claims
		want    bool
	}{
		{"groups=ops", claims{"groups": []string{"staff", "ops"}}, true}, {"groups=ops", claims{"groups": "ops"}, true},
		{"realm_access.roles=ops", claims{"realm_access": claims{"roles": []string{"ops"}}}, true},
		{"https://id.example/roles=ops", claims{"https://id.example/roles": []string{"ops"}}, true},
		{"groups=ops", claims{"groups": []string{"staff", "ops2"}}, false},
		{"groups=ops", claims{"groups": "staff ops"}, false}, {"groups=ops", nil, false},
		{"groups=ops", claims{"groups": claims{"ops": true}}, false}, {"realm_access.roles=ops", claims{"realm_access": "ops"}, false},
		{"realm_access.roles=ops", claims{"roles": []string{"ops"}}, false},
		{"groups=true", claims{"groups": true}, false}, {"", claims{"": "", "groups": "ops"}, false},
	} {
		v, err := oidc.New(oidc.Options{Issuer: i.URL, Audience: "memory", Operator: c.setting, Clock: func() time.Time { return now }})
		if err != nil {
			t.Fatal(err)
		}
		if who, _, err := v.Verify(t.Context(), i.Token(i.Key, c.claims)); err != nil || who.Operator != c.want || who.Agent != "ann" {
			t.Errorf("%s of %v: %+v, %v", c.setting, c.claims, who, err)
		}
	}
	for _, wrong := range []string{"groups", "=ops", "groups=", "="} {
		if _, err := oidc.New(oidc.Options{Issuer: i.URL, Audience: "memory",
			Operator: wrong}); memory.CodeOf(err) != memory.CodeInvalidArgument {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

func TestRefuse(t *testing.T) {
	i := newIssuer(t)
	v := verifier(t, i.URL, "")
	part := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	unsigned := part(`{"alg":"none"}`) + "." + part(`{"iss":"`+i.URL+`","sub":"ann","aud":"memory","exp":9999999999}`) + "."
	for name, token := range map[string]string{
		"wrong audience": i.Token(i.Key, claims{"aud": "other"}),
		"no audience":    i.Token(i.Key, claims{"aud": nil}),
		"expired":        i.Token(i.Key, claims{"exp": now.Unix() - 1}),
		"never expires":  i.Token(i.Key, claims{"exp": nil}),
		"exp is text":    i.Token(i.Key, claims{"exp": strconv.FormatInt(now.Add(time.Hour).Unix(), 10)}),
		"nbf is text":    i.Token(i.Key, claims{"nbf": strconv.FormatInt(now.Add(-time.Hour).Unix(), 10)}),
		"not yet":        i.Token(i.Key, claims{"nbf": now.Add(time.Hour).Unix()}),
		"wrong key":      i.Token(oidctest.NewKey(t), nil),
		"wrong issuer":   i.Token(i.Key, claims{"iss": "https://issuer.example"}),
		"no subject":     i.Token(i.Key, claims{"sub": nil}),
		"no agent":       i.Token(i.Key, claims{"sub": "../x"}),
		"a number":       i.Token(i.Key, claims{"sub": 5}),
		"alg none":       unsigned,
		"nothing":        "",
		"half":           part(`{"alg":"RS256"}`) + ".x",
	} {
		if who, _, err := v.Verify(t.Context(), token); memory.CodeOf(err) != memory.CodeForbidden || who.Agent != "" {
			t.Errorf("%s: %+v, %v", name, who, err)
		}
	}
}

// An issuer that is away fails its own tokens, and only until it is back. It is
// not asked again for each of them.
func TestIssuerAway(t *testing.T) {
	i := newIssuer(t)
	i.Set(func(i *oidctest.Issuer) { i.Away = true })
	asked := func() (n int) {
		i.Set(func(i *oidctest.Issuer) { n = i.Asked })
		return n
	}
	clock := now
	v, err := oidc.New(oidc.Options{Issuer: i.URL, Audience: "memory", Clock: func() time.Time { return clock }})
	if err != nil {
		t.Fatal(err)
	}
	refused := func() {
		t.Helper()
		if _, _, err := v.Verify(t.Context(), i.Token(i.Key, nil)); memory.CodeOf(err) != memory.CodeUnavailable || asked() != 1 {
			t.Errorf("asked %d times, %v", asked(), err)
		}
	}
	refused()
	refused()
	i.Set(func(i *oidctest.Issuer) { i.Away = false })
	refused()
	clock = clock.Add(5 * time.Second)
	if who, _, err := v.Verify(t.Context(), i.Token(i.Key, nil)); err != nil || who.Agent != "ann" {
		t.Errorf("%+v, %v", who, err)
	}
}

// TestKeysAway: without the issuer's keys nobody can tell whether a token is good.
func TestKeysAway(t *testing.T) {
	i := newIssuer(t)
	v := verifier(t, i.URL, "")
	keyless := func(on bool) { i.Set(func(i *oidctest.Issuer) { i.Keyless = on }) }
	keyless(true)
	if who, _, err := v.Verify(t.Context(), i.Token(i.Key, nil)); memory.CodeOf(err) != memory.CodeUnavailable || who.Agent != "" {
		t.Errorf("%+v, %v", who, err)
	}
	if _, _, err := v.Verify(t.Context(), "nonsense"); memory.CodeOf(err) != memory.CodeForbidden {
		t.Errorf("what is no token at all: %v", err)
	}
	keyless(false)
	if who, _, err := v.Verify(t.Context(), i.Token(i.Key, nil)); err != nil || who.Agent != "ann" {
		t.Errorf("%+v, %v", who, err)
	}
	keyless(true)
	if who, _, err := v.Verify(t.Context(), i.Token(i.Key, nil)); err != nil || who.Agent != "ann" {
		t.Errorf("by a key that is known: %+v, %v", who, err)
	}
	if _, _, err := v.Verify(t.Context(), i.Token(i.Key, claims{"aud": "other"})); memory.CodeOf(err) != memory.CodeForbidden {
		t.Errorf("for another audience: %v", err)
	}
}

func TestNew(t *testing.T) {
	if _, err := oidc.New(oidc.Options{Issuer: "https://id.example.com"}); memory.CodeOf(err) != memory.CodeInvalidArgument {
		t.Errorf("without an audience: %v", err)
	}
}
