package main

import (
	"context"

	"mcp-memory/eval/bench"
	"mcp-memory/eval/sets"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/text/analysis"
)

// hit is one result of an answer.
type hit struct {
	id     string
	folded []string // near-duplicates
	score  float64
	tier   recall.Tier
	why    *recall.Why
}

// asker asks a bank one question.
type asker func(ctx context.Context, b *bank, q sets.Query) ([]hit, error)

func corpusOf(facts bool) memory.Corpus {
	if facts {
		return memory.Memories
	}
	return memory.Conversations
}

// recalls asks as the tools do.
func (s *system) recalls(c memory.Corpus, limit int, explain bool) asker {
	return func(ctx context.Context, b *bank, q sets.Query) ([]hit, error) {
		answer, err := s.Recall.Recall(ctx, recall.Request{
			Query: q.Question, Scope: memory.Scope{Agent: b.agent}, Corpora: []memory.Corpus{c}, Limit: limit, Now: b.now, Explain: explain,
			Filter: memory.Filter{AsOf: q.Now.Time, Until: q.Until.Time},
		})
		if err != nil {
			return nil, bench.WithCause(err)
		}
		hits := make([]hit, len(answer.Results))
		for i, r := range answer.Results {
			hits[i] = hit{r.ID, r.Duplicates, r.Score, r.Tier, r.Why}
		}
		return hits, nil
	}
}

// matches asks the text index alone: the baseline.
func (s *system) matches(c memory.Corpus, limit int) asker {
	return func(ctx context.Context, b *bank, q sets.Query) ([]hit, error) {
		f := memory.Filter{Agent: b.agent, Projects: []string{""}, Now: b.now, AsOf: q.Now.Time, Until: q.Until.Time}
		found, err := s.Store.MatchWords(ctx, c, f, analysis.QueryWords(q.Question), limit)
		if err != nil {
			return nil, bench.WithCause(err)
		}
		seqs := make([]int64, len(found))
		for i, h := range found {
			seqs[i] = h.Seq
		}
		docs, err := s.Store.Documents(ctx, c, f, seqs)
		if err != nil {
			return nil, bench.WithCause(err)
		}
		ids := map[int64]string{}
		for _, d := range docs {
			ids[d.Seq] = d.ID
		}
		hits := make([]hit, len(found))
		for i, h := range found {
			hits[i] = hit{id: ids[h.Seq], score: h.Score}
		}
		return hits, nil
	}
}
