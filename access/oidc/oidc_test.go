package oidc_test

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"mcp-memory/access/oidc"
	"mcp-memory/memory"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// issuer is an OpenID Connect provider: what of it a resource server uses.
type issuer struct {
	*httptest.Server
	key *rsa.PrivateKey
}

func newKey(t *testing.T) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func newIssuer(t *testing.T) *issuer {
	i := &issuer{key: newKey(t)}
	mux := http.NewServeMux()
	answer := func(path string, body func() any) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if err := json.NewEncoder(w).Encode(body()); err != nil {
				t.Error(err)
			}
		})
	}
	answer("/.well-known/openid-configuration", func() any {
		return map[string]any{
			"issuer": i.URL, "jwks_uri": i.URL + "/keys", "authorization_endpoint": i.URL + "/a", "token_endpoint": i.URL + "/t",
			"id_token_signing_alg_values_supported": []string{"RS256"},
		}
	})
	answer("/keys", func() any {
		return jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: i.key.Public(), KeyID: "k1", Algorithm: "RS256", Use: "sig"}}}
	})
	i.Server = httptest.NewServer(mux)
	t.Cleanup(i.Close)
	return i
}

type claims map[string]any

// token signs claims; changes go over the valid ones, nil removes one.
func (i *issuer) token(t *testing.T, key *rsa.PrivateKey, changes claims) string {
	t.Helper()
	all := claims{"iss": i.URL, "sub": "ann", "aud": "memory", "iat": now.Unix(), "exp": now.Add(time.Hour).Unix()}
	for name, value := range changes {
		if all[name] = value; value == nil {
			delete(all, name)
		}
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: key, KeyID: "k1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	payload, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := signer.Sign(payload)
	if err != nil {
		t.Fatal(err)
	}
	text, err := signed.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return text
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
	who, expires, err := v.Verify(t.Context(), i.token(t, i.key, nil))
	if err != nil || who.Agent != "ann" || who.Token != "sub:ann" || !expires.Equal(now.Add(time.Hour)) {
		t.Fatalf("%+v until %v, %v", who, expires, err)
	}
	if who, _, err = v.Verify(t.Context(), i.token(t, i.key, claims{"aud": []string{"other", "memory"}})); err != nil || who.Agent != "ann" {
		t.Errorf("one of several audiences: %+v, %v", who, err)
	}
	if who, _, err = verifier(t, i.URL, "agent").Verify(t.Context(), i.token(t, i.key, claims{"agent": "bob"})); err != nil || who.Agent != "bob" {
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
		{"groups=ops", claims{"groups": []string{"staff", "ops2"}}, false}, {"groups=ops", claims{"groups": "staff ops"}, false}, {"groups=ops", nil, false},
		{"groups=ops", claims{"groups": claims{"ops": true}}, false}, {"realm_access.roles=ops", claims{"realm_access": "ops"}, false},
		{"realm_access.roles=ops", claims{"roles": []string{"ops"}}, false}, {"groups=true", claims{"groups": true}, false}, {"", claims{"": "", "groups": "ops"}, false},
	} {
		v, err := oidc.New(oidc.Options{Issuer: i.URL, Audience: "memory", Operator: c.setting, Clock: func() time.Time { return now }})
		if err != nil {
			t.Fatal(err)
		}
		if who, _, err := v.Verify(t.Context(), i.token(t, i.key, c.claims)); err != nil || who.Operator != c.want || who.Agent != "ann" {
			t.Errorf("%s of %v: %+v, %v", c.setting, c.claims, who, err)
		}
	}
	for _, wrong := range []string{"groups", "=ops", "groups=", "="} {
		if _, err := oidc.New(oidc.Options{Issuer: i.URL, Audience: "memory", Operator: wrong}); memory.CodeOf(err) != memory.CodeInvalidArgument {
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
		"wrong audience": i.token(t, i.key, claims{"aud": "other"}),
		"no audience":    i.token(t, i.key, claims{"aud": nil}),
		"expired":        i.token(t, i.key, claims{"exp": now.Unix() - 1}),
		"never expires":  i.token(t, i.key, claims{"exp": nil}),
		"not yet":        i.token(t, i.key, claims{"nbf": now.Add(time.Hour).Unix()}),
		"wrong key":      i.token(t, newKey(t), nil),
		"wrong issuer":   i.token(t, i.key, claims{"iss": "https://issuer.example"}),
		"no subject":     i.token(t, i.key, claims{"sub": nil}),
		"no agent":       i.token(t, i.key, claims{"sub": "../x"}),
		"a number":       i.token(t, i.key, claims{"sub": 5}),
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
	there := i.Config.Handler
	var away atomic.Bool
	var asked atomic.Int32
	away.Store(true)
	i.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1); away.Load() {
			http.Error(w, "later", http.StatusServiceUnavailable)
			return
		}
		there.ServeHTTP(w, r)
	})
	clock := now
	v, err := oidc.New(oidc.Options{Issuer: i.URL, Audience: "memory", Clock: func() time.Time { return clock }})
	if err != nil {
		t.Fatal(err)
	}
	refused := func() {
		t.Helper()
		if _, _, err := v.Verify(t.Context(), i.token(t, i.key, nil)); memory.CodeOf(err) != memory.CodeUnavailable || asked.Load() != 1 {
			t.Errorf("asked %d times, %v", asked.Load(), err)
		}
	}
	refused()
	refused()
	away.Store(false)
	refused()
	clock = clock.Add(5 * time.Second)
	if who, _, err := v.Verify(t.Context(), i.token(t, i.key, nil)); err != nil || who.Agent != "ann" {
		t.Errorf("%+v, %v", who, err)
	}
}

func TestNew(t *testing.T) {
	if _, err := oidc.New(oidc.Options{Issuer: "https://id.example.com"}); memory.CodeOf(err) != memory.CodeInvalidArgument {
		t.Errorf("without an audience: %v", err)
	}
}
