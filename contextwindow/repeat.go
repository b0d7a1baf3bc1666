package contextwindow

import (
	"bytes"
	"context"
	"encoding/json"

	"mcp-memory/memory"
	"mcp-memory/text/injected"
)

// repeated returns how many messages at the start of drafts are repetitions of turns that the
// session has, and the index of the turn that the first of drafts repeats or, with n = 0, will
// have; see the package document for the rule. known is how many turns the session has; replay is
// the index at which the repetition of the latest call ended, 0 for none, as a long history may
// be sent again in several calls.
func (s *Service) repeated(ctx context.Context, k key, known, replay int, drafts []draft) (n, index int, err error) {
	if known == 0 || len(drafts) == 0 {
		return 0, known, nil
	}
	tail, err := s.store.Turns(ctx, k.agent, k.session, max(0, known-len(drafts)), known)
	if err != nil {
		return 0, 0, err
	}
	for n := len(tail); n > 0; n-- {
		before := tail[len(tail)-n:]
		if agree(drafts[:n], before) && (n > 1 || sameTime(drafts[0], before[0])) {
			return n, before[0].Index, nil
		}
	}
	if len(drafts) < 2 {
		return 0, known, nil
	}
	if n, err = s.repeatedFrom(ctx, k, 0, known, drafts); n > 1 || err != nil {
		return n, 0, err
	}
	if replay > 0 { // a long history comes again in several calls
		if n, err = s.repeatedFrom(ctx, k, replay, known, drafts); n > 0 || err != nil {
			return n, replay, err
		}
	}
	return 0, known, nil
}

// afterPrompt returns drafts without the system messages at their start that are not new: the
// session's own first turn, and what this package has made. A history that is sent again after it
// was compacted begins with these.
func (s *Service) afterPrompt(ctx context.Context, k key, drafts []draft) ([]draft, error) {
	if len(drafts) == 0 || drafts[0].Role != memory.RoleSystem {
		return drafts, nil
	}
	first, err := s.store.Turns(ctx, k.agent, k.session, 0, 1)
	if err != nil {
		return nil, err
	}
	for len(drafts) > 0 && drafts[0].Role == memory.RoleSystem {
		d := drafts[0]
		ours := d.Content != "" && injected.Without(d.Content) == ""
		if !ours && (len(first) == 0 || !same(d, first[0])) {
			break
		}
		drafts = drafts[1:]
	}
	return drafts, nil
}

// repeatedFrom returns how many drafts repeat the session's turns from an index on: all drafts,
// or as many as there are turns up to the session's end; 0 if one of these differs.
func (s *Service) repeatedFrom(ctx context.Context, k key, from, known int, drafts []draft) (int, error) {
	n := min(len(drafts), known-from)
	if n < 1 {
		return 0, nil
	}
	stored, err := s.store.Turns(ctx, k.agent, k.session, from, from+n)
	if err != nil || len(stored) < n || !agree(drafts[:n], stored) {
		return 0, err
	}
	return n, nil
}

// agree reports whether messages say the same as turns, one by one.
func agree(drafts []draft, turns []memory.Turn) bool {
	for i, d := range drafts {
		if !same(d, turns[i]) {
			return false
		}
	}
	return true
}

// same reports whether a message may be a repetition of a turn: role, speaker, content, calls and
// the call that it answers are the same, and so are the external id, if the message has one, and
// the time, if both have one.
func same(d draft, t memory.Turn) bool {
	var calls []memory.ToolCall
	answers := ""
	if t.Details != nil {
		calls, answers = t.Details.ToolCalls, t.Details.ToolCallID
	}
	return d.Role == t.Role && d.Speaker == t.Speaker && sameContent(d, t) && d.Details.ToolCallID == answers &&
		(d.ExternalID == "" || d.ExternalID == t.ExternalID) &&
		(!d.timed || t.SaidAt.Equal(t.CreatedAt) || d.SaidAt.Equal(t.SaidAt)) &&
		sameCalls(d.Details.ToolCalls, calls)
}

// sameContent reports whether a message has the turn's content, or what was
// handed back of it because the whole was larger than the window.
func sameContent(d draft, t memory.Turn) bool {
	return d.Content == t.Content || isTruncationOf(d.Content, t.Content)
}

// sameTime reports whether both are known to be of one time.
func sameTime(d draft, t memory.Turn) bool { return d.timed && d.SaidAt.Equal(t.SaidAt) }

// sameCalls compares calls as they are stored: arguments are JSON, which may be
// written in several ways.
func sameCalls(a, b []memory.ToolCall) bool {
	if len(a) != len(b) {
		return false
	}
	if len(a) == 0 {
		return true
	}
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
