package web

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"mcp-memory/access"
	"mcp-memory/memory"
)

// Access checks the tokens of requests.
type Access interface {
	// Required reports whether requests need a token.
	Required(ctx context.Context) (bool, error)
	// Identify returns the identity of a token. The error is [memory.CodeForbidden] if the token is
	// not valid, and any other if that cannot be decided.
	Identify(ctx context.Context, token string) (access.Identity, error)
}

// authenticate identifies the caller of a request before its body is read.
func (s *Server) authenticate(next handler) handler {
	return func(x *exchange) *refusal {
		if secretInQuery(x.r.URL) {
			return refuse(http.StatusBadRequest, "a token does not belong into the URL, send it as Authorization: Bearer TOKEN")
		}
		identity, why := s.identify(x)
		if why != nil {
			return why
		}
		x.setIdentity(identity)
		return next(x)
	}
}

// identify returns the identity of a request, or why it is refused.
func (s *Server) identify(x *exchange) (access.Identity, *refusal) {
	ctx := x.r.Context()
	header := x.r.Header.Values("Authorization")
	unavailable := func(err error) (access.Identity, *refusal) {
		s.log.WarnContext(ctx, "check a token", "error", cause(err))
		return access.Identity{}, refuse(http.StatusServiceUnavailable, "unavailable: tokens cannot be checked (try again)")
	}
	required, err := s.opts.Access.Required(ctx)
	if err != nil {
		return unavailable(err)
	}
	if !required && len(header) == 0 {
		return access.Identity{Agent: s.opts.Agent}, nil
	}
	token, ok := bearer(header)
	if !ok {
		return access.Identity{}, x.challenge("", "a token is missing, send it as Authorization: Bearer TOKEN")
	}
	identity, err := s.opts.Access.Identify(ctx, token)
	switch {
	case memory.CodeOf(err) == memory.CodeForbidden:
		s.log.DebugContext(ctx, "a token is refused", "error", cause(err))
		return access.Identity{}, x.challenge("invalid_token", "the token is not valid")
	case err != nil:
		return unavailable(err)
	}
	return identity, nil
}

// cause is the text of an error for the log, including what it hides from callers.
func cause(err error) string {
	text := err.Error()
	if hidden := memory.Public(err).Err; hidden != nil {
		text += ": " + hidden.Error()
	}
	return text
}

func bearer(header []string) (string, bool) {
	if len(header) != 1 {
		return "", false
	}
	scheme, token, _ := strings.Cut(header[0], " ")
	token = strings.TrimSpace(token)
	return token, strings.EqualFold(scheme, "Bearer") && token != ""
}

// challenge asks for a token (RFC 6750, section 3; RFC 9728, section 5.1).
func (x *exchange) challenge(code, text string) *refusal {
	value := `Bearer resource_metadata="` + x.base() + metadataPath + `"`
	if code != "" {
		value += `, error="` + code + `"`
	}
	x.Header().Set("WWW-Authenticate", value)
	return refuse(http.StatusUnauthorized, text)
}

// secretInQuery reports whether the query of a URL has what looks like a token.
func secretInQuery(u *url.URL) bool {
	if u.RawQuery == "" {
		return false
	}
	for key, values := range u.Query() {
		switch strings.ToLower(key) {
		case "access_token", "token", "api_key", "apikey", "key", "authorization", "bearer":
			return true
		}
		if slices.ContainsFunc(values, func(v string) bool { return strings.HasPrefix(v, access.Prefix) }) {
			return true
		}
	}
	return strings.Contains(u.RawQuery, access.Prefix)
}
