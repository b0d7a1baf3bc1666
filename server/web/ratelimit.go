package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"mcp-memory/access"
	"mcp-memory/memory"
)

// maxRates is how many identities are remembered at most.
const maxRates = 10000

// limitRate refuses a request that exceeds the rate of its identity.
func (s *Server) limitRate(next handler) handler {
	return func(x *exchange) *refusal {
		if wait := s.rates.take(x.r.Context(), owner(x.r.Context())); wait > 0 {
			seconds := strconv.Itoa(int(math.Ceil(wait.Seconds())))
			x.Header().Set("Retry-After", seconds)
			return refuse(http.StatusTooManyRequests, "too many requests, wait "+seconds+" s")
		}
		return next(x)
	}
}

// rates limits the requests per second of each identity, by a token bucket. At maxRates identities,
// the one with the oldest request is forgotten, which gives it a full bucket. If there are other
// servers, the bucket is in the database, and each server takes several requests out of it at once.
// Safe for concurrent use.
type rates struct {
	limit    rate.Limit
	burst    int
	clock    func() time.Time
	shared   memory.Shared                // nil where there are no other servers
	limiters *lru.Cache[string, *limiter] // by identity
}

// limiter is the state of one identity at this server.
type limiter struct {
	own *rate.Limiter

	mu      sync.Mutex
	left    int       // requests already taken out of the shared bucket
	until   time.Time // when the rest of left expires
	blocked time.Time // until then the shared bucket is known to be empty
}

// newRates limits each identity to perSecond requests; 0 is no limit.
func newRates(perSecond float64, burst int, clock func() time.Time, shared memory.Shared) *rates {
	limiters, err := lru.New[string, *limiter](maxRates)
	if err != nil {
		panic(err) // only for a size below one
	}
	return &rates{limit: rate.Limit(perSecond), burst: burst, clock: clock, shared: shared, limiters: limiters}
}

// take counts a request. It returns 0 if the request is allowed, else how long to wait.
func (r *rates) take(ctx context.Context, who access.Identity) time.Duration {
	if r.limit <= 0 {
		return 0
	}
	key := who.Key()
	l, ok := r.limiters.Get(key)
	if !ok {
		l = &limiter{own: rate.NewLimiter(r.limit, r.burst)}
		if first, ok, _ := r.limiters.PeekOrAdd(key, l); ok {
			l = first // another request has just added it
		}
	}
	if r.shared != nil {
		if wait, err := r.takeShared(ctx, l, who); err == nil {
			return wait
		} // if the database fails, each server limits by itself
	}
	now := r.clock()
	reservation := l.own.ReserveN(now, 1)
	wait := reservation.DelayFrom(now)
	if wait > 0 {
		reservation.CancelAt(now)
	}
	return wait
}

// How much a server takes out of a shared bucket at once: the requests of a tenth of a second, at
// most a quarter of the burst. They expire after a second.
const (
	takesASecond = 10
	burstsParts  = 4
	takenFor     = time.Second
)

// takeShared is take with the bucket in the database.
func (r *rates) takeShared(ctx context.Context, l *limiter, who access.Identity) (time.Duration, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := r.clock()
	if now.Before(l.until) && l.left > 0 {
		l.left--
		return 0, nil
	}
	if wait := l.blocked.Sub(now); wait > 0 {
		return wait, nil
	}
	sum := sha256.Sum256([]byte(who.Token))
	bucket := "rate/" + hex.EncodeToString(sum[:16])
	each := time.Duration(float64(time.Second) / float64(r.limit))
	for n := max(1, min(int(r.limit)/takesASecond, r.burst/burstsParts)); ; n = 1 {
		wait, err := r.shared.Spend(ctx, who.Agent, bucket, time.Duration(n)*each, time.Duration(r.burst)*each)
		switch {
		case err != nil:
			return 0, err
		case wait == 0:
			l.left, l.until = n-1, now.Add(takenFor)
			return 0, nil
		case n == 1:
			l.blocked = now.Add(wait)
			return wait, nil
		}
	}
}
