package contextwindow

import (
	"context"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/text/lazyregexp"
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
	r := learning(t, n, f.tool+" failed: "+stable(shortened(telling(f.reason), maxReasonRunes)), memory.LearningDetails{
		Type: memory.LearningError, Tool: f.tool, Context: shortened(asked, maxEventRunes),
	})
	if f.call != "" {
		r.IdempotencyKey, r.Once = "learning/"+memory.SessionTag(t.Session)+"/"+f.call, true
	}
	return r
}

// bareFailure is a line that says that something failed and not why, and giveaway what a
// line has that says it.
var (
	bareFailure = lazyregexp.New(`(?i)^(?:error:? *)?(?:exit (?:code|status):? *-?\d+|(?:process|command)? ?(?:exited|failed)(?: with)?(?: exit)?(?: (?:code|status):? *-?\d+)?|traceback \(most recent call last\):|error:?|stderr:?|stdout:?|fail(?:ed|ure)?:?|chunk id: .*|wall time: .*|output:?)\.?$`)
	giveaway    = lazyregexp.New(`(?i)\b(?:not found|no such|cannot|can't|could not|unable|denied|refused|fatal|panic|undefined|unexpected|expected|missing|invalid|unknown|timed? ?out|conflict|already exists|permission|\w*error\b|\w*exception\b|failed|unauthorized|forbidden|too (?:large|long|many)|not (?:a|an|allowed|supported|installed))`)
)

// telling is the part of what a failed call returned that says why it failed, from that line
// on.
func telling(reason string) string {
	lines := strings.Split(strings.ReplaceAll(reason, "\r\n", "\n"), "\n")
	traced := false
	for i, line := range lines {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case bareFailure().MatchString(line):
			traced = traced || strings.HasSuffix(line, "last):")
		default:
			rest := lines[i:]
			if traced { // the last line of a trace says it
				slices.Reverse(rest)
			}
			if i == 0 {
				return reason
			}
			for k, one := range rest {
				if giveaway().MatchString(one) {
					return strings.Join(rest[k:], "\n")
				}
			}
			return strings.Join(rest, "\n")
		}
	}
	return reason
}

// failedPrefix is what the result of a call that failed begins with in a transcript
// (package transcripts), so that both ways lead to the same learning.
const failedPrefix = "Error: "
