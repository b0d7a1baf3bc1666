package remember

import (
	"context"

	"mcp-memory/memory"
)

// SelfCareFrom is the number of long-term memories from which consolidating
// them is worth while.
const SelfCareFrom = 30

// LongTermResult says what became of a long-term memory.
type LongTermResult struct {
	SaveResult
	Count             int // live long-term memories of the bank
	SelfCareSuggested bool
}

// AddLongTerm keeps an episodic long-term memory. Errors are those of Save.
func (s *Service) AddLongTerm(ctx context.Context, scope memory.Scope, r SaveRequest) (LongTermResult, error) {
	r.Kind = memory.KindLongTerm
	if r.Episode == nil {
		r.Episode = &memory.EpisodeDetails{}
	}
	saved, err := s.Save(ctx, scope, r)
	if err != nil {
		return LongTermResult{}, err
	}
	n, err := s.store.CountRecords(ctx, scope.Agent, memory.KindLongTerm)
	if err != nil {
		// The memory is durable: not knowing how many there are is no failure.
		s.log.WarnContext(ctx, "count long-term memories", "error", err)
	}
	return LongTermResult{saved, n, n >= SelfCareFrom}, nil
}
