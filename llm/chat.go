package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"mcp-memory/memory"
)

// Chat is a language model that answers requests. Safe for concurrent use.
type Chat interface {
	// Complete returns the model's answer, which is not blank. The error is
	// [memory.CodeUnavailable], whatever the reason.
	Complete(ctx context.Context, r Request) (string, error)
}

// Request is a request to a model.
type Request struct {
	Messages []Message
	// MaxTokens bounds the answer in tokens, including what the model thinks aloud.
	MaxTokens int
	// JSON asks for a JSON object and nothing else. The messages have to ask for it too. A model
	// that cannot be forced may still answer otherwise.
	JSON bool
	// Schema is the JSON schema of the object, or nil. It implies JSON. It is not enforced by every
	// model either, so callers check the answer.
	Schema json.RawMessage
}

// Message is one message of a [Request].
type Message struct {
	Role    memory.Role // system, user or assistant
	Content string
}

// Sampling is a [Chat] through a function that takes a system prompt and one message. It is for
// hosts that lend their model (MCP sampling). Only ctx limits how long the function may take, since
// a person may have to agree first.
type Sampling func(ctx context.Context, system, user string, maxTokens int) (string, error)

var _ Chat = Sampling(nil)

// Complete sends all messages as one. JSON and Schema are not passed on.
func (s Sampling) Complete(ctx context.Context, r Request) (string, error) {
	return s.complete(ctx, r, func(cause error) error {
		return memory.Errorf(memory.CodeUnavailable, "the host's model gives no usable answer").
			WithHint("allow sampling in the host, or set MCP_MEMORY_LLM_URL to an endpoint").WithCause(cause)
	})
}

// complete is Complete with the error that failed returns.
func (s Sampling) complete(ctx context.Context, r Request, failed func(cause error) error) (string, error) {
	var system, user []string
	for _, m := range r.Messages {
		switch m.Role {
		case memory.RoleSystem:
			system = append(system, m.Content)
		case memory.RoleAssistant:
			user = append(user, "Your answer was:\n"+m.Content)
		default:
			user = append(user, m.Content)
		}
	}
	answer, err := s(ctx, strings.Join(system, "\n\n"), strings.Join(user, "\n\n"), r.MaxTokens)
	if err == nil && len(answer) > maxAnswerBytes {
		err = fmt.Errorf("%d bytes, at most %d are read", len(answer), maxAnswerBytes)
	}
	if err == nil && strings.TrimSpace(answer) == "" {
		err = fmt.Errorf("blank")
	}
	if err != nil {
		return "", failed(err)
	}
	return answer, nil
}
