package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"mcp-memory/consolidate"
	"mcp-memory/eval/bench"
	"mcp-memory/eval/sets"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
	"mcp-memory/text/analysis"
)

// figures are what is measured of one layout of banks. Shares are in percent.
type figures struct {
	calls, summaries, before, after       int
	found, covered, told, archive, undone float64
	took                                  time.Duration // of self-care
}

// told is the share of a fact's content words that a sentence of a summary
// needs to count as telling it.
const told = 0.6

// system is the program's use cases over a store of their own.
type system struct {
	bench.Bank
	consolidate *consolidate.Service
	limit       int
	now         time.Time
	facts       map[string]string // id of a record → a fact's text
	ids         map[string]string // id of an item → that of its record
}

func measure(ctx context.Context, facts []sets.Item, questions []sets.Query, bankOf func(string) string, o options) (figures, error) {
	s, err := newSystem(ctx, facts, o)
	if err != nil {
		return figures{}, err
	}
	defer s.Close()
	banks, err := s.load(ctx, facts, bankOf)
	if err != nil {
		return figures{}, err
	}
	var f figures
	ask := func(archived bool, judge func(bank string, q sets.Query, results []recall.Result) (bool, error)) (float64, error) {
		return s.share(ctx, questions, bankOf, archived, judge)
	}
	if f.found, err = ask(false, s.itself); err != nil {
		return f, err
	}
	undos, err := s.care(ctx, banks, &f)
	if err != nil {
		return f, err
	}
	if f.covered, err = ask(false, s.coveredBy(ctx, false)); err != nil {
		return f, err
	}
	if f.told, err = ask(false, s.coveredBy(ctx, true)); err != nil {
		return f, err
	}
	if f.archive, err = ask(true, s.itself); err != nil {
		return f, err
	}
	for i := len(undos) - 1; i >= 0; i-- {
		if _, err := s.consolidate.SelfCare(ctx, undos[i]); err != nil {
			return f, err
		}
	}
	f.undone, err = ask(false, s.itself)
	return f, err
}

// newSystem makes an empty store. The clock stands still a day after the last
// fact.
func newSystem(ctx context.Context, facts []sets.Item, o options) (*system, error) {
	s := &system{limit: o.limit, facts: map[string]string{}, ids: map[string]string{}}
	for _, f := range facts {
		if f.At.After(s.now) {
			s.now = f.At.AddDate(0, 0, 1)
		}
	}
	var err error
	if s.Bank, err = bench.Open(ctx, func() time.Time { return s.now }); err != nil {
		return nil, err
	}
	s.consolidate = consolidate.New(s.ConsolidateOptions())
	return s, nil
}

// load saves the facts as long-term memories and returns the banks.
func (s *system) load(ctx context.Context, facts []sets.Item, bankOf func(string) string) (banks []string, err error) {
	byBank := map[string][]sets.Item{}
	for _, f := range facts {
		name := bankOf(f.Case)
		if byBank[name] == nil {
			banks = append(banks, name)
		}
		byBank[name] = append(byBank[name], f)
	}
	for _, name := range banks {
		for items := range slices.Chunk(byBank[name], memory.MaxBatch) {
			requests := make([]remember.SaveRequest, len(items))
			for i, it := range items {
				requests[i] = remember.SaveRequest{
					Content: it.Text, Kind: memory.KindLongTerm, OccurredAt: it.At.Time, Quiet: true,
					KindDetails: memory.KindDetails{Episode: &memory.EpisodeDetails{}},
				}
			}
			results, err := s.Remember.SaveBatch(ctx, memory.Scope{Agent: name}, requests)
			if err != nil {
				return nil, fmt.Errorf("load %s: %w", name, err)
			}
			for i, r := range results {
				s.ids[items[i].ID], s.facts[r.ID] = r.ID, items[i].Text
			}
		}
	}
	return banks, nil
}

// care does self-care until nothing is left to do, and returns what undoes it.
func (s *system) care(ctx context.Context, banks []string, f *figures) (undos []consolidate.Request, err error) {
	counter := s.Tokens
	start := time.Now()
	for _, name := range banks {
		for {
			r, err := s.consolidate.SelfCare(ctx, consolidate.Request{Agent: name, Phase: consolidate.PhaseMemories})
			if err != nil {
				return nil, err
			}
			if r.Status == consolidate.StatusNothing {
				break
			}
			f.calls++
			undos = append(undos, consolidate.Request{Agent: name, Undo: r.UndoID})
		}
	}
	f.took = time.Since(start)
	for _, text := range s.facts {
		f.before += counter.Count(text)
	}
	for _, name := range banks {
		err := s.Store.EachRecord(ctx, name, func(r memory.Record) error {
			if r.Live() {
				f.after += counter.Count(r.Content)
			}
			if r.Live() && r.Kind == memory.KindSummary {
				f.summaries++
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return undos, nil
}

// share asks every question and returns how many a judge finds answered.
func (s *system) share(ctx context.Context, questions []sets.Query, bankOf func(string) string, archived bool,
	judge func(bank string, q sets.Query, results []recall.Result) (bool, error)) (float64, error) {
	n := 0
	for _, q := range questions {
		name := bankOf(q.Case)
		answer, err := s.Recall.Recall(ctx, recall.Request{
			Query: q.Question, Scope: memory.Scope{Agent: name},
			Limit: s.limit, Now: s.now, Filter: memory.Filter{IncludeArchived: archived},
		})
		if err != nil {
			return 0, err
		}
		good, err := judge(name, q, answer.Results)
		if err != nil {
			return 0, err
		}
		if good {
			n++
		}
	}
	return 100 * float64(n) / float64(max(1, len(questions))), nil
}

// itself looks for a gold fact among the results.
func (s *system) itself(_ string, q sets.Query, results []recall.Result) (bool, error) {
	for _, r := range results {
		for _, id := range append(r.Duplicates, r.ID) {
			if slices.ContainsFunc(q.Gold, func(gold string) bool { return s.ids[gold] == id }) {
				return true, nil
			}
		}
	}
	return false, nil
}

// coveredBy looks for a gold fact, or for a summary that covers one, also
// through summaries that it has folded in; on request only for one that tells it.
func (s *system) coveredBy(ctx context.Context, telling bool) func(string, sets.Query, []recall.Result) (bool, error) {
	return func(bank string, q sets.Query, results []recall.Result) (bool, error) {
		if good, _ := s.itself(bank, q, results); good {
			return true, nil
		}
		for _, r := range results {
			if r.Kind != memory.KindSummary {
				continue
			}
			ids, err := s.covered(ctx, bank, r.ID)
			if err != nil {
				return false, err
			}
			for _, gold := range q.Gold {
				id := s.ids[gold]
				if ids[id] && (!telling || tells(r.Content, s.facts[id])) {
					return true, nil
				}
			}
		}
		return false, nil
	}
}

// covered returns everything that a summary stands for.
func (s *system) covered(ctx context.Context, bank, id string) (map[string]bool, error) {
	ids := map[string]bool{}
	for next := []string{id}; len(next) > 0; {
		records, err := s.Store.Records(ctx, bank, next)
		if err != nil {
			return nil, err
		}
		next = nil
		for _, r := range records {
			ids[r.ID] = true
			if r.Summary != nil {
				next = append(next, r.Summary.Covers...)
			}
		}
	}
	return ids, nil
}

// tells reports whether a sentence of a summary holds enough of a fact's words.
func tells(summary, fact string) bool {
	wanted := map[string]bool{}
	for _, stem := range analysis.Content(fact) {
		wanted[stem] = true
	}
	for _, sentence := range analysis.Sentences(summary) {
		has := map[string]bool{}
		for _, stem := range analysis.Content(sentence) {
			if wanted[stem] {
				has[stem] = true
			}
		}
		if float64(len(has)) >= told*float64(len(wanted)) {
			return true
		}
	}
	return false
}
