package recall

import (
	"context"
	"slices"

	"mcp-memory/memory"
	"mcp-memory/recall/index"
)

// gatherFromStore does what gather does without an index of the bank: the
// database finds candidates, and a small index of them and their neighbours,
// with the bank's statistics and vocabulary, measures them in the same way.
func (s *Service) gatherFromStore(ctx context.Context, q question, c memory.Corpus) ([]*candidate, error) {
	small, err := s.emptyIndex(ctx, q, c)
	if err != nil {
		return nil, err
	}
	seqs, err := s.candidates(ctx, q, c, append(slices.Clone(q.words), small.Similar(q.stems, fallbackSimilar)...))
	if err != nil || len(seqs) == 0 {
		return nil, err
	}
	docs, err := s.store.Around(ctx, c, q.Scope.Agent, seqs, 2*radius)
	if err != nil {
		return nil, err
	}
	measured, err := s.indexes.documents(ctx, q.Scope.Agent, c, docs)
	if err != nil {
		return nil, err
	}
	small.Add(measured)
	query := q.forIndex()
	query.Allowed = seqs
	return s.load(ctx, q, c, small.Search(query, len(seqs)))
}

// fallbackSimilar is the similarity from which a stem is also searched for.
const fallbackSimilar = 0.4

// emptyIndex returns an index that weighs words as one of the whole bank would.
func (s *Service) emptyIndex(ctx context.Context, q question, c memory.Corpus) (*index.Index, error) {
	vocabulary, err := s.store.Vocabulary(ctx, c, q.Scope.Agent)
	if err != nil {
		return nil, err
	}
	stats, err := s.store.Statistics(ctx, q.Scope.Agent, c, q.stems)
	if err != nil {
		return nil, err
	}
	ix := index.New(s.indexes.table(), &stats)
	ix.Learn(vocabulary)
	return ix, nil
}

// candidates asks the database: words in any inflection, literal parts and
// vectors. The result is ascending.
func (s *Service) candidates(ctx context.Context, q question, c memory.Corpus, words []string) ([]int64, error) {
	var seqs []int64
	add := func(hits []memory.Hit, err error) error {
		for _, h := range hits {
			seqs = append(seqs, h.Seq)
		}
		return err
	}
	if err := add(s.store.MatchWords(ctx, c, q.Filter, words, depth)); err != nil {
		return nil, err
	}
	if err := add(s.store.MatchSubstrings(ctx, c, q.Filter, q.parts, depth)); err != nil {
		return nil, err
	}
	if q.vector != nil {
		if err := add(s.store.NearestVectors(ctx, c, q.Filter, q.vector, depth)); err != nil {
			return nil, err
		}
	}
	slices.Sort(seqs)
	return slices.Compact(seqs), nil
}
