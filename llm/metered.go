package llm

import (
	"context"

	"mcp-memory/memory"
)

// Meter allows requests and hears what becomes of them. Safe for concurrent use.
type Meter interface {
	// Allow is asked before a request of so many tokens; an error refuses it.
	Allow(ctx context.Context, tokens int) error
	// Answered is told after it how many tokens the answer had, or why there is none.
	Answered(ctx context.Context, tokens int, problem error)
}

// Metered is a [Chat] whose requests a [Meter] allows.
type Metered struct {
	Chat
	Meter   Meter
	Counter memory.TokenCounter
}

// Complete implements [Chat]. The error of a request that is not allowed is the meter's.
func (m Metered) Complete(ctx context.Context, r Request) (string, error) {
	tokens := 0
	for _, one := range r.Messages {
		tokens += m.Counter.Count(one.Content)
	}
	if err := m.Meter.Allow(ctx, tokens); err != nil {
		return "", err
	}
	answer, err := m.Chat.Complete(ctx, r)
	m.Meter.Answered(ctx, m.Counter.Count(answer), err)
	return answer, err
}
