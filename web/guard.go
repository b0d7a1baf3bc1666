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

// policy is the Content-Security-Policy: nothing from other hosts, no inline script or style, no
// frames.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// protect sets the security headers of an answer.
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

// maxBody is the largest body of a form, in bytes. The largest is a file of the workspace,
// URL-encoded.
const maxBody = 4 << 20

// check refuses requests whose Host is not this server's (DNS rebinding) and unsafe requests from
// pages of other sites.
func (s *Site) check(r *http.Request) error {
	if !s.knownHost(r.Host) {
		return memory.Errorf(memory.CodeForbidden, "this server is not known by that Host").WithHint("the setting http.hosts names others")
	}
	if err := s.origins.Check(r); err != nil {
		return memory.Errorf(memory.CodeForbidden, "pages of other sites may change nothing here").WithCause(err)
	}
	return nil
}

// checkKey refuses a form that does not carry the key of this session.
func checkKey(r *http.Request, one *session) error {
	if subtle.ConstantTimeCompare([]byte(r.PostFormValue(keyField)), []byte(one.key)) != 1 {
		return memory.Errorf(memory.CodeForbidden, "this form is of another session").
			WithHint("load the page again; what you typed is kept by going back")
	}
	return nil
}

// keyField is the form field that holds the key of the session.
const keyField = "key"

// knownHost reports whether a Host header names the loopback interface or is in Options.Hosts, with
// or without its port.
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
