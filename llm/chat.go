package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"mcp-memory/memory"
)

// Chat is a language model that answers. Safe for concurrent use.
type Chat interface {
	// Complete returns the model's answer, which is not blank.
	// [memory.CodeUnavailable] when there is none, whatever the reason.
	Complete(ctx context.Context, r Request) (string, error)
}

// Request is what a model is asked.
type Request struct {
	Messages []Message
	// MaxTokens bounds the answer, what the model thinks aloud included.
	MaxTokens int
	// JSON asks for nothing but a JSON object. The messages have to say so
	// too: the answer may be something else where a model cannot be forced.
	JSON bool
	// Schema is the JSON schema of the object, or nil. It implies JSON and is
	// a wish as well: whoever asks checks the answer.
	Schema json.RawMessage
}

// Message is one message of a [Request].
type Message struct {
	Role    memory.Role // system, user or assistant
	Content string
}

// Sampling is a [Chat] over a function that knows only a system prompt and one
// message. It is for hosts that lend their model; the function's context ends
// the wait, which may be as long as a person takes to agree.
type Sampling func(ctx context.Context, system, user string, maxTokens int) (string, error)

var _ Chat = Sampling(nil)

// Complete sends all messages as one. JSON and Schema are not passed on.
func (s Sampling) Complete(ctx context.Context, r Request) (string, error) {
	return s.complete(ctx, r, func(cause error) error {
		return memory.Errorf(memory.CodeUnavailable, "the host's model gives no usable answer").
			WithHint("allow sampling in the host, or set MCP_MEMORY_LLM_URL to an endpoint").WithCause(cause)
	})
}

// complete is Complete with an error of its own.
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
