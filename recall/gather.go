package recall

import (
	"context"
	"slices"

	"mcp-memory/memory"
)

// Tier says which stage of the three-tier search a result belongs to.
type Tier string

// The tiers that results come from; tier one ranks the categories.
const (
	TierCategory Tier = "category" // inside one of the best categories
	TierFlat     Tier = "flat"     // outside them
)

const (
	// bestCategories is how many categories the second tier searches.
	bestCategories = 3
	// categoryFloor is the score from which a category is worth searching.
	categoryFloor = 0.15
	// depth is how many candidates each signal contributes, flat; the second
	// tier takes half of it.
	depth = 100
)

// candidate is a document that some signal found, and where it stood there.
type candidate struct {
	memory.Document
	textRank   int // 1 is first; 0 is not found by that signal
	partRank   int
	vectorRank int
	cosine     float64 // to the question; 0 if there is no vector
	features
	tier       Tier
	score      float64
	duplicates []string
}

// gather runs the tiers over one corpus.
func (s *Service) gather(ctx context.Context, q question, c memory.Corpus) ([]*candidate, error) {
	found := map[int64]*candidate{}
	scope := topCategories(q)
	if c == memory.Memories && len(scope) > 0 && len(q.Filter.Categories) == 0 {
		inside := q.Filter
		inside.Categories = scope
		if err := s.signals(ctx, q, c, inside, depth/2, found, false); err != nil {
			return nil, err
		}
	}
	if err := s.signals(ctx, q, c, q.Filter, depth, found, true); err != nil {
		return nil, err
	}
	return s.load(ctx, q, c, found, scope)
}

func topCategories(q question) []string {
	var names []string
	for _, c := range q.categories {
		if c.Score >= categoryFloor && len(names) < bestCategories {
			names = append(names, c.Name)
		}
	}
	return names
}

// signals asks every signal for candidates under a filter. Ranks are noted
// from the flat search only, where they mean a place among everything.
func (s *Service) signals(ctx context.Context, q question, c memory.Corpus, f memory.Filter, depth int, found map[int64]*candidate, flat bool) error {
	note := func(hits []memory.Hit, err error, set func(*candidate, int)) error {
		for i, h := range hits {
			if found[h.Seq] == nil {
				found[h.Seq] = &candidate{}
			}
			if flat {
				set(found[h.Seq], i+1)
			}
		}
		return err
	}
	words, err := s.store.MatchWords(ctx, c, f, q.words, depth)
	if err := note(words, err, func(d *candidate, rank int) { d.textRank = rank }); err != nil {
		return err
	}
	parts, err := s.store.MatchSubstrings(ctx, c, f, q.parts, depth)
	if err := note(parts, err, func(d *candidate, rank int) { d.partRank = rank }); err != nil {
		return err
	}
	if q.vector == nil {
		return nil
	}
	near, err := s.store.NearestVectors(ctx, c, f, q.vector, depth)
	return note(near, err, func(d *candidate, rank int) { d.vectorRank = rank })
}

// load reads the documents and vectors of the candidates.
func (s *Service) load(ctx context.Context, q question, c memory.Corpus, found map[int64]*candidate, scope []string) ([]*candidate, error) {
	if len(found) == 0 {
		return nil, nil
	}
	seqs := make([]int64, 0, len(found))
	for seq := range found {
		seqs = append(seqs, seq)
	}
	slices.Sort(seqs)
	docs, err := s.store.Documents(ctx, c, q.Filter, seqs)
	if err != nil {
		return nil, err
	}
	var vectors map[int64][]float32
	if q.vector != nil {
		if vectors, err = s.store.Vectors(ctx, q.Scope.Agent, c, seqs); err != nil {
			return nil, err
		}
	}
	loaded := make([]*candidate, 0, len(docs))
	for _, d := range docs {
		one := found[d.Seq]
		one.Document, one.cosine = d, dot(q.vector, vectors[d.Seq])
		one.tier = TierFlat
		if slices.Contains(scope, d.Category) {
			one.tier = TierCategory
		}
		loaded = append(loaded, one)
	}
	return loaded, nil
}

// dot returns the product of two vectors, 0 if either is missing.
func dot(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
