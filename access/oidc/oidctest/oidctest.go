// Package oidctest has an OpenID Connect issuer for tests: discovery, keys, sign-in with code and
// PKCE, and tokens signed with a real key. Everybody is signed in as [Issuer.Subject] without a
// question.
package oidctest

import (
	"cmp"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"golang.org/x/oauth2"
)

// Audience is the audience of tokens of [Issuer.Token], unless the claims say otherwise.
const Audience = "memory"

// Issuer is an OpenID Connect provider on the loopback. While requests may be running, its fields
// may only be changed by [Issuer.Set].
type Issuer struct {
	*httptest.Server
	Key   *rsa.PrivateKey // the key that it publishes
	Signs *rsa.PrivateKey // signs ID tokens instead of Key, unless nil

	Client, Secret string        // the client that it accepts; Secret "" is a public client
	Redirect       string        // the only redirect URL that it accepts; "" accepts any
	Subject        string        // the person who signs in
	Claims         Claims        // of ID tokens, besides the usual ones; a nil value removes one
	Life           time.Duration // of tokens; with 0 the answer has no expires_in
	Refuses        string        // error code with which it redirects; "" is none
	Forgets        bool          // issue no refresh tokens
	Bare           bool          // answer a refresh token without an ID token
	Away           bool          // answer 503 to everything
	Keyless        bool          // answer 503 to requests for its keys
	Asked          int           // number of requests received

	t       testing.TB
	clock   func() time.Time
	mu      sync.Mutex
	grants  map[string]grant // by code or refresh token
	refresh int              // number of refresh tokens answered
}

// Claims are the claims of a token.
type Claims map[string]any

// grant is what a code or refresh token stands for.
type grant struct{ redirect, challenge, nonce, subject string }

// New starts an issuer that is closed at the end of the test.
func New(t testing.TB, clock func() time.Time) *Issuer {
	t.Helper()
	i := &Issuer{t: t, Key: NewKey(t), clock: clock, Client: "page", Secret: "s3cret", Subject: "ann", Life: time.Hour,
		grants: map[string]grant{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		i.answer(w, http.StatusOK, map[string]any{
			"issuer": i.URL, "jwks_uri": i.URL + "/keys",
			"authorization_endpoint": i.URL + "/authorize?tenant=1", "token_endpoint": i.URL + "/token",
			"id_token_signing_alg_values_supported": []string{"RS256"},
		})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		i.answer(w, http.StatusOK,
			jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: i.Key.Public(), KeyID: "k1", Algorithm: "RS256", Use: "sig"}}})
	})
	mux.HandleFunc("GET /authorize", i.authorize)
	mux.HandleFunc("POST /token", i.token)
	i.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i.mu.Lock()
		defer i.mu.Unlock()
		if i.Asked++; i.Away || i.Keyless && r.URL.Path == "/keys" {
			http.Error(w, "later", http.StatusServiceUnavailable)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(i.Close)
	return i
}

// NewKey makes an RSA key.
func NewKey(t testing.TB) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// Set changes the issuer while no request is handled.
func (i *Issuer) Set(change func(*Issuer)) {
	i.mu.Lock()
	defer i.mu.Unlock()
	change(i)
}

// Forget revokes all codes and refresh tokens.
func (i *Issuer) Forget() { i.Set(func(i *Issuer) { clear(i.grants) }) }

// Refreshed returns how many refresh tokens were accepted.
func (i *Issuer) Refreshed() (n int) {
	i.Set(func(i *Issuer) { n = i.refresh })
	return n
}

// Token signs claims with a key. changes replace claims of a valid token. nil removes one.
func (i *Issuer) Token(key *rsa.PrivateKey, changes Claims) string {
	i.t.Helper()
	now := i.clock()
	all := Claims{"iss": i.URL, "sub": "ann", "aud": Audience, "iat": now.Unix(), "exp": now.Add(i.Life).Unix()}
	for name, value := range changes {
		if all[name] = value; value == nil {
			delete(all, name)
		}
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: key, KeyID: "k1"}}, nil)
	if err != nil {
		i.t.Fatal(err)
	}
	payload, err := json.Marshal(all)
	if err != nil {
		i.t.Fatal(err)
	}
	signed, err := signer.Sign(payload)
	if err != nil {
		i.t.Fatal(err)
	}
	text, err := signed.CompactSerialize()
	if err != nil {
		i.t.Fatal(err)
	}
	return text
}

func (i *Issuer) answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		i.t.Error(err)
	}
}

// authorize redirects back with a code.
func (i *Issuer) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	back, err := url.Parse(q.Get("redirect_uri"))
	if err != nil || q.Get("client_id") != i.Client || i.Redirect != "" && back.String() != i.Redirect || q.Get("tenant") != "1" {
		http.Error(w, "who is that?", http.StatusBadRequest) // without a redirect
		return
	}
	answer := url.Values{"state": {q.Get("state")}}
	switch {
	case i.Refuses != "":
		answer.Set("error", i.Refuses)
		answer.Set("error_description", "<b>because</b>")
	case q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" || q.Get("code_challenge") == "" ||
		q.Get("scope") == "":
		answer.Set("error", "invalid_request")
	default:
		answer.Set("code", i.grant(grant{back.String(), q.Get("code_challenge"), q.Get("nonce"), i.Subject}))
	}
	back.RawQuery = answer.Encode()
	http.Redirect(w, r, back.String(), http.StatusFound)
}

func (i *Issuer) grant(g grant) string {
	name := rand.Text()
	i.grants[name] = g
	return name
}

// token issues tokens for a code or refresh token, each of which works once.
func (i *Issuer) token(w http.ResponseWriter, r *http.Request) {
	refuse := func(status int, code string) { i.answer(w, status, map[string]string{"error": code}) }
	client, secret, basic := r.BasicAuth()
	if !basic {
		client, secret = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	}
	if client != i.Client || secret != i.Secret {
		refuse(http.StatusUnauthorized, "invalid_client")
		return
	}
	name, renews := r.PostFormValue("code"), r.PostFormValue("grant_type") == "refresh_token"
	if renews {
		name = r.PostFormValue("refresh_token")
	}
	g, ok := i.grants[name]
	delete(i.grants, name)
	if !ok || !renews && (g.redirect != r.PostFormValue("redirect_uri") ||
		g.challenge != oauth2.S256ChallengeFromVerifier(r.PostFormValue("code_verifier"))) {
		refuse(http.StatusBadRequest, "invalid_grant")
		return
	}
	claims := Claims{"sub": g.subject, "aud": i.Client}
	if renews {
		i.refresh++
	} else {
		claims["nonce"] = g.nonce
	}
	for name, value := range i.Claims {
		claims[name] = value
	}
	answer := map[string]any{"access_token": rand.Text(), "token_type": "Bearer", "expires_in": int(i.Life.Seconds()),
		"id_token": i.Token(cmp.Or(i.Signs, i.Key), claims)}
	if renews && i.Bare {
		delete(answer, "id_token")
	}
	if i.Life == 0 {
		delete(answer, "expires_in")
	}
	if !i.Forgets {
		answer["refresh_token"] = i.grant(grant{subject: g.subject})
	}
	i.answer(w, http.StatusOK, answer)
}
