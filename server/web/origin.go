package web

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// checkOrigin checks Host and Origin, so that a web page cannot use the server through its reader's
// browser: neither by a name that it has pointed at this machine (DNS rebinding), nor from another
// origin.
func (s *Server) checkOrigin(next handler) handler {
	return func(x *exchange) *refusal {
		from := listenerOf(x.r)
		switch known := s.knownHost(x.r.Host); {
		case from == loopback && !isLoopback(x.r.Host) && !known,
			from == network && len(s.opts.Hosts) > 0 && !known:
			return refuse(http.StatusForbidden, "this server is not known by that Host")
		}
		origins := x.r.Header.Values("Origin")
		if len(origins) == 0 {
			return next(x)
		}
		if len(origins) > 1 || !s.knownOrigin(origins[0], from) {
			return refuse(http.StatusForbidden, "pages of that Origin may not use this server")
		}
		x.Header().Set("Access-Control-Allow-Origin", origins[0])
		x.Header().Set("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate, Retry-After, X-Request-Id")
		x.Header().Add("Vary", "Origin")
		return next(x)
	}
}

// preflight answers a browser's preflight request of CORS.
func (x *exchange) preflight() {
	x.Header().Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	x.Header().Set("Access-Control-Allow-Headers",
		"Authorization, Content-Type, Accept, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID, X-Request-Id")
	x.Header().Set("Access-Control-Max-Age", "600")
	x.WriteHeader(http.StatusNoContent)
}

// knownHost reports whether Options.Hosts has the Host of a request, with or without its port.
func (s *Server) knownHost(host string) bool {
	name, _, err := net.SplitHostPort(host)
	return slices.ContainsFunc(s.opts.Hosts, func(h string) bool {
		return strings.EqualFold(h, host) || err == nil && strings.EqualFold(h, name)
	})
}

// knownOrigin reports whether Options.Origins has an origin, or whether both the page and the
// server are on the loopback of this machine.
func (s *Server) knownOrigin(origin string, from listenerKind) bool {
	if slices.Contains(s.opts.Origins, origin) {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && from == loopback && (u.Scheme == "http" || u.Scheme == "https") && isLoopback(u.Host)
}

// listenerKind is the kind of listener that accepted a request.
type listenerKind int

const (
	loopback   listenerKind = iota
	unixSocket              // a socket in the file system
	network                 // any other address
)

// listenerOf returns the kind of listener that accepted a request. If that is unknown, it is
// loopback, which has the strictest checks.
func listenerOf(r *http.Request) listenerKind {
	address, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	switch {
	case address == nil:
		return loopback
	case address.Network() == "unix":
		return unixSocket
	case isLoopback(address.String()):
		return loopback
	}
	return network
}

// isLoopback reports whether a host, with or without a port, is the loopback of this machine.
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

// LoopbackHost reports whether a host, with or without a port, is localhost or a loopback address.
func LoopbackHost(host string) bool { return isLoopback(host) }

// Loopback reports whether only this machine can reach a listener.
func Loopback(address net.Addr) bool {
	return address.Network() == "unix" || isLoopback(address.String())
}
