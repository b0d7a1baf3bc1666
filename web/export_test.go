package web

import (
	"net/http"

	"mcp-memory/access"
)

// Address is an address of the page as tests see it.
type Address struct {
	Method, Path       string // path below [Root], with {…} for what differs
	Free, Quiet, Whole bool
}

// Addresses returns every one.
func (s *Site) Addresses() (list []Address) {
	for _, r := range s.table() {
		list = append(list, Address{r.method, r.path, r.free, r.quiet, r.reach == access.WholeBank})
	}
	return list
}

// Changes reports whether somebody who may only read is refused there.
func (a Address) Changes() bool { return a.Method == http.MethodPost && !a.Quiet && !a.Free }
