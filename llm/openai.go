package llm

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"mcp-memory/internal/endpoint"
	"mcp-memory/memory"
)

// maxAnswerBytes bounds what is read of one answer, packaging included.
const maxAnswerBytes = 4 << 20

// temperature is low, so that the same conversation gives much the same
// facts. The client leaves out a temperature of 0, which would mean 1.
const temperature = 0.1

// OpenAIOptions say which endpoint answers and how. BaseURL and Model are
// required; every other zero value has a default.
type OpenAIOptions struct {
	// BaseURL is the address before "/chat/completions", such as
	// "http://localhost:11434/v1" or "https://api.openai.com/v1".
	BaseURL string
	APIKey  string // sent as a bearer token; empty sends none
	Model   string // as the server names it
	// Timeout bounds one request with its answer; 5 min. A local model may
	// read for minutes before it says its first word.
	Timeout time.Duration
	// IdleTimeout bounds the silence after an answer has begun; 30 s.
	IdleTimeout time.Duration
	// MaxRetries is how often a request is repeated; 3, and none if negative.
	MaxRetries int
	// RetryDelay is the time before the first repetition, about doubled for
	// each further one unless the server names a time; 500 ms.
	RetryDelay time.Duration
}

// OpenAI is a [Chat] that asks an endpoint of the form of OpenAI's chat API:
// OpenAI itself, Ollama, LM Studio, llama.cpp, vLLM and others. The server has
// to stream. Nothing is sent to where a server redirects. Safe for concurrent
// use.
type OpenAI struct {
	options OpenAIOptions
	host    string // for messages; the address could hold a secret
	client  *openai.Client
	// format is the first one that the server has not refused.
	format atomic.Int32
}

var _ Chat = (*OpenAI)(nil)

// Ways to ask for JSON, best first. LM Studio refuses formatObject, others
// know nothing else, some refuse both.
const (
	formatSchema int32 = iota
	formatObject
	formatText
)

var errRedirect = errors.New("the server redirects to another address")

// NewOpenAI returns a chat without asking the endpoint anything.
// [memory.CodeInvalidArgument] names the option that is missing or wrong.
func NewOpenAI(options OpenAIOptions) (*OpenAI, error) {
	host, err := options.check()
	if err != nil {
		return nil, err
	}
	options = options.withDefaults()
	config := openai.DefaultConfig(options.APIKey)
	config.BaseURL = options.BaseURL
	// The client gives up after that many lines without data in a row, such as
	// the comments by which a busy server stays connected. The limit on bytes
	// bounds them as well as anything.
	config.EmptyMessagesLimit = maxAnswerBytes
	config.HTTPClient = &http.Client{
		Transport:     watcher{http.DefaultTransport},
		CheckRedirect: func(*http.Request, []*http.Request) error { return errRedirect },
	}
	return &OpenAI{options: options, host: host, client: openai.NewClientWithConfig(config)}, nil
}

// Complete asks the endpoint, in a simpler format where it refuses the one
// that was asked for, and remembers that. An answer that ends at MaxTokens is
// returned as it is, one without any text is [memory.CodeUnavailable].
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
		answer, status, err := o.send(ctx, o.request(r, format))
		switch {
		case err == nil:
			if format > first {
				o.format.Store(format)
			}
			return answer, nil
		case format >= formatText || !refusesFormat(status):
			return "", err
		}
	}
}

// request translates r for the client.
func (o *OpenAI) request(r Request, format int32) openai.ChatCompletionRequest {
	request := openai.ChatCompletionRequest{
		Model: o.options.Model,
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
	// Models that reason take neither of the two; the client knows which.
	if openai.NewReasoningValidator().Validate(request) != nil {
		//lint:ignore SA1019 see above
		request.MaxTokens, request.MaxCompletionTokens, request.Temperature = 0, r.MaxTokens, 0
	}
	return request
}

// refusesFormat reports whether a status may mean that the server does not
// know the response format.
func refusesFormat(status int) bool {
	return status == http.StatusBadRequest || status == http.StatusUnprocessableEntity || status == http.StatusNotImplemented
}

func (o OpenAIOptions) check() (host string, err error) {
	host, err = endpoint.Setting{Name: "the language model's endpoint", Env: "MCP_MEMORY_LLM", URL: o.BaseURL, Key: o.APIKey}.Host()
	switch {
	case err != nil:
		return "", err
	case strings.TrimSpace(o.Model) == "":
		return "", memory.Errorf(memory.CodeInvalidArgument, "the language model's endpoint at %s has no model", host).
			WithHint("set MCP_MEMORY_LLM_MODEL to a name that the server knows")
	}
	return host, nil
}

func (o OpenAIOptions) withDefaults() OpenAIOptions {
	o.BaseURL = strings.TrimRight(o.BaseURL, "/")
	if o.Timeout <= 0 {
		o.Timeout = 5 * time.Minute
	}
	if o.IdleTimeout <= 0 {
		o.IdleTimeout = 30 * time.Second
	}
	if o.RetryDelay <= 0 {
		o.RetryDelay = 500 * time.Millisecond
	}
	switch {
	case o.MaxRetries == 0:
		o.MaxRetries = 3
	case o.MaxRetries < 0:
		o.MaxRetries = 0
	}
	return o
}
