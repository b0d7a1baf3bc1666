package salience_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mcp-memory/memory"
	"mcp-memory/salience"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

const (
	day = 24 * time.Hour
	// rounding is what floating point may lose of a strict order.
	rounding = 1e-15
)

func times() *rapid.Generator[time.Time] {
	return rapid.Custom(func(t *rapid.T) time.Time {
		return start.Add(time.Duration(rapid.Int64Range(0, int64(2000*day)).Draw(t, "offset")))
	})
}

func records() *rapid.Generator[memory.Record] {
	return rapid.Custom(func(t *rapid.T) memory.Record {
		r := memory.Record{
			Kind:        rapid.SampledFrom(memory.Kinds()).Draw(t, "kind"),
			Importance:  rapid.Float64Range(0, 1).Draw(t, "importance"),
			Pinned:      rapid.Bool().Draw(t, "pinned"),
			CreatedAt:   times().Draw(t, "created"),
			AccessCount: rapid.IntRange(0, 100000).Draw(t, "accesses"),
		}
		if r.AccessCount > 0 {
			r.LastAccessedAt = times().Draw(t, "accessed")
		}
		return r
	})
}

func parameters() *rapid.Generator[salience.Parameters] {
	return rapid.Custom(func(t *rapid.T) salience.Parameters {
		return salience.Parameters{
			HalfLife:      time.Duration(rapid.Int64Range(0, int64(400*day)).Draw(t, "half-life")),
			Reinforcement: rapid.Float64Range(0, 1).Draw(t, "reinforcement"),
		}
	})
}

func checkUnit(t interface{ Fatalf(string, ...any) }, x float64) {
	if !(x >= 0 && x <= 1) { // also NaN
		t.Fatalf("%v is not in [0,1]", x)
	}
}

func TestBoundedForAnyInput(t *testing.T) {
	anyTime := rapid.Custom(func(t *rapid.T) time.Time {
		return time.Unix(rapid.Int64().Draw(t, "seconds"), 0)
	})
	anyNumber := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{
		math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), math.MaxFloat64, math.SmallestNonzeroFloat64,
	}))
	rapid.Check(t, func(t *rapid.T) {
		p := salience.Parameters{
			HalfLife:      time.Duration(rapid.Int64().Draw(t, "half-life")),
			Reinforcement: anyNumber.Draw(t, "reinforcement"),
		}
		r := memory.Record{
			Kind:           rapid.SampledFrom(memory.Kinds()).Draw(t, "kind"),
			Importance:     anyNumber.Draw(t, "importance"),
			AccessCount:    rapid.Int().Draw(t, "accesses"),
			CreatedAt:      anyTime.Draw(t, "created"),
			LastAccessedAt: anyTime.Draw(t, "accessed"),
		}
		now := anyTime.Draw(t, "now")
		checkUnit(t, p.Of(r, now))
		checkUnit(t, p.Recency(r.CreatedAt, now))
	})
	checkUnit(t, salience.Parameters{}.Of(memory.Record{}, time.Time{}))
}

func TestMonotoneInImportance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, r, now := parameters().Draw(t, "p"), records().Draw(t, "r"), times().Draw(t, "now")
		more := r
		more.Importance = rapid.Float64Range(r.Importance, 1).Draw(t, "more")
		if p.Of(more, now) < p.Of(r, now)-rounding {
			t.Fatalf("more important, less salient")
		}
	})
}

func TestMonotoneInAccessCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, r, now := parameters().Draw(t, "p"), records().Draw(t, "r"), times().Draw(t, "now")
		more := r
		more.AccessCount += rapid.IntRange(0, 1000).Draw(t, "more")
		if p.Of(more, now) < p.Of(r, now)-rounding {
			t.Fatalf("more often recalled, less salient")
		}
	})
}

func TestFallsWithAgeUnlessPinnedOrSoul(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, r, now := parameters().Draw(t, "p"), records().Draw(t, "r"), times().Draw(t, "now")
		later := now.Add(time.Duration(rapid.Int64Range(0, int64(1000*day)).Draw(t, "wait")))
		before, after := p.Of(r, now), p.Of(r, later)
		if r.Pinned || r.Kind == memory.KindSoul {
			if before != after {
				t.Fatalf("changed with time from %v to %v", before, after)
			}
		} else if after > before+rounding {
			t.Fatalf("grew with age from %v to %v", before, after)
		}
	})
}

func TestOrderOfAccessesDoesNotMatter(t *testing.T) {
	recalled := func(r memory.Record, at []time.Time) memory.Record {
		for _, x := range at {
			r.AccessCount++
			if x.After(r.LastAccessedAt) {
				r.LastAccessedAt = x
			}
		}
		return r
	}
	rapid.Check(t, func(t *rapid.T) {
		p, r, now := parameters().Draw(t, "p"), records().Draw(t, "r"), times().Draw(t, "now")
		at := rapid.SliceOfN(times(), 0, 6).Draw(t, "accesses at")
		mixed := rapid.Permutation(at).Draw(t, "mixed")
		if a, b := p.Of(recalled(r, at), now), p.Of(recalled(r, mixed), now); a != b {
			t.Fatalf("%v and %v", a, b)
		}
	})
}

func TestClockGoingBackwards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, r := parameters().Draw(t, "p"), records().Draw(t, "r")
		last := r.CreatedAt
		if r.LastAccessedAt.After(last) {
			last = r.LastAccessedAt
		}
		earlier := last.Add(-time.Duration(rapid.Int64Range(0, int64(1000*day)).Draw(t, "back")))
		if a, b := p.Of(r, earlier), p.Of(r, last); a != b {
			t.Fatalf("before its own time %v, at it %v", a, b)
		}
	})
}

func TestDiminishingReturns(t *testing.T) {
	p, r := salience.Default(), memory.Record{Kind: memory.KindFact, Importance: 0.2, CreatedAt: start}
	gain := math.Inf(1)
	for n := range 50 {
		r.AccessCount = n
		before := p.Of(r, start)
		r.AccessCount = n + 1
		if g := p.Of(r, start) - before; g <= 0 || g >= gain {
			t.Fatalf("recall %d gains %v after %v", n+1, g, gain)
		} else {
			gain = g
		}
	}
	if r.AccessCount = math.MaxInt; p.Of(r, start) > 0.2+0.8*0.5 {
		t.Fatalf("recalls alone went to %v", p.Of(r, start))
	}
}

func TestKnownValues(t *testing.T) {
	p := salience.Default()
	fact := memory.Record{Kind: memory.KindFact, Importance: 0.8, CreatedAt: start}
	recalled := fact
	recalled.AccessCount, recalled.LastAccessedAt = 3, start.Add(30*day)
	soul := fact
	soul.Kind = memory.KindSoul
	for _, c := range []struct {
		name string
		got  float64
		want float64
	}{
		{"new", p.Of(fact, start), 0.8},
		{"after a half-life", p.Of(fact, start.Add(30*day)), 0.4},
		{"after two", p.Of(fact, start.Add(60*day)), 0.2},
		{"recalled just now", p.Of(recalled, start.Add(30*day)), 0.8581},
		{"recalled a half-life ago", p.Of(recalled, start.Add(60*day)), 0.6418},
		{"soul after ten years", p.Of(soul, start.Add(3650*day)), 0.8},
		{"recency now", p.Recency(start, start), 1},
		{"recency in future", p.Recency(start.Add(day), start), 1},
		{"recency after a half-life", p.Recency(start, start.Add(30*day)), 0.5},
		{"recency of never", p.Recency(time.Time{}, start), 0},
	} {
		if math.Abs(c.got-c.want) > 1e-4 {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}
