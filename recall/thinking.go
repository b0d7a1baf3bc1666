package recall

import (
	"context"

	"mcp-memory/memory"
	"mcp-memory/recall/index"
)

// maxThoughts bounds what of a bank's thinking is read for one question where no index
// of it is kept: the newest that the filter lets pass.
const maxThoughts = 10_000

// inThinking returns the turns whose thinking answers a question. No database indexes
// thinking, which is seldom asked for: the first question makes an index in memory,
// which is kept current and dropped like those of the other corpora.
func (s *Service) inThinking(ctx context.Context, q question) ([]*candidate, error) {
	if len(q.stems) == 0 {
		return nil, nil
	}
	ix, err := s.thoughts(ctx, q)
	if err != nil {
		return nil, err
	}
	query := q.forIndex(memory.Thinking)
	if q.Filter.Narrow() {
		if query.Allowed, err = s.store.Select(ctx, memory.Thinking, q.Filter); err != nil || len(query.Allowed) == 0 {
			return nil, err
		}
	}
	return s.load(ctx, q, memory.Thinking, ix, ix.Search(query, depth))
}

// thoughts returns an index of thinking: of the whole bank or, for a process that asks once and for
// a bank that is too large, of the newest maxThoughts documents that pass the filter.
func (s *Service) thoughts(ctx context.Context, q question) (*index.Index, error) {
	if !s.indexes.once {
		if ix, err := s.indexes.warm(ctx, q.Scope.Agent, memory.Thinking); ix != nil || err != nil {
			return ix, err
		}
	}
	seqs, err := s.store.Newest(ctx, memory.Thinking, q.Filter, 0, maxThoughts)
	if err != nil {
		return nil, err
	}
	docs, err := s.store.Documents(ctx, memory.Thinking, q.Filter, seqs)
	if err != nil {
		return nil, err
	}
	list, err := s.indexes.documents(ctx, q.Scope.Agent, memory.Thinking, docs)
	ix := index.New(s.indexes.table(), nil)
	ix.Add(list)
	return ix, err
}
