package contextwindow

import (
	"context"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/text/failing"
)

// Failed saves at once that a call of a tool failed in a session, as a learning with c.Error as
// the reason. If the call has an id, the turn of the call gives the same learning when it is
// searched for facts later, and does not count again. Nothing is saved if the tool has no name or
// the reason is blank.
func (s *Service) Failed(ctx context.Context, scope memory.Scope, session string, c memory.ToolCall) error {
	if err := checkSession(session); err != nil {
		return err
	}
	f := failure{c.ToolUse(), failedPrefix + strings.TrimPrefix(strings.TrimSpace(c.Error), failedPrefix), c.ID}
	if strings.TrimSpace(c.Name) == "" || shortened(c.Error, maxReasonRunes) == "" {
		return nil
	}
	t := memory.Turn{ID: s.ids.New(), Session: session, SaidAt: s.now()}
	_, err := s.remember.Save(ctx, scope, f.learning(t, 0, ""))
	return err
}

// learning returns a request to save a failure, number n of a turn, as a learning. asked is what
// the user had asked for, which becomes the context.
func (f failure) learning(t memory.Turn, n int, asked string) remember.SaveRequest {
	r := learning(t, n, f.tool+" failed: "+stable(shortened(failing.Telling(f.reason), maxReasonRunes)), memory.LearningDetails{
		Type: memory.LearningError, Tool: f.tool, Context: shortened(asked, maxEventRunes),
	})
	if f.call != "" {
		r.IdempotencyKey, r.Once = "learning/"+memory.SessionTag(t.Session)+"/"+f.call, true
	}
	return r
}

// failedPrefix is what the result of a call that failed begins with in a transcript
// (package transcripts), so that both ways lead to the same learning.
const failedPrefix = "Error: "
