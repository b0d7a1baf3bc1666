package llm

import (
	"context"

	"mcp-memory/memory"
)

// Meter decides whether requests are allowed and is told their results. Safe for concurrent use.
type Meter interface {
	// Allow is called before a request with its number of tokens. An error refuses the request.
	Allow(ctx context.Context, tokens int) error
	// Answered is called after a request with the answer's number of tokens, or with the error.
	Answered(ctx context.Context, tokens int, problem error)
}

// Metered is a [Chat] that sends only requests which a [Meter] allows.
type Metered struct {
	Chat
	Meter   Meter
	Counter memory.TokenCounter
}

// Complete implements [Chat]. If the request is not allowed, the error is the meter's.
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
