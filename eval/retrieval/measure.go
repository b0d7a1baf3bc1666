package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"mcp-memory/eval/metrics"
	"mcp-memory/eval/sets"
)

// loaders is how many cases are loaded at a time: one writes while the vectors
// of another are computed.
const loaders = 2

// reply is the answer to one query.
type reply struct {
	sets.Query
	bank *bank
	hits []hit
	took time.Duration
}

// measure loads a set into a temporary store and asks its questions.
func measure(ctx context.Context, set *dataset, o options, progress io.Writer) (setReport, error) {
	s, banks, err := prepare(ctx, set, o.without)
	if err != nil {
		return setReport{}, err
	}
	defer s.Close()
	start := time.Now()
	if err := loadAll(ctx, s, set, banks); err != nil {
		return setReport{}, err
	}
	fmt.Fprintf(progress, "%s: %d cases loaded in %v\n", set.name, len(banks), time.Since(start).Round(time.Millisecond))
	ask := s.recalls(corpusOf(set.facts), o.limit, false)
	if o.baseline {
		ask = s.matches(corpusOf(set.facts), o.limit)
	}
	start = time.Now()
	replies, err := askAll(ctx, banks, ask, o.parallel)
	if err != nil {
		return setReport{}, err
	}
	fmt.Fprintf(progress, "%s: %d questions asked in %v\n", set.name, len(replies), time.Since(start).Round(time.Millisecond))
	return newReport(set, replies, o), nil
}

// prepare opens an empty store for a set, which the caller closes. The clock stands
// still a day after the last item, so that nothing depends on the date.
func prepare(ctx context.Context, set *dataset, without []string) (s *system, banks []*bank, err error) {
	clock := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	for i, c := range set.cases {
		b := newBank(c, i+1)
		banks = append(banks, b)
		if b.now.After(clock) {
			clock = b.now
		}
	}
	s, err = openSystem(ctx, func() time.Time { return clock }, without)
	return s, banks, err
}

func loadAll(ctx context.Context, s *system, set *dataset, banks []*bank) error {
	if err := each(len(banks), loaders, func(i int) error { return s.load(ctx, banks[i], set.facts) }); err != nil {
		return err
	}
	return s.Encode(ctx)
}

func askAll(ctx context.Context, banks []*bank, ask asker, parallel int) ([]reply, error) {
	var replies []reply
	for _, b := range banks {
		for _, q := range b.queries {
			replies = append(replies, reply{Query: q, bank: b})
		}
	}
	err := each(len(replies), parallel, func(i int) error {
		r := &replies[i]
		start := time.Now()
		hits, err := ask(ctx, r.bank, r.Query)
		if err != nil {
			return fmt.Errorf("ask %s: %w", r.ID, err)
		}
		r.hits, r.took = hits, time.Since(start)
		return nil
	})
	return replies, err
}

// each calls fn for 0 to n-1, so many at a time, and returns the first error.
func each(n, workers int, fn func(int) error) error {
	var wait sync.WaitGroup
	errs := make([]error, n)
	next := make(chan int)
	for range min(workers, n) {
		wait.Go(func() {
			for i := range next {
				errs[i] = fn(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// outcome is a reply in the terms of package metrics.
func (r reply) outcome() metrics.Outcome {
	o := metrics.Outcome{Case: r.bank.name, Category: r.Category, Gold: r.Gold}
	for _, h := range r.hits {
		o.Ranked = append(o.Ranked, r.bank.itemIDs(h))
	}
	if len(r.hits) > 0 {
		o.Best = r.hits[0].score
	}
	return o
}

// itemIDs returns the ids of the items that a result names.
func (b *bank) itemIDs(h hit) []string {
	ids := append([]string(nil), b.names[h.id]...)
	for _, d := range h.folded {
		ids = append(ids, b.names[d]...)
	}
	return ids
}

// bySession is an outcome with sessions for documents: each stands where its
// first item stood. The gold ones are those of the gold items, unless the
// query names them.
func (r reply) bySession(o metrics.Outcome) metrics.Outcome {
	b, items := r.bank, o
	o.Gold, o.Ranked = slices.Clone(r.Query.Sessions), nil
	if len(o.Gold) == 0 {
		for _, id := range items.Gold {
			o.Gold = append(o.Gold, b.sessions[id])
		}
	}
	seen := map[string]bool{}
	for _, ids := range items.Ranked {
		var fresh []string
		for _, id := range ids {
			if session := b.sessions[id]; !seen[session] {
				seen[session] = true
				fresh = append(fresh, session)
			}
		}
		if fresh != nil {
			o.Ranked = append(o.Ranked, fresh)
		}
	}
	return o
}
