package llm

import (
	"context"
	"encoding/json"
	"time"

	"mcp-memory/memory"
)

// Options bound what a [Summarizer] asks. The zero value is good for hosted
// models and for local ones with a context of 32,768 tokens.
type Options struct {
	// MaxInput is how many tokens a request may have in all, instructions
	// included; 24,000, and at least 500. Together with MaxOutput it has to
	// fit into the model's context: some local servers cut what does not
	// without telling.
	MaxInput int
	// MaxOutput is how many tokens an answer may have, thinking included;
	// 4,096. A summary that may be long is given as much as it needs.
	MaxOutput int
}

const (
	minInputTokens = 500
	perMessage     = 8 // tokens that a model's template adds to a message
)

// Summarizer finds facts and summarises through a [Chat]. Safe for concurrent
// use. It asks one request after the other.
type Summarizer struct {
	chat    Chat
	name    string
	counter memory.TokenCounter
	options Options
}

var _ memory.Summarizer = (*Summarizer)(nil)

// New returns a summarizer over chat. name is what Name returns: "llm" or
// "sampling". The counter is of the model's tokens, or near them.
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

// Name says how the model is reached.
func (s *Summarizer) Name() string { return s.name }

// Local returns false: a model takes seconds and can be away.
func (s *Summarizer) Local() bool { return false }

// question is what a model is asked, and how its answer has to look.
type question struct {
	instructions, data string
	schema             json.RawMessage
	maxTokens          int
}

// ask puts a question and reads the answer with read, which reports what is
// wrong with it. What is wrong is told to the model once.
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
	refusedShare    = 12 // of MaxInput that a refused answer may take when it is shown
	maxRepairTokens = 70 // tokens of the rest of that request, see maxProblemRunes
	minBudget       = 40 // tokens, should a counter count the instructions very high
)

// budget returns how many tokens of data fit into a request with a prompt, and
// into the one that repairs its answer.
func (s *Summarizer) budget(prompt string, f fields) int {
	q := s.question(prompt, f, "", nil)
	repair := s.options.MaxInput/refusedShare + maxRepairTokens + 2*perMessage
	return max(minBudget, s.options.MaxInput-s.counter.Count(q.instructions)-s.counter.Count(q.data)-repair-2*perMessage)
}

// question puts a prompt and the data that it is about together.
func (s *Summarizer) question(prompt string, f fields, known string, part []piece) question {
	f.Boundary = newBoundary()
	return question{instructions: render(prompt, f), data: delimited(f.Boundary, known, part)}
}

// day returns a moment as prompts name it, or nothing.
func day(now time.Time) string {
	if now.IsZero() {
		return ""
	}
	return now.Format("Monday, " + clock)
}
