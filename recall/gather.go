package recall

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/recall/index"
	"mcp-memory/timex"
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
	// depth is how many candidates words and vectors contribute each.
	depth = 150
	// loaded is how many candidates are read whole, at least; three for each
	// result wanted, if that is more.
	loaded = 50
	// radius is how far the neighbours of a turn count.
	radius = 2
)

// candidate is a document that may answer the question.
type candidate struct {
	memory.Document
	ranked
	features
	tier       Tier
	score      float64
	duplicates []string
}

// ranked is a hit before its document is read.
type ranked struct {
	index.Hit
	parts      []Part
	relevance  float64 // sum of the parts
	textRank   int     // place by words, from 1
	vectorRank int     // place by vector, from 1
}

// gather returns the most relevant documents of a corpus that pass the filter.
func (s *Service) gather(ctx context.Context, q question, c memory.Corpus) ([]*candidate, error) {
	ix, err := s.indexes.current(ctx, q.Scope.Agent, c)
	if err != nil {
		return nil, err
	}
	if ix == nil {
		return s.gatherFromStore(ctx, q, c)
	}
	query := q.forIndex(c)
	if !q.Filter.Narrow() {
		hits := ix.Search(query, depth)
		found, err := s.load(ctx, q, c, hits)
		// Nearly everything passes an ordinary filter. Where much does not
		// (many projects), candidates have to be chosen among what does.
		if err != nil || len(found) >= min(q.Limit, len(hits)) || len(hits) == 0 {
			return found, err
		}
	}
	if query.Allowed, err = s.store.Select(ctx, c, q.Filter); err != nil || len(query.Allowed) == 0 {
		return nil, err
	}
	return s.load(ctx, q, c, ix.Search(query, depth))
}

// load ranks hits by relevance and reads the best from the database, which
// applies the filter once more: what was forgotten a moment ago is gone.
func (s *Service) load(ctx context.Context, q question, c memory.Corpus, hits []index.Hit) ([]*candidate, error) {
	if len(hits) == 0 {
		return nil, nil
	}
	missing := 1.0
	for _, h := range hits {
		missing = min(missing, 1-h.Coverage)
	}
	list := make([]*ranked, len(hits))
	for i, h := range hits {
		w := s.weightsOf(q, h, c == memory.Conversations)
		w.Vector *= 1 + w.Meaning*missing
		list[i] = &ranked{Hit: h, parts: parts(h, w, q.when)}
		list[i].relevance = sum(list[i].parts)
	}
	noteRanks(list)
	slices.SortFunc(list, func(a, b *ranked) int {
		return cmp.Or(cmp.Compare(b.relevance, a.relevance), cmp.Compare(a.Seq, b.Seq))
	})
	list = head(list, max(loaded, 3*q.Limit))
	bySeq := make(map[int64]*ranked, len(list))
	seqs := make([]int64, len(list))
	for i, one := range list {
		bySeq[one.Seq], seqs[i] = one, one.Seq
	}
	docs, err := s.store.Documents(ctx, c, q.Filter, seqs)
	if err != nil {
		return nil, err
	}
	scope := q.scope()
	found := make([]*candidate, len(docs))
	for i, d := range docs {
		one := &candidate{Document: d, ranked: *bySeq[d.Seq], tier: TierFlat}
		if slices.Contains(scope, d.Category) {
			one.tier = TierCategory
		}
		found[i] = one
	}
	return found, nil
}

// noteRanks says where each candidate stands by words and by vector alone.
func noteRanks(list []*ranked) {
	by := slices.Clone(list)
	slices.SortStableFunc(by, func(a, b *ranked) int { return cmp.Compare(b.Lexical, a.Lexical) })
	for i, c := range by {
		if c.Lexical > 0 {
			c.textRank = i + 1
		}
	}
	slices.SortStableFunc(by, func(a, b *ranked) int { return cmp.Compare(b.Vector, a.Vector) })
	for i, c := range by {
		if c.Vector > 0 {
			c.vectorRank = i + 1
		}
	}
}

// scope returns the categories that the second tier searches; none where the
// caller named the categories.
func (q question) scope() []string {
	if len(q.Filter.Categories) > 0 {
		return nil
	}
	var names []string
	for _, c := range q.categories {
		if c.Score >= categoryFloor && len(names) < bestCategories {
			names = append(names, c.Name)
		}
	}
	return names
}

// indexDocument is what an index keeps of a stored document. Records that tell
// of the same moment stand together like the turns of a session.
func indexDocument(d memory.Document) index.Document {
	one := index.Document{Seq: d.Seq, Text: d.SearchText(), At: d.EventTime(), Role: d.Role, Category: d.Category}
	switch {
	case d.Corpus == memory.Conversations:
		one.Session, one.Asks, one.Dated = d.Session, strings.ContainsAny(d.Content, "?？"), timex.Mentions(d.Content)
		if one.Text != d.Content { // a person, not a role
			one.Speaker = d.Speaker
		}
	case !d.OccurredAt.IsZero():
		one.Session = strconv.FormatInt(d.OccurredAt.UnixMicro(), 36)
	}
	return one
}
