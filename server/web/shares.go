package web

import (
	"net/http"
	"strconv"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-memory/access"
)

// share is an amount of the server's resources, in use or to be taken.
type share struct {
	requests int   // in progress, without streams
	streams  int   // open
	bytes    int64 // of bodies that are in memory
}

// shares limits what each identity, and all together, use of the server, so that something is left
// for others. Safe for concurrent use.
type shares struct {
	each    share // limits for one identity
	serving int   // limit for the requests and streams of all
	bytes   int64 // limit for the bytes of bodies of all

	mu    sync.Mutex
	used  map[string]*share // by identity
	total share
}

// tenants is how many identities can use all of their bytes at the same time.
const tenants = 4

// newShares leaves one in 16 connections free, at least one, for requests that take no share, such
// as probes.
func newShares(o Options) *shares {
	return &shares{
		each:    share{o.Requests, o.Streams, int64(o.BodyBytes)},
		serving: max(1, o.Connections-max(1, o.Connections/16)), bytes: tenants * int64(o.BodyBytes),
		used: map[string]*share{},
	}
}

// retryAfter is how many seconds later a refused request may be tried again.
const retryAfter = 1

// take adds want to the use of an identity, or returns why its limit or that of all does not allow
// it. Negative amounts give back and are never refused.
func (s *shares) take(owner string, want share) *refusal {
	s.mu.Lock()
	defer s.mu.Unlock()
	used := s.used[owner]
	if used == nil {
		used = &share{}
	}
	own, total := used.plus(want), s.total.plus(want)
	switch {
	case want.requests > 0 && own.requests > s.each.requests:
		return shortage(http.StatusTooManyRequests, "this token has "+strconv.Itoa(s.each.requests)+" requests under way")
	case want.streams > 0 && own.streams > s.each.streams:
		return shortage(http.StatusTooManyRequests, "this token has "+strconv.Itoa(s.each.streams)+" streams open")
	case want.bytes > 0 && own.bytes > s.each.bytes:
		return shortage(http.StatusTooManyRequests, "the requests of this token that are under way are too long together")
	case want.requests+want.streams > 0 && total.requests+total.streams > s.serving, want.bytes > 0 && total.bytes > s.bytes:
		return shortage(http.StatusServiceUnavailable, "the server is busy")
	}
	*used, s.total = own, total
	if s.used[owner] = used; own == (share{}) {
		delete(s.used, owner)
	}
	return nil
}

func shortage(status int, text string) *refusal {
	return &refusal{status: status, code: mcp.INTERNAL_ERROR, text: "unavailable: " + text + " (try again in a moment)", retry: retryAfter}
}

func (s share) plus(o share) share {
	return share{s.requests + o.requests, s.streams + o.streams, s.bytes + o.bytes}
}

func (s share) negative() share { return share{-s.requests, -s.streams, -s.bytes} }

// hold is what one request uses. Only the goroutine of the request uses it.
type hold struct {
	of    *shares
	owner string
	used  share
}

func (h *hold) take(want share) *refusal {
	if why := h.of.take(h.owner, want); why != nil {
		return why
	}
	h.used = h.used.plus(want)
	return nil
}

func (h *hold) release() {
	h.of.take(h.owner, h.used.negative())
	h.used = share{}
}

// limitUse counts a request as in progress, or refuses it if its identity has too many.
func (s *Server) limitUse(next handler) handler {
	return func(x *exchange) *refusal {
		identity, _ := access.From(x.r.Context())
		x.hold = &hold{of: s.shares, owner: identity.Key()}
		if why := x.hold.take(share{requests: 1}); why != nil {
			return why
		}
		defer x.hold.release()
		return next(x)
	}
}
