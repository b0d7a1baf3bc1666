package llm

import (
	"context"
	"sort"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

const (
	minSummaryTokens = 50  // tokens
	maxFocusRunes    = 200 // characters
	focusShare       = 12  // a focus may take MaxInput/focusShare tokens
	tokensPerWord    = 1.5 // more than in most languages, so that a summary need not be cut
)

// Summarize asks for a summary of the turns or texts and of what came before. A longer summary than
// r.MaxTokens is cut after a sentence. If already the first sentence is too long, it is cut after a
// word, with "…". More sentences than r.Sentences are cut off. Without turns and texts the earlier
// summary is returned, shortened in the same way. Errors are [memory.CodeInvalidArgument] for
// MaxTokens below 50, and [memory.CodeUnavailable] as soon as one part gets no usable answer.
func (s *Summarizer) Summarize(ctx context.Context, r memory.SummaryRequest) (string, error) {
	if r.MaxTokens < minSummaryTokens {
		return "", memory.Errorf(memory.CodeInvalidArgument, "a summary of %d tokens is too short", r.MaxTokens).
			WithHint("allow at least %d tokens", minSummaryTokens)
	}
	focus, _ := cut(s.counter, oneLine(r.Focus, maxFocusRunes), s.options.MaxInput/focusShare)
	f := fields{Now: day(r.Now), What: "the notes", Focus: focus, Sentences: r.Sentences}
	entries := entriesOfTexts(r.Texts)
	if len(r.Turns) > 0 {
		f.What = "the conversation"
		entries = append(entriesOf(r.Turns, false), entries...)
	}
	earlier := strings.TrimSpace(clean(r.Earlier))
	switch {
	case len(entries) == 0:
		return shorten(s.counter, earlier, r.MaxTokens, r.Sentences), nil
	case earlier != "":
		entries = append([]entry{{head: "[summary of what came before] ", body: earlier}}, entries...)
	}
	return s.reduce(ctx, summarizePrompt, f, entries, r.MaxTokens)
}

// reduce summarises entries in one request if they fit. Else it summarises each part of them, and
// then the summaries in the same way. At least four summaries fit into one request, so each round
// has fewer parts.
func (s *Summarizer) reduce(ctx context.Context, prompt string, f fields, entries []entry, limit int) (string, error) {
	f.Words = int(float64(limit) / tokensPerWord)
	parts := pack(s.counter, entries, s.budget(prompt, f))
	if len(parts) == 1 {
		return s.summary(ctx, prompt, f, parts[0], limit)
	}
	of := f
	of.Sentences = 0
	partLimit := min(limit, s.budget(mergePrompt, f)/5)
	of.Words = int(float64(partLimit) / tokensPerWord)
	summaries := make([]entry, 0, len(parts))
	for _, part := range parts {
		summary, err := s.summary(ctx, prompt, of, part, partLimit)
		if err != nil {
			return "", err
		}
		summaries = append(summaries, entry{head: "- ", body: strings.Join(strings.Fields(summary), " ")})
	}
	return s.reduce(ctx, mergePrompt, f, summaries, limit)
}

func (s *Summarizer) summary(ctx context.Context, prompt string, f fields, part []piece, limit int) (string, error) {
	q := s.question(prompt, f, "", part)
	q.schema, q.maxTokens = summarySchema, max(s.options.MaxOutput, 2*limit)
	summary, err := ask(ctx, s, q, readSummary)
	if err != nil {
		return "", err
	}
	return shorten(s.counter, summary, limit, f.Sentences), nil
}

// shorten returns the first sentences of text, with at most limit tokens, and at most `sentences`
// of them unless that is 0.
func shorten(c memory.TokenCounter, text string, limit, sentences int) string {
	const maxBytesPerToken = 64 // text beyond that cannot fit and is not counted
	text = text[:runeStart(text, min(len(text), limit*maxBytesPerToken))]
	ends := sentenceEnds(text)
	if sentences > 0 && len(ends) > sentences {
		ends = ends[:sentences]
		text = text[:ends[sentences-1]]
	}
	if c.Count(text) <= limit {
		return text
	}
	fit := sort.Search(len(ends), func(i int) bool { return c.Count(text[:ends[i]]) > limit })
	for ; fit > 0; fit-- { // a longer text may have a token less
		if whole := text[:ends[fit-1]]; c.Count(whole) <= limit {
			return whole
		}
	}
	for budget := limit - 1; budget > 0; budget-- {
		first, _ := cut(c, text, budget)
		if first = strings.TrimSpace(first) + "…"; c.Count(first) <= limit {
			return first
		}
	}
	return ""
}

// sentenceEnds returns the byte offsets at which the sentences of text end.
func sentenceEnds(text string) []int {
	var ends []int
	at := 0
	for _, sentence := range analysis.Sentences(text) {
		at += strings.Index(text[at:], sentence) + len(sentence)
		ends = append(ends, at)
	}
	return ends
}
