package web

import (
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"mcp-memory/access"
)

// maxRates is how many identities are remembered. Beyond it all are forgotten,
// which gives each a full bucket once.
const maxRates = 10000

// limitRate refuses a request that comes too soon after the identity's others.
func (s *Server) limitRate(next handler) handler {
	return func(x *exchange) *refusal {
		identity, _ := access.From(x.r.Context())
		if wait := s.rates.take(identity.Key()); wait > 0 {
			seconds := strconv.Itoa(int(math.Ceil(wait.Seconds())))
			x.Header().Set("Retry-After", seconds)
			return refuse(http.StatusTooManyRequests, "too many requests, wait "+seconds+" s")
		}
		return next(x)
	}
}

// rates limits how often each identity may ask. Safe for concurrent use.
type rates struct {
	limit rate.Limit
	burst int
	clock func() time.Time

	mu sync.Mutex
	of map[string]*rate.Limiter
}

// newRates makes limits of perSecond requests each; 0 is none.
func newRates(perSecond float64, burst int, clock func() time.Time) *rates {
	return &rates{limit: rate.Limit(perSecond), burst: burst, clock: clock, of: map[string]*rate.Limiter{}}
}

// take counts a request and returns 0, or how long to wait before the next.
func (r *rates) take(key string) time.Duration {
	if r.limit <= 0 {
		return 0
	}
	r.mu.Lock()
	limiter := r.of[key]
	if limiter == nil {
		if len(r.of) >= maxRates {
			clear(r.of)
		}
		limiter = rate.NewLimiter(r.limit, r.burst)
		r.of[key] = limiter
	}
	r.mu.Unlock()
	now := r.clock()
	reservation := limiter.ReserveN(now, 1)
	wait := reservation.DelayFrom(now)
	if wait > 0 {
		reservation.CancelAt(now)
	}
	return wait
}
