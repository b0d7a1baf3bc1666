package contextwindow

import (
	"context"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/injected"
)

// Bounds of what is read and told of the latest conversation.
const (
	closingTurns  = 60
	lastSentences = 4
	lastTokens    = 160
)

// LastSession tells in up to four sentences, one a line, how the latest
// conversation of the scope went: from the summary of its last compaction and the
// turns since, by a summarizer of this program, since somebody waits. ID is the
// session, At when its window last changed. The zero value if there is none, or
// nothing was said that is worth a sentence.
func (s *Service) LastSession(ctx context.Context, scope memory.Scope) (memory.DatedText, error) {
	w, err := s.store.LatestWindow(ctx, scope.Agent, scope.Readable())
	if w == nil || err != nil {
		return memory.DatedText{}, err
	}
	turns, err := s.store.Turns(ctx, w.Agent, w.Session, max(w.Compacted, w.Turns-closingTurns), 0)
	if err != nil {
		return memory.DatedText{}, err
	}
	request := memory.SummaryRequest{
		Turns: s.told(turns), Earlier: w.Summary, MaxTokens: lastTokens, Sentences: lastSentences, Now: s.clock.Here(),
	}
	if request.Earlier == nothingSaid {
		request.Earlier = ""
	}
	var sentences []string
	for _, d := range local(s.summarizers) {
		text, err := d.Summarize(ctx, request)
		if err != nil {
			return memory.DatedText{}, err
		}
		if sentences = analysis.Sentences(text); len(sentences) > 0 {
			break
		}
	}
	if len(sentences) == 0 {
		return memory.DatedText{}, nil
	}
	return memory.DatedText{ID: w.Session, Text: strings.Join(sentences[:min(lastSentences, len(sentences))], "\n"), At: w.UpdatedAt}, nil
}

// told returns turns as they are to be summarised: of the user's days, and
// without what this package has put into the conversation.
func (s *Service) told(turns []memory.Turn) []memory.Turn {
	var list []memory.Turn
	for _, t := range turns {
		if t.Content != "" {
			if t.Content = injected.Without(t.Content); t.Content == "" {
				continue
			}
		}
		t.SaidAt = s.clock.In(t.SaidAt)
		list = append(list, t)
	}
	return list
}
