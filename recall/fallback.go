package recall

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"mcp-memory/analysis"
	"mcp-memory/memory"
	"mcp-memory/recall/index"
)

const (
	// fallbackSimilar is the similarity from which a stem is also searched for.
	fallbackSimilar = 0.4
	// fewVectors is how many candidates the vectors contribute in a bank of
	// more than fewVectorsFrom: the time of sqlite-vec grows with both.
	fewVectors     = 50
	fewVectorsFrom = 20_000
	// fallbackTimes is how many of the question's times are looked at.
	fallbackTimes = 2
	// vectorsUpTo is how many documents a bank may have for its vectors to be
	// searched: half a microsecond for each.
	vectorsUpTo = 200_000
)

// gatherFromStore does what gather does without an index of the bank: the
// database finds candidates, and a small index of them and their neighbours,
// with the bank's statistics and vocabulary, measures them in the same way.
func (s *Service) gatherFromStore(ctx context.Context, q question, c memory.Corpus) ([]*candidate, error) {
	stats, err := s.store.Statistics(ctx, q.Scope.Agent, c, q.stems)
	if err != nil {
		return nil, err
	}
	// It weighs words as an index of the whole bank would.
	small := index.New(s.indexes.table(), &stats)
	vocabulary, err := s.store.Vocabulary(ctx, c, q.Scope.Agent)
	if err != nil {
		return nil, err
	}
	small.Learn(vocabulary)
	words := append(slices.Clone(q.words), small.Similar(q.stems, fallbackSimilar)...)
	seqs, err := s.candidates(ctx, q, c, words, stats)
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
	query := q.forIndex(c)
	query.Allowed = seqs
	return s.load(ctx, q, c, small.Search(query, len(seqs)))
}

// candidates asks the database: words in any inflection, literal parts,
// vectors and times. The result is ascending.
func (s *Service) candidates(ctx context.Context, q question, c memory.Corpus, words []string, stats memory.Statistics) ([]int64, error) {
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
	if scope := q.scope(); c == memory.Memories && len(scope) > 0 {
		inside := q.Filter
		inside.Categories = scope
		if err := add(s.store.MatchWords(ctx, c, inside, words, depth/2)); err != nil {
			return nil, err
		}
	}
	if err := add(s.store.MatchSubstrings(ctx, c, q.Filter, unknownParts(q.parts, stats), depth)); err != nil {
		return nil, err
	}
	if q.vector != nil && stats.Documents <= vectorsUpTo {
		limit := depth
		if stats.Documents > fewVectorsFrom {
			limit = fewVectors
		}
		if err := add(s.store.NearestVectors(ctx, c, q.Filter, q.vector, limit)); err != nil {
			return nil, err
		}
	}
	for _, span := range head(q.times, fallbackTimes) {
		told, err := s.toldOf(ctx, q, c, span)
		if err != nil {
			return nil, err
		}
		seqs = append(seqs, told...)
	}
	slices.Sort(seqs)
	return slices.Compact(seqs), nil
}

// toldOf returns the last documents of a time that the question asks about: it
// may have no other word to go by.
func (s *Service) toldOf(ctx context.Context, q question, c memory.Corpus, span index.Span) ([]int64, error) {
	f := q.Filter
	if span.From.After(f.Since) {
		f.Since = span.From
	}
	if f.Until.IsZero() || span.To.Before(f.Until) {
		f.Until = span.To
	}
	seqs, err := s.store.Select(ctx, c, f)
	return seqs[max(0, len(seqs)-depth):], err
}

// unknownParts leaves out the plain words that the bank has: as words they are
// found sooner, and as parts of others they are not meant.
func unknownParts(parts []string, stats memory.Statistics) []string {
	return slices.DeleteFunc(slices.Clone(parts), func(part string) bool {
		stems := analysis.Content(part)
		return len(stems) == 1 && stats.Frequency[stems[0]] > 0 && !strings.ContainsFunc(part, func(r rune) bool { return !unicode.IsLetter(r) })
	})
}
