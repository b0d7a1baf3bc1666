package contextwindow

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/injected"
	"mcp-memory/text/secrets"
)

// Bounds of what is read and told of the latest conversation.
const (
	closingTurns  = 60  // turns that are read, the last ones
	lastSentences = 4   // sentences that are told
	lastTokens    = 160 // tokens that these may have
)

// How a session went, as a model told it when it had ended, is kept as an event of this type in
// the session. The external id has the number of turns by then: if more was said since, the event
// does not count.
const (
	endType   = "session_end"
	endTurns  = 4  // a shorter session is told well enough by the rules
	endEvents = 20 // among how many of a session's latest events it is looked for
	endFocus  = "what was asked, what was done, what was decided and what is left open"
)

func endID(w *memory.Window) string { return fmt.Sprintf("%s/%d", endType, w.Turns) }

// LastSession tells in up to four sentences, one a line, how the latest conversation of the scope
// went. If a model told that at its end and nothing was said since ([Service.TellEnd]), it is the
// model's text, and byModel is set. Else a local summarizer makes it, because somebody waits,
// from the summary of the last compaction and the turns since. ID is the session, At when its
// window last changed. The zero value if there is none, or nothing was said that is worth a
// sentence.
func (s *Service) LastSession(ctx context.Context, scope memory.Scope) (last memory.DatedText, byModel bool, err error) {
	w, err := s.store.LatestWindow(ctx, scope.Agent, scope.Readable())
	if w == nil || err != nil {
		return memory.DatedText{}, false, err
	}
	last = memory.DatedText{ID: w.Session, At: w.UpdatedAt}
	if last.Text, err = s.toldEnd(ctx, w); last.Text != "" || err != nil {
		return last, err == nil, err
	}
	request, err := s.endOf(ctx, w)
	if err != nil {
		return memory.DatedText{}, false, err
	}
	var sentences []string
	for _, d := range local(s.summarizers) {
		text, err := d.Summarize(ctx, request)
		if err != nil {
			return memory.DatedText{}, false, err
		}
		if sentences = analysis.Sentences(text); len(sentences) > 0 {
			break
		}
	}
	if len(sentences) == 0 {
		return memory.DatedText{}, false, nil
	}
	last.Text = strings.Join(sentences[:min(lastSentences, len(sentences))], "\n")
	return last, false, nil
}

// TellEnd has a model tell how a session that has ended went, for [Service.LastSession], once for
// what was said until then. If no model is set up or it fails, nothing is kept, and LastSession
// uses a local summarizer. Errors are the store's.
func (s *Service) TellEnd(ctx context.Context, scope memory.Scope, session string) error {
	model := slices.IndexFunc(s.summarizers, func(d memory.Summarizer) bool { return !d.Local() })
	w, err := s.store.Window(ctx, scope.Agent, session)
	if model < 0 || w == nil || err != nil {
		return err
	}
	if told, err := s.toldEnd(ctx, w); told != "" || err != nil {
		return err
	}
	request, err := s.endOf(ctx, w)
	if err != nil || len(request.Turns) < endTurns {
		return err
	}
	request.Focus = endFocus
	text, err := askWithin(ctx, s.summarizers[model],
		func(ctx context.Context, d memory.Summarizer) (string, error) { return d.Summarize(ctx, request) })
	if err != nil {
		s.log.WarnContext(ctx, "tell how a session went", "summarizer", s.summarizers[model].Name(), "error", err)
		return nil
	}
	sentences := slices.DeleteFunc(analysis.Sentences(text), func(sentence string) bool { return secrets.Find(sentence) != "" })
	if len(sentences) == 0 {
		return nil
	}
	end := memory.ContextEvent{
		ID: s.ids.New(), Agent: scope.Agent, Session: session, Type: endType, ExternalID: endID(w), At: s.now(),
		Content: strings.Join(sentences[:min(lastSentences, len(sentences))], "\n"),
	}
	end.Tokens = s.counter(w.Model).Count(end.Content)
	return s.store.Write(ctx, scope.Agent, func(tx memory.Tx) error {
		_, err := tx.InsertEvents([]memory.ContextEvent{end})
		return err
	})
}

// toldEnd returns how a session went as a model told it at its end; "" if none did, or if more
// was said since.
func (s *Service) toldEnd(ctx context.Context, w *memory.Window) (string, error) {
	events, err := s.store.Events(ctx, w.Agent, w.Session, endEvents)
	for _, e := range slices.Backward(events) {
		if e.Type == endType && e.ExternalID == endID(w) {
			return e.Content, err
		}
	}
	return "", err
}

// endOf returns a request to summarise the end of a session: its last live turns, with the
// summary of the earlier ones.
func (s *Service) endOf(ctx context.Context, w *memory.Window) (memory.SummaryRequest, error) {
	turns, err := s.store.Turns(ctx, w.Agent, w.Session, max(w.Compacted, w.Turns-closingTurns), 0)
	request := memory.SummaryRequest{
		Turns: s.told(turns), Earlier: w.Summary, MaxTokens: lastTokens, Sentences: lastSentences, Now: s.clock.Here(),
	}
	if request.Earlier == nothingSaid {
		request.Earlier = ""
	}
	return request, err
}

// told returns turns as a summarizer reads them: with times in the user's zone, and without what
// this package has injected; a turn that has nothing else is left out.
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
