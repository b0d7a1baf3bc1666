package index

import (
	"math"
	"slices"
	"time"
)

// Span is an interval of time: From ≤ t < To. A date without an hour (see
// [memory.DateOnly]) is in it if its midnight in the zone of From is.
type Span struct{ From, To time.Time }

const (
	// People tell of a thing after it happened, more often than before: what
	// was said later fades with the longer of a few days and a share of the
	// span, what was said earlier counts half and fades sooner.
	laterDays, laterShare     = 4, 1.0 / 3
	earlierDays, earlierShare = 3, 1.0 / 4
	earlierFactor             = 0.5
)

// interval is a span as the documents' times are kept, in microseconds.
type interval struct {
	from, to       int64
	earlier, later float64 // microseconds before and after it in which nearness falls by the factor e
	offset         int64   // of the zone from UTC: midnight of a date without an hour is stored so much too late
}

func (s Span) interval() interval {
	const day = 24 * float64(time.Hour/time.Microsecond)
	length := float64(s.To.Sub(s.From).Microseconds())
	_, seconds := s.From.Zone()
	return interval{
		offset: int64(seconds) * int64(time.Second/time.Microsecond),
		from:   s.From.UnixMicro(), to: s.To.UnixMicro(),
		earlier: max(earlierDays*day, length*earlierShare), later: max(laterDays*day, length*laterShare),
	}
}

// farAway is the exponent from which nearness, below 1e-8, counts as 0.
const farAway = 20

// dayLength is that of a day in microseconds.
const dayLength = int64(24 * time.Hour / time.Microsecond)

// local returns the time at in microseconds; for a date without an hour, stored as midnight in UTC,
// the midnight of that date in the zone.
func (i interval) local(at int64) int64 {
	if i.offset != 0 && at%dayLength == 0 {
		return at - i.offset
	}
	return at
}

// nearness returns how near a time is to the interval: 1 inside, falling exponentially towards 0
// outside, and half as much before it as after it.
func (i interval) nearness(at int64) float64 {
	switch at = i.local(at); {
	case at < i.from:
		if x := float64(i.from-at) / i.earlier; x < farAway {
			return earlierFactor * math.Exp(-x)
		}
		return 0
	case at < i.to:
		return 1
	}
	if x := float64(at-i.to) / i.later; x < farAway {
		return math.Exp(-x)
	}
	return 0
}

// timeOf returns how near a document is to the times asked for: 1 inside one or
// where it speaks of one, falling exponentially outside, 0 if none was asked for.
func (m *matcher) timeOf(n uint32) float32 {
	if m.speaks(n) {
		return 1
	}
	best, at := 0.0, m.ix.times[n]
	for _, i := range m.times {
		best = max(best, i.nearness(at))
	}
	return float32(best)
}

// bestInTime returns up to limit allowed documents of the times asked for, those
// with the best base score and of equals the latest: a question such as "what
// did I do yesterday" has no other word to go by.
func (m *matcher) bestInTime(s *scratch, limit int, allowed bitset) []uint32 {
	if len(m.times) == 0 {
		return nil
	}
	best := topK{limit: limit}
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

// inside reports whether a document happened in, or speaks of, a time that is asked for.
func (m *matcher) inside(n uint32) bool {
	at := m.ix.times[n]
	for _, i := range m.times {
		if at := i.local(at); at >= i.from && at < i.to {
			return true
		}
	}
	return m.speaks(n)
}

// speaks reports whether a document's text speaks of a time that is asked for, or if the question
// wants it ([Query.Recurring]) of something that recurs then.
func (m *matcher) speaks(n uint32) bool {
	for _, said := range m.ix.spoken[n] {
		from, to := said.From.UnixMicro(), said.To.UnixMicro()
		for _, i := range m.times {
			if from < i.to && i.from < to {
				return true
			}
		}
	}
	return m.q.Recurring && m.ix.recurs[n] != nil && slices.ContainsFunc(head(m.q.Times, maxTimes), m.ix.recurs[n])
}

// Speaking returns the Seq of up to limit documents that speak of a time, ascending; of more, those
// that were added last.
func (ix *Index) Speaking(of Span, limit int) (seqs []int64) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	for n, spoken := range ix.spoken {
		for _, said := range spoken {
			if said.From.Before(of.To) && of.From.Before(said.To) {
				seqs = append(seqs, ix.docs[n].seq)
				break
			}
		}
	}
	slices.Sort(seqs)
	return seqs[max(0, len(seqs)-limit):]
}

// Contains reports whether a time is in the span.
func (s Span) Contains(t time.Time) bool {
	i := s.interval()
	at := i.local(t.UnixMicro())
	return at >= i.from && at < i.to
}

// Widest returns the bounds of the span, widened so that they also hold the stored times of all
// dates without an hour (midnight in UTC) that are in it.
func (s Span) Widest() (from, to time.Time) {
	_, seconds := s.From.Zone()
	offset := time.Duration(seconds) * time.Second
	if offset > 0 {
		return s.From, s.To.Add(offset)
	}
	return s.From.Add(offset), s.To
}
