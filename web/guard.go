package web

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"mcp-memory/memory"
)

// policy allows what this server sends and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// protect sets what browsers have to know before they show anything.
func protect(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	h.Set("Cache-Control", "no-store")
}

// maxBody is the most that a form may be: a file of the workspace, encoded.
const maxBody = 4 << 20

// check refuses what comes by a name that is not this server's, or from another
// site's page.
func (s *Site) check(r *http.Request) error {
	if !s.knownHost(r.Host) {
		return memory.Errorf(memory.CodeForbidden, "this server is not known by that Host").WithHint("the setting http.hosts names others")
	}
	if err := s.origins.Check(r); err != nil {
		return memory.Errorf(memory.CodeForbidden, "pages of other sites may change nothing here").WithCause(err)
	}
	return nil
}

// checkKey refuses a form that is not of this session.
func checkKey(r *http.Request, one *session) error {
	if subtle.ConstantTimeCompare([]byte(r.PostFormValue(keyField)), []byte(one.key)) != 1 {
		return memory.Errorf(memory.CodeForbidden, "this form is of another session").
			WithHint("load the page again; what you typed is kept by going back")
	}
	return nil
}

// keyField is the name of the field by which a form shows that it is ours.
const keyField = "key"

// knownHost reports whether a Host is the loopback's or a setting names it, with its
// port or without.
func (s *Site) knownHost(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	name = strings.Trim(name, "[]")
	if strings.EqualFold(name, "localhost") {
		return true
	}
	if ip, err := netip.ParseAddr(name); err == nil && ip.Unmap().IsLoopback() {
		return true
	}
	return slices.ContainsFunc(s.o.Hosts, func(h string) bool { return strings.EqualFold(h, host) || strings.EqualFold(h, name) })
}
