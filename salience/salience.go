package salience

import (
	"math"
	"time"

	"mcp-memory/memory"
)

// Parameters are the constants of the formula in the package document. The
// zero value behaves like [Default].
type Parameters struct {
	// HalfLife is the time in which the recency of a record that was never
	// recalled halves. Zero or less means 30 days.
	HalfLife time.Duration
	// Reinforcement is the most that recalls can raise strength, as a share (0
	// to 1) of the distance from importance to 1. Zero or less (or NaN) means
	// 0.5; above 1 means 1.
	Reinforcement float64
}

// Default returns a half-life of 30 days and a reinforcement of 0.5.
func Default() Parameters {
	return Parameters{HalfLife: 30 * 24 * time.Hour, Reinforcement: 0.5}
}

// Of returns the salience of r at now, 0 to 1. It grows with importance and
// with the number of recalls, and falls with age. Pinned and soul records do
// not fall with age. An importance that is not a number counts as 0, a time in
// the future as now, and a record without any time as infinitely old.
func (p Parameters) Of(r memory.Record, now time.Time) float64 {
	p = p.withDefaults()
	practice := math.Log1p(float64(max(r.AccessCount, 0)))
	boost := practice / (1 + practice)
	importance := unit(r.Importance)
	strength := unit(importance + (1-importance)*p.Reinforcement*boost)
	if r.Pinned || r.Kind == memory.KindSoul {
		return strength
	}
	last := r.CreatedAt
	if r.LastAccessedAt.After(last) {
		last = r.LastAccessedAt
	}
	return strength * decay(last, now, float64(p.HalfLife)*(1+practice))
}

// Recency returns how recent t is at now: 1 for now and the future, one half
// after a half-life, and towards 0 from there (0 for the zero time).
func (p Parameters) Recency(t, now time.Time) float64 {
	return decay(t, now, float64(p.withDefaults().HalfLife))
}

func (p Parameters) withDefaults() Parameters {
	d := Default()
	if p.HalfLife <= 0 {
		p.HalfLife = d.HalfLife
	}
	if p.Reinforcement = unit(p.Reinforcement); p.Reinforcement == 0 {
		p.Reinforcement = d.Reinforcement
	}
	return p
}

// decay returns 2^(-age/halfLife) for the age of t at now. halfLife is in
// nanoseconds and above 0.
func decay(t, now time.Time, halfLife float64) float64 {
	if t.IsZero() {
		return 0
	}
	age := now.Sub(t) // saturates at 292 years
	if age <= 0 {
		return 1
	}
	return math.Exp2(-float64(age) / halfLife)
}

// unit cuts x to 0..1; NaN is 0.
func unit(x float64) float64 {
	if !(x > 0) {
		return 0
	}
	return min(x, 1)
}
