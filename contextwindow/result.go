package contextwindow

import (
	"cmp"
	"context"

	"mcp-memory/memory"
)

// Action says what was done about a window.
type Action string

// The actions.
const (
	ActionNone         Action = "none"
	ActionFlushStarted Action = "flush_started" // in the background
	ActionFlushed      Action = "flushed"
	ActionCompacting   Action = "compacting" // in the background
	ActionCompacted    Action = "compacted"
)

// Actions lists every action.
func Actions() []Action {
	return []Action{ActionNone, ActionFlushStarted, ActionFlushed, ActionCompacting, ActionCompacted}
}

// Result says what became of a call, and how full the window is.
type Result struct {
	Session         string
	Appended        int                // messages that were not there before
	Classifications []memory.TurnClass // one a message of the call
	Before          Utilization        // with the messages, before the action
	Utilization     Utilization        // after the action
	Action          Action
	FactsSaved      []string // ids of their records
	Summary         string   // after a compaction
	// Messages replace the history, where it was compacted or cut; also for a
	// call that only repeats the end of a compacted session.
	Messages []Message
	// Differing are external ids that the session has with another content;
	// what was stored first stays.
	Differing []string
	// Problem says why work that was started is not done yet, if it failed.
	Problem string
	// Fallback says which summarizer failed and what took its place.
	Fallback string
}

// addOutcome puts what a job has done into a result; nil is nothing.
func (r *Result) addOutcome(o *outcome) {
	if o == nil {
		return
	}
	r.Action = ActionFlushed
	if o.Mode == ModeCompact {
		r.Action = ActionCompacted
	}
	r.FactsSaved, r.Fallback = append(r.FactsSaved, o.Facts...), cmp.Or(o.Fallback, r.Fallback)
}

// addPending puts a job that is not done into a result. A compaction under way is told unless a
// finished one is; a flush under way only if nothing else is to be told.
func (r *Result) addPending(m Mode) {
	switch {
	case m == ModeCompact && r.Action != ActionCompacted:
		r.Action = ActionCompacting
	case r.Action == ActionNone:
		r.Action = ActionFlushStarted
	}
}

// addWindow measures the window, and adds its messages after a compaction or
// where they were cut. It returns the window.
func (s *Service) addWindow(ctx context.Context, k key, r *Result) (memory.Window, error) {
	l, err := s.load(ctx, k)
	if err != nil {
		return memory.Window{}, err
	}
	if r.Utilization, r.Messages, err = s.measure(ctx, l); err != nil {
		return memory.Window{}, err
	}
	if r.Action == ActionCompacted {
		r.Summary = l.window.Summary
		if r.Messages == nil {
			r.Messages, _, err = s.history(ctx, l.window)
		}
	}
	return l.window, err
}
