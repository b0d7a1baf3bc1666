package consolidate

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

// model writes the summaries of a call, with the first summarizer that works.
// One that has failed is not asked again in this call, because it could cost a
// timeout every time.
type model struct {
	*Service
	summarizers []memory.Summarizer
	failed      []error
	local       bool // some summary was made by a local summarizer
	remote      bool // some summary was made by a remote one
}

// modelOf returns the model for a mode. In [ModeAgent] it has all summarizers,
// which finish a job that an earlier call left.
func (s *Service) modelOf(m Mode) (*model, error) {
	chosen := slices.DeleteFunc(slices.Clone(s.summarizers), func(d memory.Summarizer) bool {
		return m == ModeLLM && d.Local() || m == ModeExtractive && !d.Local()
	})
	if len(chosen) > 0 || m == ModeAgent {
		return &model{Service: s, summarizers: chosen}, nil
	}
	if m == ModeLLM {
		return nil, memory.Errorf(memory.CodeUnavailable, "no language model is configured").
			WithHint("set one up, or use mode agent or extractive")
	}
	return nil, memory.Errorf(memory.CodeUnavailable, "there is no summariser").WithHint("use mode agent")
}

// used returns [ModeExtractive] if a local summarizer wrote one of the
// summaries of the call so far, else [ModeLLM], or "" before the first summary.
func (m *model) used() Mode {
	switch {
	case m.local:
		return ModeExtractive
	case m.remote:
		return ModeLLM
	}
	return ""
}

// longestAnswer is how long a remote summarizer may take for one summary.
const longestAnswer = 45 * time.Second

// summarize returns the first valid answer and the name of the summarizer that
// gave it. Answers come from outside, so they are checked like a caller's
// input.
func (m *model) summarize(ctx context.Context, r memory.SummaryRequest) (text, by string, err error) {
	for len(m.summarizers) > 0 {
		d := m.summarizers[0]
		if text, err = m.ask(ctx, d, r); err == nil {
			m.local, m.remote = m.local || d.Local(), m.remote || !d.Local()
			return text, d.Name(), nil
		}
		if ctx.Err() != nil {
			return "", "", ctx.Err()
		}
		m.log.WarnContext(ctx, "summarise", "summarizer", d.Name(), "error", err)
		m.summarizers, m.failed = m.summarizers[1:], append(m.failed, err)
	}
	return "", "", memory.Errorf(memory.CodeUnavailable, "no summariser answers").
		WithHint("try again later, or use mode agent or extractive").WithCause(errors.Join(m.failed...))
}

func (m *model) ask(ctx context.Context, d memory.Summarizer, r memory.SummaryRequest) (string, error) {
	if !d.Local() {
		wait := longestAnswer
		if deadline, ok := ctx.Deadline(); ok { // leave time for a local summarizer
			wait = min(wait, time.Until(deadline)/2)
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, wait)
		defer cancel()
	}
	text, err := d.Summarize(ctx, r)
	if err != nil {
		return "", err
	}
	text = strings.TrimSpace(strings.ReplaceAll(text, "\x00", ""))
	if text == "" && d.Local() {
		text = m.beginning(r)
	}
	text = ended(text)
	switch {
	case text == "" || !utf8.ValidString(text):
		return "", errors.New("the summary is not a text")
	case len(text) > memory.MaxContentBytes || m.counter.Count(text) > r.MaxTokens:
		return "", errors.New("the summary is longer than it may be")
	}
	return text, nil
}

// ended returns text without a last sentence that breaks off, as where a model
// ran out of tokens. The sentence stays if it is more than a quarter of the
// text or begins a line.
func ended(text string) string {
	sentences := analysis.Sentences(text)
	if len(sentences) == 0 {
		return text
	}
	last := sentences[len(sentences)-1]
	end, _ := utf8.DecodeLastRuneInString(strings.TrimRight(last, closing))
	if strings.ContainsRune(ends, end) || 4*len(last) > len(text) {
		return text
	}
	if i := strings.LastIndex(text, last); i > 0 && text[i-1] != '\n' { // a line may be an item of a list
		return strings.TrimSpace(text[:i])
	}
	return text
}

// ends are the runes that end a sentence; closing are those that may follow
// such a rune.
const (
	ends    = ".!?…:;。！？｡"
	closing = "\"'”’)]»」』）》】*_ \n"
)

// beginning returns the start of what was to be summarised, within r.MaxTokens.
// It is used if a local summarizer returns nothing, as for text without words:
// without a summary the same batch would be tried again for ever.
func (m *model) beginning(r memory.SummaryRequest) string {
	text := r.Earlier
	for _, t := range r.Texts {
		text += "\n" + t.Text
	}
	for _, t := range r.Turns {
		text += "\n" + turnText(t)
	}
	runes := []rune(strings.TrimSpace(text))
	runes = runes[:min(len(runes), 4*r.MaxTokens)]
	for m.counter.Count(string(runes)) > r.MaxTokens {
		runes = runes[:len(runes)*3/4]
	}
	return strings.TrimSpace(string(runes))
}
