package recall

import (
	"context"
	"time"

	"mcp-memory/memory"
)

// Missed is a time of which no record was found, though the question asked for nothing but that time.
type Missed struct {
	From, To time.Time // inclusive, exclusive
	Nearest  time.Time // when the nearest record before or behind it took place or is due; zero if there is none
}

// missed returns the time that was asked about, if that was all and nothing was found of it; else nil.
func (s *Service) missed(ctx context.Context, q question, ranked []*candidate) (*Missed, error) {
	if !q.broadly || !q.byTimeAlone() || len(ranked) > 0 || q.MinScore > Floor {
		return nil, nil
	}
	m := &Missed{From: q.times[0].From, To: q.times[0].To}
	before, behind := q.Filter, q.Filter
	if q.asks.Attribute != "due" {
		before.Until, behind.Since = m.From, m.To
	}
	least := time.Duration(-1)
	for _, filter := range []memory.Filter{before, behind} {
		seqs, err := s.store.Newest(ctx, memory.Memories, filter, 0, broadPool)
		if err != nil {
			return nil, err
		}
		docs, err := s.store.Documents(ctx, memory.Memories, filter, seqs)
		if err != nil {
			return nil, err
		}
		for _, d := range docs {
			at := d.EventTime()
			if q.asks.Attribute == "due" {
				c := &candidate{Document: d}
				if at = q.dueDay(c, q.worthOf(c)); at.IsZero() {
					continue
				}
				at = at.Add(-time.Second)
			}
			if away := max(m.From.Sub(at), at.Sub(m.To)); least < 0 || away < least {
				least, m.Nearest = away, at
			}
		}
	}
	return m, nil
}
