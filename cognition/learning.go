package cognition

import (
	"cmp"
	"context"
	"slices"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// LearningRequest is an error or a correction to learn from. Content and Type
// are needed.
type LearningRequest struct {
	Type    memory.LearningType
	Content string
	Context string // what was being done
	Tool    string // the tool that it is about
}

// RecordLearning stores a learning. The same text again is a duplicate. Errors
// are those of [remember.Service.Save].
func (s *Service) RecordLearning(ctx context.Context, scope memory.Scope, r LearningRequest) (Saved, error) {
	importance := r.Type.Importance()
	result, err := s.remember.Save(ctx, scope, remember.SaveRequest{
		Content: r.Content, Kind: memory.KindLearning, Importance: &importance,
		KindDetails: memory.KindDetails{Learning: &memory.LearningDetails{Type: r.Type, Context: r.Context, Tool: r.Tool}},
	})
	if err != nil {
		return Saved{}, err
	}
	found, err := s.store.Records(ctx, scope.Agent, []string{result.ID})
	if err != nil || len(found) == 0 {
		return Saved{}, err
	}
	return Saved{found[0], result.Action}, nil
}

// LearningQuery asks for learnings.
type LearningQuery struct {
	Type  memory.LearningType // empty is both
	Tool  string              // see [memory.LearningDetails.About]; empty is all
	Limit int                 // how many at most; 0 is no limit
}

// Learnings returns learnings of the scope, and how many match without the
// limit. They are ordered newest first. If q.Tool is set, only those about that
// tool are returned, ordered by [memory.LearningDetails.About], the closest
// first, and then by [memory.CompareLearnings].
func (s *Service) Learnings(ctx context.Context, scope memory.Scope, q LearningQuery) ([]memory.Record, int, error) {
	filter := memory.CatalogFilter{
		Agent: scope.Agent, Projects: scope.Readable(), Kind: memory.KindLearning, Type: string(q.Type), Limit: q.Limit,
	}
	if q.Tool == "" {
		return s.store.List(ctx, filter)
	}
	filter.Limit, filter.Uncounted = 0, true
	all, _, err := s.store.List(ctx, filter)
	if err != nil {
		return nil, 0, err
	}
	about := map[string]int{}
	all = slices.DeleteFunc(all, func(r memory.Record) bool {
		if r.Learning != nil {
			about[r.ID] = r.Learning.About(q.Tool)
		}
		return about[r.ID] == 0
	})
	slices.SortFunc(all, func(a, b memory.Record) int {
		return cmp.Or(cmp.Compare(about[b.ID], about[a.ID]), memory.CompareLearnings(a, b))
	})
	total := len(all)
	if q.Limit > 0 && total > q.Limit {
		all = all[:q.Limit]
	}
	return all, total, nil
}
