package index

import (
	"math"
	"time"
)

// Span is an interval of time: From ≤ t < To.
type Span struct{ From, To time.Time }

const (
	// People tell of a thing after it happened, more often than before: what
	// was said later fades with the longer of a few days and a share of the
	// span, what was said earlier counts half and fades sooner.
	laterDays, laterShare     = 4, 1.0 / 3
	earlierDays, earlierShare = 3, 1.0 / 4
	earlierFactor             = 0.5
)

// timeOf returns how near a document is to the times asked for: 1 inside one,
// falling exponentially outside, 0 if none was asked for.
func (m *matcher) timeOf(n uint32) float32 {
	best := 0.0
	for _, span := range m.q.Times {
		best = max(best, span.nearness(time.UnixMicro(m.ix.times[n])))
	}
	return float32(best)
}

func (s Span) nearness(at time.Time) float64 {
	length := s.To.Sub(s.From).Hours() / 24
	switch {
	case at.Before(s.From):
		return earlierFactor * math.Exp(-s.From.Sub(at).Hours()/24/max(earlierDays, length*earlierShare))
	case at.Before(s.To):
		return 1
	}
	return math.Exp(-at.Sub(s.To).Hours() / 24 / max(laterDays, length*laterShare))
}

// within returns up to limit allowed documents of the times asked for, those
// with the best base score and of equals the latest: a question such as "what
// did I do yesterday" has no other word to go by.
func (m *matcher) within(s *scratch, limit int, allowed set) []uint32 {
	if len(m.q.Times) == 0 {
		return nil
	}
	best := top{limit: limit}
	last := uint32(len(m.ix.docs))
	for n := range last {
		// Counted from the end, so that of equals the later one is better.
		if d := last - 1 - n; allowed.has(d) && m.inside(d) {
			best.add(scored{n, s.base[d]})
		}
	}
	chosen := make([]uint32, len(best.list))
	for i, x := range best.list {
		chosen[i] = last - 1 - x.n
	}
	return chosen
}

func (m *matcher) inside(n uint32) bool {
	for _, span := range m.q.Times {
		if at := m.ix.times[n]; at >= span.From.UnixMicro() && at < span.To.UnixMicro() {
			return true
		}
	}
	return false
}
