package llm

import (
	"context"
	"encoding/json"
	"time"

	"mcp-memory/memory"
)

// Options bound the requests of a [Summarizer]. The zero value suits hosted models, and local ones
// with a context of 32,768 tokens.
type Options struct {
	// MaxInput is how many tokens a request may have in all, instructions included; 24,000 by
	// default, at least 500. MaxInput and MaxOutput together have to fit into the model's context:
	// some local servers silently cut off what does not fit.
	MaxInput int
	// MaxOutput is how many tokens an answer may have, thinking included; 4,096 by default.
	// Requests for long summaries allow as many as they need.
	MaxOutput int
}

const (
	minInputTokens = 500
	perMessage     = 8 // tokens that a model's template adds to a message
)

// Summarizer finds facts and summarises through a [Chat], one request after the other. Safe for
// concurrent use.
type Summarizer struct {
	chat    Chat
	name    string
	counter memory.TokenCounter
	options Options
}

var _ memory.Summarizer = (*Summarizer)(nil)

// New returns a summarizer over chat. name is what Name returns: "llm" or "sampling". counter
// should count the model's tokens, or come close.
func New(chat Chat, name string, counter memory.TokenCounter, options Options) *Summarizer {
	if options.MaxInput == 0 {
		options.MaxInput = 24_000
	}
	options.MaxInput = max(options.MaxInput, minInputTokens)
	if options.MaxOutput <= 0 {
		options.MaxOutput = 4096
	}
	return &Summarizer{chat: chat, name: name, counter: counter, options: options}
}

// Name returns how the model is reached: "llm" or "sampling".
func (s *Summarizer) Name() string { return s.name }

// Local returns false: a model takes seconds and may not answer.
func (s *Summarizer) Local() bool { return false }

// question is what a model is asked, and the form and the size that its answer may have.
type question struct {
	instructions, data string
	schema             json.RawMessage
	maxTokens          int
}

// ask asks a question and returns what read makes of the answer. If read returns an error, the
// model is told once what is wrong and answers again.
func ask[T any](ctx context.Context, s *Summarizer, q question, read func(json.RawMessage) (T, error)) (T, error) {
	request := Request{
		Messages: []Message{
			{Role: memory.RoleSystem, Content: q.instructions},
			{Role: memory.RoleUser, Content: q.data},
		},
		MaxTokens: q.maxTokens,
		JSON:      true,
		Schema:    q.schema,
	}
	var none T
	answer, err := s.chat.Complete(ctx, request)
	if err != nil {
		return none, err
	}
	value, problem := find(answer, read)
	if problem == nil {
		return value, nil
	}
	shown, _ := cut(s.counter, clean(answer), s.options.MaxInput/refusedShare)
	request.Messages = append(request.Messages,
		Message{Role: memory.RoleAssistant, Content: shown},
		Message{Role: memory.RoleUser, Content: render(repairPrompt, fields{Problem: problem.Error()})})
	if answer, err = s.chat.Complete(ctx, request); err != nil {
		return none, err
	}
	if value, problem = find(answer, read); problem == nil {
		return value, nil
	}
	return none, memory.Errorf(memory.CodeUnavailable, "the language model answers twice in a form that cannot be used: %v", problem).
		WithHint("try again, or choose a model that is better at JSON")
}

const (
	refusedShare    = 12 // a refused answer that is shown takes at most MaxInput/refusedShare tokens
	maxRepairTokens = 70 // tokens of the rest of that request; see maxProblemRunes
	minBudget       = 40 // tokens; used if the instructions are counted as nearly MaxInput
)

// budget returns how many tokens of data fit into a request with a prompt, so that the request
// which asks to repair its answer stays within MaxInput too.
func (s *Summarizer) budget(prompt string, f fields) int {
	q := s.question(prompt, f, "", nil)
	repair := s.options.MaxInput/refusedShare + maxRepairTokens + 2*perMessage
	return max(minBudget, s.options.MaxInput-s.counter.Count(q.instructions)-s.counter.Count(q.data)-repair-2*perMessage)
}

// question returns the question of a prompt with its data.
func (s *Summarizer) question(prompt string, f fields, known string, part []piece) question {
	f.Boundary = newBoundary()
	return question{instructions: render(prompt, f), data: delimited(f.Boundary, known, part)}
}

// day returns a time in the form of the prompts, "" for the zero time.
func day(now time.Time) string {
	if now.IsZero() {
		return ""
	}
	return now.Format("Monday, " + clock)
}
