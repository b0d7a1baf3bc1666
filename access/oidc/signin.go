package oidc

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"mcp-memory/access"
	"mcp-memory/memory"
)

// Client is this program as the issuer knows it, for signing people in.
type Client struct {
	ID     string
	Secret string   // "" for a public client
	Scopes []string // requested besides openid
}

// SignIn implements [access.SignIn] by the authorization code flow with PKCE. The ID token
// identifies the person, by the same claims as other tokens of the issuer. Its audience is the
// client. Safe for concurrent use.
type SignIn struct {
	verifier *Verifier
	client   Client
}

var _ access.SignIn = (*SignIn)(nil)

// NewSignIn makes the sign-in at the issuer whose tokens v verifies. Errors are
// [memory.CodeInvalidArgument].
func NewSignIn(v *Verifier, c Client) (*SignIn, error) {
	if u, err := url.Parse(v.options.Issuer); err != nil || u.Host == "" {
		return nil, memory.Errorf(memory.CodeInvalidArgument, "auth.issuer is %q", v.options.Issuer).
			WithHint("a URL such as https://id.example.com")
	}
	if !slices.Contains(c.Scopes, oidc.ScopeOpenID) {
		c.Scopes = append([]string{oidc.ScopeOpenID}, c.Scopes...)
	}
	return &SignIn{v, c}, nil
}

// Name implements [access.SignIn].
func (s *SignIn) Name() string {
	u, err := url.Parse(s.verifier.options.Issuer)
	if err != nil {
		return s.verifier.options.Issuer
	}
	return u.Host
}

// config returns the OAuth configuration for the issuer.
func (s *SignIn) config(redirect string) (*oauth2.Config, error) {
	provider, err := s.verifier.provider()
	if err != nil {
		return nil, err
	}
	endpoint := provider.Endpoint()
	endpoint.AuthStyle = s.style(provider)
	return &oauth2.Config{ClientID: s.client.ID, ClientSecret: s.client.Secret, Endpoint: endpoint, RedirectURL: redirect,
		Scopes: s.client.Scopes}, nil
}

// style returns how the client sends its secret. The library would try both ways, but that uses up
// the code, which works once.
func (s *SignIn) style(provider *oidc.Provider) oauth2.AuthStyle {
	var says struct {
		Methods []string `json:"token_endpoint_auth_methods_supported"`
	}
	err := provider.Claims(&says)
	if s.client.Secret == "" || err == nil && slices.Contains(says.Methods, "client_secret_post") &&
		!slices.Contains(says.Methods, "client_secret_basic") {
		return oauth2.AuthStyleInParams
	}
	return oauth2.AuthStyleInHeader // the default if the issuer does not say
}

// Begin implements [access.SignIn].
func (s *SignIn) Begin(redirect string, a access.Attempt) (string, error) {
	config, err := s.config(redirect)
	if err != nil {
		return "", err
	}
	return config.AuthCodeURL(a.State, oidc.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier)), nil
}

// Finish implements [access.SignIn].
func (s *SignIn) Finish(ctx context.Context, redirect, code string, a access.Attempt) (access.Login, error) {
	config, err := s.config(redirect)
	if err != nil {
		return access.Login{}, err
	}
	tokens, err := config.Exchange(oidc.ClientContext(ctx, s.verifier.client), code, oauth2.VerifierOption(a.Verifier))
	if err != nil {
		return access.Login{}, failed(err)
	}
	l, nonce, err := s.login(ctx, tokens)
	if err == nil && subtle.ConstantTimeCompare([]byte(nonce), []byte(a.Nonce)) != 1 {
		err = invalid(errors.New("the nonce is of another attempt"))
	}
	if err != nil {
		return access.Login{}, err
	}
	return l, nil
}

// Renew implements [access.SignIn].
func (s *SignIn) Renew(ctx context.Context, l access.Login) (access.Login, error) {
	if l.Refresh == "" {
		return access.Login{}, invalid(errors.New("the issuer gave no refresh token"))
	}
	config, err := s.config("")
	if err != nil {
		return access.Login{}, err
	}
	tokens, err := config.TokenSource(oidc.ClientContext(ctx, s.verifier.client), &oauth2.Token{RefreshToken: l.Refresh}).Token()
	if err != nil {
		return access.Login{}, failed(err)
	}
	if tokens.Extra("id_token") == nil {
		return s.prolonged(l, tokens), nil
	}
	next, _, err := s.login(ctx, tokens)
	if err == nil && next.Identity.Token != l.Identity.Token {
		err = invalid(errors.New("the token is about somebody else than before"))
	}
	if memory.CodeOf(err) == memory.CodeUnavailable {
		return access.Login{Refresh: tokens.RefreshToken}, err // the old refresh token may be used up
	}
	if err != nil {
		return access.Login{}, err
	}
	next.Refresh = cmp.Or(next.Refresh, l.Refresh)
	return next, nil
}

// unsaid is how long a login lasts if the issuer does not say.
const unsaid = 5 * time.Minute

// prolonged returns a login that the issuer renewed without a new ID token, which it may leave out
// (OpenID Connect Core, section 12.2). It is for the same person, and lasts as long as the access
// token.
func (s *SignIn) prolonged(l access.Login, tokens *oauth2.Token) access.Login {
	life := time.Duration(tokens.ExpiresIn) * time.Second
	if life <= 0 {
		life = unsaid
	}
	l.Until = s.verifier.options.Clock().Add(life)
	l.Refresh = cmp.Or(tokens.RefreshToken, l.Refresh)
	return l
}

// login returns the login that tokens give, and the nonce in the ID token.
func (s *SignIn) login(ctx context.Context, tokens *oauth2.Token) (l access.Login, nonce string, err error) {
	text, ok := tokens.Extra("id_token").(string)
	if !ok {
		return l, "", invalid(errors.New("there is no ID token in the answer"))
	}
	verified, err := s.verifier.verify(ctx, text, s.client.ID)
	if err != nil {
		return l, "", err
	}
	l = access.Login{Until: verified.Expiry, Refresh: tokens.RefreshToken}
	l.Identity, err = s.verifier.identity(verified)
	return l, verified.Nonce, err
}

// failed converts an error of the token endpoint.
func failed(err error) error {
	var answer *oauth2.RetrieveError
	if !errors.As(err, &answer) {
		return memory.Errorf(memory.CodeUnavailable, "the issuer does not answer").WithCause(err)
	}
	switch answer.ErrorCode {
	case "invalid_grant":
		return memory.Errorf(memory.CodeForbidden, "the issuer does not know this sign-in any more").WithCause(bare(answer))
	case "invalid_client", "unauthorized_client":
		return memory.Errorf(memory.CodeUnavailable, "the issuer does not accept this server").
			WithHint("the settings auth.client_id and auth.client_secret").WithCause(bare(answer))
	}
	return memory.Errorf(memory.CodeUnavailable, "the issuer does not answer as it should").WithCause(bare(answer))
}

// bare is an issuer's answer as an error for the log, without its body, which may have tokens.
func bare(answer *oauth2.RetrieveError) error {
	status := ""
	if answer.Response != nil {
		status = answer.Response.Status
	}
	return errors.New(strings.TrimSpace(status + " " + answer.ErrorCode))
}
