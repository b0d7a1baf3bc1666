package web

import (
	"math"
	"net/http"
	"strconv"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"mcp-memory/access"
)

// maxRates is how many identities are remembered.
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

// rates limits how often each identity may ask. The identity that asked longest
// ago is forgotten first, which gives it a full bucket. Safe for concurrent use.
type rates struct {
	limit    rate.Limit
	burst    int
	clock    func() time.Time
	limiters *lru.Cache[string, *rate.Limiter] // by identity
}

// newRates makes limits of perSecond requests each; 0 is none.
func newRates(perSecond float64, burst int, clock func() time.Time) *rates {
	limiters, err := lru.New[string, *rate.Limiter](maxRates)
	if err != nil {
		panic(err) // of a size below one
	}
	return &rates{limit: rate.Limit(perSecond), burst: burst, clock: clock, limiters: limiters}
}

// take counts a request and returns 0, or how long to wait before the next.
func (r *rates) take(key string) time.Duration {
	if r.limit <= 0 {
		return 0
	}
	limiter, ok := r.limiters.Get(key)
	if !ok {
		limiter = rate.NewLimiter(r.limit, r.burst)
		if first, ok, _ := r.limiters.PeekOrAdd(key, limiter); ok {
			limiter = first // of a request at the same moment
		}
	}
	now := r.clock()
	reservation := limiter.ReserveN(now, 1)
	wait := reservation.DelayFrom(now)
	if wait > 0 {
		reservation.CancelAt(now)
	}
	return wait
}
