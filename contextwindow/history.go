package contextwindow

import (
	"context"

	"mcp-memory/memory"
	"mcp-memory/text/injected"
)

// summaryMessage is the summary of what was compacted, as the model gets it.
func summaryMessage(summary string) Message {
	return Message{Role: memory.RoleSystem, Content: injected.Block(injected.Summary, "Summary of the conversation so far:\n"+summary)}
}

// History returns the messages that a session's window holds: after a
// compaction, what replaces the history that was reported. Errors are those of
// [Service.Status].
func (s *Service) History(ctx context.Context, scope memory.Scope, session string) ([]Message, error) {
	if err := checkSession(session); err != nil {
		return nil, err
	}
	k := key{scope.Agent, session}
	defer s.lock(k)()
	l, err := s.known(ctx, k)
	if err != nil {
		return nil, err
	}
	messages, _, err := s.history(ctx, l.window)
	return messages, err
}

// history returns the messages that a window holds: the summary and the live
// turns, cut where they are larger than the window, and what they take.
func (s *Service) history(ctx context.Context, w memory.Window) ([]Message, int, error) {
	turns, err := s.store.Turns(ctx, w.Agent, w.Session, w.Compacted, 0)
	if err != nil {
		return nil, 0, err
	}
	counter := s.counter(w.Model)
	messages, sizes, total := make([]Message, len(turns)), make([]int, len(turns)), 0
	for i, t := range turns {
		messages[i], sizes[i] = messageOf(t), turnTokens(counter, t)
		total += sizes[i]
	}
	room := w.Total - w.Reserve - w.SummaryTokens
	if total > room {
		if fitted, taken, ok := fit(counter, messages, sizes, room); ok {
			messages, total = fitted, 0
			for _, n := range taken {
				total += n
			}
		}
	}
	if w.Summary != "" {
		messages = append([]Message{summaryMessage(w.Summary)}, messages...)
	}
	return messages, total + w.SummaryTokens, nil
}

// measure returns how full a window is. If it is over its capacity and a compaction could remove
// nothing more, its messages are truncated: then cut has the truncated messages, and u measures
// these.
func (s *Service) measure(ctx context.Context, l liveWindow) (u Utilization, cut []Message, err error) {
	stuck := s.stuck(l)
	if !stuck || l.used() <= l.capacity() {
		return s.settings.utilization(l.window, l.used(), len(l.turns), stuck), nil, nil
	}
	cut, used, err := s.history(ctx, l.window)
	if err != nil {
		return u, nil, err
	}
	u = s.settings.utilization(l.window, used, len(l.turns), stuck)
	u.Recommendation = RecommendEmergency
	return u, cut, nil
}

// stuck reports whether a compaction would leave the live turns as they are.
func (s *Service) stuck(l liveWindow) bool {
	return boundary(l.turns, s.settings.KeepLast, s.keepRoom(l)) == 0
}

// summaryLimit returns how long a summary may be, in tokens as a message: an eighth of the
// window's capacity, but at least 96 and at most 2000.
func (s *Service) summaryLimit(l liveWindow) int { return min(max(l.capacity()/8, 96), 2000) }

// keepRoom returns how many tokens of live turns a compaction may keep, so that they and the
// longest summary fit into the window.
func (s *Service) keepRoom(l liveWindow) int { return l.capacity() - s.summaryLimit(l) }
