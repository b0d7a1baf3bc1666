package contextwindow

import "mcp-memory/memory"

// Mode is what a job does.
type Mode string

// The modes.
const (
	ModeFlush   Mode = "flush"   // save facts
	ModeCompact Mode = "compact" // save facts, then replace older turns by a summary
)

// plan says what to do with a window. Numbers are indexes of turns.
type plan struct {
	mode     Mode
	from, to int // search from ≤ i < to for facts
	keep     int // replace what is before by the summary
}

// reflush is how much has to come before a window between the two thresholds
// is searched for facts again, in percent of its capacity: each search may
// cost a call of a model.
const reflush = 5

// decide says what a window needs; nil is nothing.
func (s *Service) decide(l liveWindow) *plan {
	set := s.settings
	if set.byMessages() && set.MemoryWindow > 0 && len(l.turns) > set.MemoryWindow {
		if p := s.compaction(l, set.keepMessages(), s.keepRoom(l)); p != nil {
			return p
		}
	}
	if !set.byTokens() {
		return nil
	}
	used := l.percent()
	if used >= set.Compact {
		if p := s.compaction(l, set.KeepLast, s.keepRoom(l)); p != nil {
			return p
		}
	}
	if used >= set.Flush && percent(unflushed(l), l.capacity()) >= reflush {
		return s.flush(l)
	}
	return nil
}

// unflushed counts the live tokens that were not searched for facts.
func unflushed(l liveWindow) int {
	return sum(l.turns[min(max(0, l.window.Flushed-l.window.Compacted), len(l.turns)):])
}

// flush plans to search what was not searched yet; nil if there is none.
func (s *Service) flush(l liveWindow) *plan {
	end := l.window.Compacted + len(l.turns)
	if l.window.Flushed >= end {
		return nil
	}
	return &plan{mode: ModeFlush, from: max(l.window.Flushed, l.window.Compacted), to: end, keep: l.window.Compacted}
}

// compaction plans to keep the last messages, as many as fit into room; nil if
// there are no more.
func (s *Service) compaction(l liveWindow, keep, room int) *plan {
	gone := boundary(l.turns, keep, room)
	if gone == 0 {
		return nil
	}
	w := l.window
	return &plan{mode: ModeCompact, from: max(w.Flushed, w.Compacted), to: w.Compacted + len(l.turns), keep: w.Compacted + gone}
}

// trimmed returns the window of a session that is only cut to its last
// messages, where the settings ask for that.
func (s *Service) trimmed(l liveWindow) (memory.Window, bool) {
	w := l.window
	if !s.settings.byMessages() || s.settings.MemoryWindow > 0 || len(l.turns) <= maxKeep {
		return w, false
	}
	gone := boundary(l.turns, maxKeep, l.capacity())
	w.Compacted += gone
	return w, gone > 0
}
