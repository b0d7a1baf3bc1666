package web

import (
	"context"
	"math"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"mcp-memory/access"
	"mcp-memory/memory"
)

// admit checks who may ask, before anything of the body is read. It sets the
// request's identity.
func (x *visit) admit() *refusal {
	if secretInQuery(x.r.URL) {
		return refuse(http.StatusBadRequest, "a token does not belong into the URL, send it as Authorization: Bearer TOKEN")
	}
	identity, why := x.identify()
	if why != nil {
		return why
	}
	x.as(identity)
	if wait := x.web.rates.take(identity.Key()); wait > 0 {
		seconds := int(math.Ceil(wait.Seconds()))
		x.Header().Set("Retry-After", strconv.Itoa(seconds))
		return refuse(http.StatusTooManyRequests, "too many requests, wait "+strconv.Itoa(seconds)+" s")
	}
	return nil
}

// identify returns who makes the request.
func (x *visit) identify() (access.Identity, *refusal) {
	ctx := x.r.Context()
	header := x.r.Header.Values("Authorization")
	unavailable := func(err error) (access.Identity, *refusal) {
		x.web.log.WarnContext(ctx, "check a token", "error", cause(err))
		return access.Identity{}, refuse(http.StatusServiceUnavailable, "unavailable: tokens cannot be checked (try again)")
	}
	required, err := x.web.opts.Access.Required(ctx)
	if err != nil {
		return unavailable(err)
	}
	if !required && len(header) == 0 {
		return access.Identity{Agent: x.web.opts.Agent}, nil
	}
	token, ok := bearer(header)
	if !ok {
		return access.Identity{}, x.challenge("", "a token is missing, send it as Authorization: Bearer TOKEN")
	}
	identity, err := x.web.opts.Access.Identify(ctx, token)
	switch {
	case memory.CodeOf(err) == memory.CodeForbidden:
		x.web.log.DebugContext(ctx, "a token is refused", "error", cause(err))
		return access.Identity{}, x.challenge("invalid_token", "the token is not valid")
	case err != nil:
		return unavailable(err)
	}
	return identity, nil
}

// cause is what an error says to the log, with what it hides from callers.
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
func (x *visit) challenge(code, text string) *refusal {
	value := `Bearer resource_metadata="` + x.base() + metadataPath + `"`
	if code != "" {
		value += `, error="` + code + `"`
	}
	x.Header().Set("WWW-Authenticate", value)
	return refuse(http.StatusUnauthorized, text)
}

// base is the URL by which the client knows the server.
func (x *visit) base() string {
	scheme := "http"
	if x.r.TLS != nil || strings.EqualFold(x.r.Header.Get("X-Forwarded-Proto"), "https") {
		scheme = "https"
	}
	return (&url.URL{Scheme: scheme, Host: x.r.Host}).String()
}

// secretInQuery reports whether a URL has what looks like a token.
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

// place checks that a web page which a browser shows cannot ask on behalf of
// its user: neither by a name that it has pointed at this machine (DNS
// rebinding), nor across origins.
func (x *visit) place() *refusal {
	local := x.local()
	if local != remote && local != socket && !isLoopback(x.r.Host) && !x.knownHost() ||
		local == remote && len(x.web.opts.Hosts) > 0 && !x.knownHost() {
		return refuse(http.StatusForbidden, "this server is not known by that Host")
	}
	origins := x.r.Header.Values("Origin")
	if len(origins) == 0 {
		return nil
	}
	origin, err := url.Parse(origins[0])
	known := slices.Contains(x.web.opts.Origins, origins[0])
	near := err == nil && local == loopback && (origin.Scheme == "http" || origin.Scheme == "https") && isLoopback(origin.Host)
	if len(origins) > 1 || !known && !near {
		return refuse(http.StatusForbidden, "pages of that Origin may not use this server")
	}
	x.Header().Set("Access-Control-Allow-Origin", origins[0])
	x.Header().Set("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate, Retry-After, X-Request-Id")
	x.Header().Add("Vary", "Origin")
	return nil
}

// preflight answers a browser that asks whether a page may ask.
func (x *visit) preflight() {
	x.Header().Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	x.Header().Set("Access-Control-Allow-Headers",
		"Authorization, Content-Type, Accept, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID, X-Request-Id")
	x.Header().Set("Access-Control-Max-Age", "600")
	x.WriteHeader(http.StatusNoContent)
}

// knownHost reports whether the setting names the request's Host, with its
// port or without.
func (x *visit) knownHost() bool {
	name, _, err := net.SplitHostPort(x.r.Host)
	return slices.ContainsFunc(x.web.opts.Hosts, func(h string) bool {
		return strings.EqualFold(h, x.r.Host) || err == nil && strings.EqualFold(h, name)
	})
}

// whence is how a request has come.
type whence int

const (
	loopback whence = iota
	socket          // of the file system
	remote
)

// local tells by which address a request has come. What does not say is
// treated as the strictest.
func (x *visit) local() whence {
	address, _ := x.r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	switch {
	case address == nil:
		return loopback
	case address.Network() == "unix":
		return socket
	case isLoopback(address.String()):
		return loopback
	}
	return remote
}

// isLoopback reports whether a host, with a port or without, is this machine.
func isLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// Loopback reports whether only this machine can reach a listener.
func Loopback(address net.Addr) bool {
	return address.Network() == "unix" || isLoopback(address.String())
}

// ready reports whether calls can be served.
func (h *Server) ready(ctx context.Context) bool {
	return !h.closing.Load() && (h.opts.Ready == nil || h.opts.Ready(ctx) == nil)
}
