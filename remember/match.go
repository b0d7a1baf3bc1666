package remember

import (
	"cmp"
	"context"
	"slices"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

// match returns the records that contain every content word of the query, in
// any inflection; without a query all of the project.
func (s *Service) match(ctx context.Context, scope memory.Scope, f ForgetRequest) ([]string, error) {
	wanted := stemSet(f.Query)
	if f.Query != "" && len(wanted) == 0 {
		return nil, memory.Errorf(memory.CodeInvalidArgument, "query %q has no word to go by", f.Query).WithHint("name what to forget")
	}
	projects := scope.Readable()
	if f.Project != nil && *f.Project != memory.AllProjects {
		projects = []string{*f.Project}
	}
	var ids []string
	look := func(r memory.Record) error {
		inScope := projects == nil || slices.Contains(projects, r.Project)
		if inScope && (f.Permanent || r.ArchivedAt.IsZero()) && containsAll(r.Content, wanted) {
			ids = append(ids, r.ID)
		}
		return nil
	}
	if f.Query != "" && !f.Permanent { // what is to be erased for good is looked for in every record
		found, err := s.eachWith(ctx, scope.Agent, f.Query, look)
		if found || err != nil {
			return ids, err
		}
		ids = nil
	}
	return ids, s.store.EachRecord(ctx, scope.Agent, look)
}

// commonShare bounds how common a word may be for the index to be used: if more than one of so
// many records has it, reading the whole bank takes no longer.
const commonShare = 4

// eachWith calls fn, in order of creation, for the records that have the rarest word of a query,
// and maybe for others. found is false if the word is too common, or if the index finds fewer
// records than the bank has counted for it: then all have to be looked at.
func (s *Service) eachWith(ctx context.Context, agent, query string, fn func(memory.Record) error) (found bool, err error) {
	stems, words := analysis.ContentWords(query)
	stats, err := s.store.Statistics(ctx, agent, memory.Memories, stems)
	if err != nil {
		return false, err
	}
	rarest := 0
	for i, stem := range stems {
		if stats.Frequency[stem] < stats.Frequency[stems[rarest]] {
			rarest = i
		}
	}
	counted := stats.Frequency[stems[rarest]]
	switch {
	case counted == 0:
		return true, nil // every record is counted
	case counted > stats.Documents/commonShare:
		return false, nil
	}
	everything := memory.Filter{Agent: agent, IncludeArchived: true, IncludeSuperseded: true}
	hits, err := s.store.MatchWords(ctx, memory.Memories, everything, []string{words[rarest]}, stats.Documents)
	if err != nil {
		return false, err
	}
	seqs := make([]int64, len(hits))
	for i, h := range hits {
		seqs[i] = h.Seq
	}
	slices.Sort(seqs)
	for page := range slices.Chunk(seqs, pageOfLinked) {
		documents, err := s.store.Documents(ctx, memory.Memories, everything, page)
		if err != nil {
			return false, err
		}
		slices.SortFunc(documents, func(a, b memory.Document) int { return cmp.Compare(a.Seq, b.Seq) })
		for _, d := range documents {
			if slices.Contains(analysis.Content(d.Content), stems[rarest]) {
				counted--
			}
			if err := fn(d.Record); err != nil {
				return false, err
			}
		}
	}
	return counted <= 0, nil
}
