package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"mcp-memory/internal/endpoint"
	"mcp-memory/memory"
)

// maxAnswerBytes bounds what is read of one response, protocol overhead included.
const maxAnswerBytes = 4 << 20

// temperature is low, so that the same conversation gives much the same facts. It is not 0, because
// the client omits a temperature of 0, for which servers take 1.
const temperature = 0.1

// OpenAIOptions say which endpoint answers and how.
type OpenAIOptions struct {
	// Timeout of Options is 5 min by default: a local model may read for minutes before its first
	// word.
	endpoint.Options
	// IdleTimeout bounds the silence after an answer has begun; 30 s by default.
	IdleTimeout time.Duration
}

// OpenAI is a [Chat] that asks an endpoint with OpenAI's chat API: OpenAI itself, Ollama, LM
// Studio, llama.cpp, vLLM and others. It asks for a stream, and also accepts an answer in one
// piece. Safe for concurrent use.
type OpenAI struct {
	client *endpoint.Client
	model  string
	// format is the best response format that the server has not refused.
	format atomic.Int32
}

var _ Chat = (*OpenAI)(nil)

// Response formats by which JSON is asked for, the best first. LM Studio refuses formatObject,
// other servers know only that, and some refuse both.
const (
	formatSchema int32 = iota
	formatObject
	formatText
)

// NewOpenAI returns a chat without asking the endpoint anything.
// [memory.CodeInvalidArgument] names the option that is missing or wrong.
func NewOpenAI(options OpenAIOptions) (*OpenAI, error) {
	api := endpoint.API{
		Name:        "the language model's endpoint",
		Env:         "MCP_MEMORY_LLM",
		Form:        "OpenAI's chat API",
		Refused:     ": lower MCP_MEMORY_LLM_MAX_INPUT",
		Timeout:     5 * time.Minute,
		IdleTimeout: cmp.Or(max(0, options.IdleTimeout), 30*time.Second),
		MaxBytes:    maxAnswerBytes,
	}
	client, err := endpoint.New(api, options.Options)
	if err != nil {
		return nil, err
	}
	return &OpenAI{client: client, model: options.Model}, nil
}

// Complete asks the endpoint. If that refuses the response format, Complete tries the next simpler
// one, and later calls begin with the one that worked. An answer that was cut off at MaxTokens is
// returned as it is. One without any text is [memory.CodeUnavailable].
func (o *OpenAI) Complete(ctx context.Context, r Request) (string, error) {
	best := formatText
	switch {
	case r.Schema != nil:
		best = formatSchema
	case r.JSON:
		best = formatObject
	}
	first := max(best, o.format.Load())
	for format := first; ; format++ {
		answer, err := o.send(ctx, o.request(r, format))
		switch {
		case err == nil:
			if format > first {
				o.format.Store(format)
			}
			return answer, nil
		case format >= formatText || !refusesFormat(endpoint.StatusOf(err)):
			return "", unavailable(err)
		}
	}
}

// request translates r into the client's form.
func (o *OpenAI) request(r Request, format int32) openai.ChatCompletionRequest {
	request := openai.ChatCompletionRequest{
		Model: o.model,
		//lint:ignore SA1019 compatible servers know only this one
		MaxTokens:   r.MaxTokens,
		Temperature: temperature,
	}
	for _, m := range r.Messages {
		request.Messages = append(request.Messages, openai.ChatCompletionMessage{Role: string(m.Role), Content: m.Content})
	}
	switch format {
	case formatSchema:
		request.ResponseFormat = &openai.ChatCompletionResponseFormat{
			Type:       openai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{Name: "answer", Schema: json.RawMessage(r.Schema)},
		}
	case formatObject:
		request.ResponseFormat = &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
	}
	// Reasoning models refuse MaxTokens and Temperature. The client knows which models those are.
	if openai.NewReasoningValidator().Validate(request) != nil {
		//lint:ignore SA1019 see above
		request.MaxTokens, request.MaxCompletionTokens, request.Temperature = 0, r.MaxTokens, 0
	}
	return request
}

// refusesFormat reports whether an HTTP status may mean that the server does not know the response
// format.
func refusesFormat(status int) bool {
	return status == http.StatusBadRequest || status == http.StatusUnprocessableEntity || status == http.StatusNotImplemented
}

// unavailable returns err with [memory.CodeUnavailable], whatever its code. Whether a request is
// refused or not answered, the caller has to do without the model.
func unavailable(err error) error {
	var e *memory.Error
	if !errors.As(err, &e) || e.Code == memory.CodeUnavailable {
		return err
	}
	changed := *e
	changed.Code = memory.CodeUnavailable
	return &changed
}
