// Package oidc verifies tokens of an OpenID Connect issuer: signature, issuer, audience and times.
// A claim of the token names the agent. [SignIn] signs people in at the issuer, which also ends
// with such a token.
package oidc

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"mcp-memory/access"
	"mcp-memory/memory"
)

// Options configure a [Verifier].
type Options struct {
	Issuer   string // URL; the discovery document is at its well-known path
	Audience string // audience that tokens need to have
	Claim    string // claim that names the agent; "" is sub
	Operator string // claim and value of an operator's token, such as groups=operators; "" is none
	Clock    memory.Clock
}

const (
	timeout = 10 * time.Second // for one request to the issuer
	// pause is how long an issuer is not asked again after a failure, because all tokens wait while
	// one asks.
	pause = 5 * time.Second
)

// Verifier implements [access.Verifier]. It first asks the issuer when a token is verified, so that
// a server can start without the issuer. Safe for concurrent use.
type Verifier struct {
	options Options
	client  *http.Client

	mu     sync.Mutex
	known  *oidc.Provider
	failed error     // error of the last discovery, or nil
	again  time.Time // when discovery may be tried again
}

var _ access.Verifier = (*Verifier)(nil)

// New makes a verifier. Errors are [memory.CodeInvalidArgument]. An audience is required, because
// otherwise a token for any other service of the issuer would be accepted.
func New(o Options) (*Verifier, error) {
	if o.Audience == "" {
		return nil, memory.Errorf(memory.CodeInvalidArgument, "auth.audience is missing").
			WithHint("what the issuer's tokens for this server have in aud")
	}
	if o.Claim == "" {
		o.Claim = "sub"
	}
	if name, value, ok := strings.Cut(o.Operator, "="); o.Operator != "" && (!ok || name == "" || value == "") {
		return nil, memory.Errorf(memory.CodeInvalidArgument, "auth.operator is %q", o.Operator).
			WithHint("a claim and its value, such as groups=memory-operators")
	}
	return &Verifier{options: o, client: &http.Client{Timeout: timeout}}, nil
}

// provider returns the issuer's addresses and keys, discovered once. The library keeps the keys
// current.
func (v *Verifier) provider() (*oidc.Provider, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.known != nil {
		return v.known, nil
	}
	if v.failed != nil && v.options.Clock().Before(v.again) {
		return nil, v.failed
	}
	// The provider fetches keys with this context later, so it must not end.
	provider, err := oidc.NewProvider(oidc.ClientContext(context.Background(), v.client), v.options.Issuer)
	if err != nil {
		v.failed = memory.Errorf(memory.CodeUnavailable, "the issuer of tokens does not answer").WithCause(err)
		v.again = v.options.Clock().Add(pause)
		return nil, v.failed
	}
	v.known = provider
	return v.known, nil
}

// Verify implements [access.Verifier].
func (v *Verifier) Verify(ctx context.Context, token string) (access.Identity, time.Time, error) {
	verified, err := v.verify(ctx, token, v.options.Audience)
	if err != nil {
		return access.Identity{}, time.Time{}, err
	}
	identity, err := v.identity(verified)
	return identity, verified.Expiry, err
}

// verify checks a token that must have an audience. [memory.CodeForbidden] if it is not valid,
// [memory.CodeUnavailable] if that cannot be decided.
func (v *Verifier) verify(ctx context.Context, token, audience string) (*oidc.IDToken, error) {
	provider, err := v.provider()
	if err != nil {
		return nil, err
	}
	verified, err := provider.Verifier(&oidc.Config{ClientID: audience, Now: v.options.Clock}).Verify(ctx, token)
	switch {
	case err == nil:
		if err := checkTimes(verified); err != nil {
			return nil, invalid(err)
		}
		return verified, nil
	case strings.HasPrefix(err.Error(), keysAway):
		return nil, memory.Errorf(memory.CodeUnavailable, "the issuer of tokens does not answer").WithCause(err)
	}
	return nil, invalid(err)
}

// checkTimes refuses times that are strings. RFC 7519 has numbers, but the library also accepts
// strings.
func checkTimes(verified *oidc.IDToken) error {
	var times struct {
		Exp, Nbf, Iat json.RawMessage
	}
	if err := verified.Claims(&times); err != nil {
		return err
	}
	for _, t := range []json.RawMessage{times.Exp, times.Nbf, times.Iat} {
		if len(t) > 0 && t[0] == '"' {
			return errors.New("a time in it is a text")
		}
	}
	return nil
}

// keysAway is the beginning of the library's error if the issuer's keys could not be fetched, which
// says nothing about the token. The library has no type for this error.
const keysAway = "failed to verify signature: fetching keys "

func invalid(cause error) error {
	return memory.Errorf(memory.CodeForbidden, "the token is not valid").WithCause(cause)
}

// identity returns the identity that the claims of a token give.
func (v *Verifier) identity(verified *oidc.IDToken) (access.Identity, error) {
	claims := map[string]any{}
	if err := verified.Claims(&claims); err != nil {
		return access.Identity{}, invalid(err)
	}
	agent, ok := claims[v.options.Claim].(string)
	if !ok {
		return access.Identity{}, invalid(errors.New("the claim of the agent is missing"))
	}
	if err := memory.CheckAgent(agent); err != nil {
		return access.Identity{}, invalid(err)
	}
	return access.Identity{Agent: agent, Token: "sub:" + verified.Subject, Operator: v.isOperator(claims)}, nil
}

// isOperator reports whether the operator's claim has the wanted value, as a string or in a list. A
// name with dots that is no claim is a path into claims that are objects.
func (v *Verifier) isOperator(claims map[string]any) bool {
	name, want, set := strings.Cut(v.options.Operator, "=")
	if !set {
		return false
	}
	value, found := claims[name]
	for rest := name; !found; {
		first, below, more := strings.Cut(rest, ".")
		if value = claims[first]; !more {
			break
		}
		inner, isObject := value.(map[string]any)
		if !isObject {
			return false
		}
		claims, rest = inner, below
	}
	list, isList := value.([]any)
	return value == any(want) || isList && slices.Contains(list, any(want))
}
