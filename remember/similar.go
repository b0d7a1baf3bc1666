package remember

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/slots"
)

// Similar is a record that says nearly the same as a new one, or says
// something else of the same subject.
type Similar struct {
	ID      string
	Content string
	Score   float64 // overlap of content, 0 to 1
	// Relation is how the new record stands to it, empty where the two only
	// share words.
	Relation Relation
}

// Relation is how a new record stands to one that is known.
type Relation string

// The relations.
const (
	Same        Relation = "same"        // says the same in other words
	MayReplace  Relation = "may_replace" // fills the same slot and may take its place
	Contradicts Relation = "contradicts" // says the opposite, and neither says what changed
)

const (
	similarFloor   = 0.5 // overlap from which a record is worth a look
	similarResults = 5
	similarDepth   = 20
)

// similarWithin bounds the search for similar records to the rarest words: what is similar shares
// these, and a save must stay fast in a large bank.
var similarWithin = memory.Rarest{Words: 3, Postings: 120}

// similarConcurrently starts the search for similar records and returns a
// function that waits for it: it takes as long as the write, and neither needs
// the other.
func (s *Service) similarConcurrently(ctx context.Context, d draft, quiet bool) func() []Similar {
	if quiet {
		return func() []Similar { return nil }
	}
	// The search is short, and a context that may end costs a goroutine for each query.
	ctx = context.WithoutCancel(ctx)
	found := make(chan []Similar, 1)
	go func() { found <- s.similar(ctx, d) }()
	return sync.OnceValue(func() []Similar { return <-found })
}

// similar finds records of the same project that the draft may repeat or
// contradict. A failure is logged: it must not fail a save.
func (s *Service) similar(ctx context.Context, d draft) []Similar {
	found, err := s.findSimilar(ctx, d)
	if err != nil {
		s.log.InfoContext(ctx, "similar records were not looked for", "error", err)
	}
	return found
}

func (s *Service) findSimilar(ctx context.Context, d draft) ([]Similar, error) {
	filter := memory.Filter{Agent: d.Agent, Projects: []string{d.Project}}
	if d.whose != Chosen {
		filter.Projects = append(filter.Projects, d.otherwise)
	}
	found, err := s.store.MatchRarest(ctx, filter, analysis.QueryWords(d.Content), similarWithin, similarDepth)
	if err != nil {
		return nil, err
	}
	mine := toldSet(d.Content)
	var similar []Similar
	for _, r := range found {
		if score := overlap(mine, toldSet(r.Content)); score >= similarFloor {
			similar = append(similar, Similar{ID: r.ID, Content: r.Content, Score: score})
		}
	}
	slices.SortFunc(similar, func(a, b Similar) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	similar = similar[:min(similarResults, len(similar))]
	if s.compared(d.Record) {
		for i := range similar {
			similar[i].Relation = worded(similar[i].Content, d.Content)
		}
	}
	return similar, nil
}

// worded returns the relation of two texts that share words; "" if there is none or one is long.
func worded(known, content string) Relation {
	switch {
	case len(known) > maxReplacingBytes || len(content) > maxReplacingBytes:
		return ""
	case slots.Opposed(known, content):
		return Contradicts
	case slots.SameFact(known, content):
		return Same
	}
	return ""
}

func stemSet(content string) map[string]bool {
	set := map[string]bool{}
	for _, stem := range analysis.Content(content) {
		set[stem] = true
	}
	return set
}

// toldSet is stemSet without stems so common in a language that texts share them which have
// nothing else in common.
func toldSet(content string) map[string]bool {
	set := map[string]bool{}
	for _, stem := range analysis.Telling(content) {
		set[stem] = true
	}
	return set
}

// overlap returns the share of the smaller set that the other has too, 0 to 1.
func overlap(a, b map[string]bool) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return 0
	}
	shared := 0
	for stem := range a {
		if b[stem] {
			shared++
		}
	}
	return float64(shared) / float64(len(a))
}

// without leaves out the records with these ids.
func without(similar []Similar, ids ...string) []Similar {
	return slices.DeleteFunc(slices.Clone(similar), func(s Similar) bool { return slices.Contains(ids, s.ID) })
}
