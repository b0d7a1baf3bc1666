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
	focusShare       = 12  // of MaxInput that it may take
	tokensPerWord    = 1.5 // more than in most languages, so that a summary need not be cut
)

// Summarize asks for a summary of the turns or texts with what came before. A
// longer one than r.MaxTokens is cut after a sentence, and only where the first
// sentence is too long after a word, with "…"; more sentences than
// r.Sentences are cut off. Without turns and texts the earlier summary is
// returned as it is, but not longer. [memory.CodeInvalidArgument] for MaxTokens
// below 50; [memory.CodeUnavailable] as soon as one part gets no usable answer.
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

// reduce summarises entries in one request if they fit, else each part of
// them, and then the summaries. Four of those fit into one request, so each
// round leaves fewer.
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

// shorten returns the first sentences of text: at most limit tokens, and at most
// sentences of them unless that is 0.
func shorten(c memory.TokenCounter, text string, limit, sentences int) string {
	const maxBytesPerToken = 64 // what is longer than that is not worth counting
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
	for ; fit > 0; fit-- { // a longer text can have a token less
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

// sentenceEnds returns where the sentences of text end, in bytes.
func sentenceEnds(text string) []int {
	var ends []int
	at := 0
	for _, sentence := range analysis.Sentences(text) {
		at += strings.Index(text[at:], sentence) + len(sentence)
		ends = append(ends, at)
	}
	return ends
}
