package cognition

import (
	"context"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// LearningRequest is an error or a correction. Content and Type are needed.
type LearningRequest struct {
	Type    memory.LearningType
	Content string
	Context string // what was being done
	Tool    string // the tool that it is about
}

// RecordLearning keeps a learning. The same again
// is a duplicate. Errors are those of [remember.Service.Save].
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

// Learnings lists learnings of the scope, newest first, and counts them all.
// An empty type is both; limit 0 is no limit.
func (s *Service) Learnings(ctx context.Context, scope memory.Scope, kind memory.LearningType, limit int) ([]memory.Record, int, error) {
	return s.store.List(ctx, memory.CatalogFilter{
		Agent: scope.Agent, Projects: scope.Readable(), Kind: memory.KindLearning, Type: string(kind), Limit: limit,
	})
}
