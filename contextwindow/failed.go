package contextwindow

import (
	"context"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/text/failing"
)

// Failed keeps at once that a call of a tool failed in a session, with c.Error as
// the reason, as a learning. When the turn of the call is searched for facts later,
// it is the same learning and does not count again: the call's id tells. Without a
// reason or a name there is nothing to keep.
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

// learning is a request to keep a failure, number n of a turn. What the user had asked
// for is beside it.
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
