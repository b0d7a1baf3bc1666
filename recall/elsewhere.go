package recall

import (
	"cmp"
	"context"
	"slices"

	"mcp-memory/memory"
)

// Found is how many documents of a project answer a question.
type Found struct {
	Project string `json:"project"`
	Count   int    `json:"count"` // documents
}

// maxElsewhere is how many projects an answer names.
const maxElsewhere = 3

// Elsewhere says, of a question that nothing in its scope answers, how much of
// other projects would: at most three of them, the one with most first. Only
// projects of the list are looked at; nil is all. What does not reach [Floor] is
// noise and does not count, and nothing is reinforced. Errors are those of
// [Service.Recall].
func (s *Service) Elsewhere(ctx context.Context, r Request, projects []string) ([]Found, error) {
	here := r.Scope.Readable()
	if here == nil {
		return nil, nil
	}
	others := slices.DeleteFunc(slices.Clone(projects), func(p string) bool { return slices.Contains(here, p) })
	if projects != nil && len(others) == 0 {
		return nil, nil
	}
	r.Scope.Project = memory.AllProjects
	r.Corpora = slices.DeleteFunc(slices.Clone(r.Corpora),
		func(c memory.Corpus) bool { return c == memory.Workspace }) // files are of no project
	r.Lenient, r.Explain, r.Tokens, r.Limit, r.MinScore = false, false, 0, MaxLimit, max(r.MinScore, Floor)
	q, err := s.understand(ctx, r)
	if err != nil {
		return nil, err
	}
	if projects != nil {
		q.Filter.Projects = others
	}
	ranked, err := s.candidates(ctx, &q)
	counts := map[string]int{}
	for _, c := range ranked {
		if !slices.Contains(here, c.Project) {
			counts[c.Project]++
		}
	}
	var found []Found
	for project, n := range counts {
		found = append(found, Found{project, n})
	}
	slices.SortFunc(found, func(a, b Found) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Project, b.Project)) })
	return head(found, maxElsewhere), err
}
