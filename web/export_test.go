package web

import (
	"context"
	"net/http"

	"mcp-memory/access"
)

// ErrSignIn is the answer to who has no session.
var ErrSignIn = errSignIn

// Address is an address of the page as tests see it.
type Address struct {
	Method, Path       string // path below [Root], with {…} for what differs
	Free, Reads, Whole bool
}

// Addresses returns every one.
func (s *Site) Addresses() (list []Address) {
	for _, r := range s.table() {
		list = append(list, Address{r.method, r.path, r.free, r.reads, r.reach == access.WholeBank})
	}
	return list
}

// Changes reports whether somebody who may only read is refused there.
func (a Address) Changes() bool { return a.Method == http.MethodPost && !a.Reads && !a.Free }

// RecheckLogins asks the issuer about each session as often as so many visits that found it before would.
func (s *Site) RecheckLogins(ctx context.Context, visits int) (errs []error) {
	s.sessions.mu.Lock()
	var list []*session
	for _, one := range s.sessions.open {
		list = append(list, one)
	}
	s.sessions.mu.Unlock()
	for _, one := range list {
		for range visits {
			errs = append(errs, s.recheckLogin(ctx, one))
		}
	}
	return errs
}
