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
	from, to int // search the turns from ≤ i < to for facts
	keep     int // replace the turns before it by the summary
}

// reflush is how much unsearched text a window between the two thresholds must have before it is
// searched for facts again, in percent of its capacity: each search may cost a call of a model.
const reflush = 5

// decide returns what the settings want done about a window; nil for nothing.
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

// flush returns a plan to search all live turns that were not searched for facts yet; nil if
// there are none.
func (s *Service) flush(l liveWindow) *plan {
	end := l.window.Compacted + len(l.turns)
	if l.window.Flushed >= end {
		return nil
	}
	return &plan{mode: ModeFlush, from: max(l.window.Flushed, l.window.Compacted), to: end, keep: l.window.Compacted}
}

// compaction returns a plan to keep the last keep messages, as far as they fit into room tokens,
// and to replace the others by a summary; nil if there are no others.
func (s *Service) compaction(l liveWindow, keep, room int) *plan {
	gone := boundary(l.turns, keep, room)
	if gone == 0 {
		return nil
	}
	w := l.window
	return &plan{mode: ModeCompact, from: max(w.Flushed, w.Compacted), to: w.Compacted + len(l.turns), keep: w.Compacted + gone}
}

// trimmed returns a window cut to its last 10 messages, without facts or summary, if the settings
// ask for that (trigger "messages" or "both", and a MemoryWindow of 0). It is false if nothing is
// to be cut.
func (s *Service) trimmed(l liveWindow) (memory.Window, bool) {
	w := l.window
	if !s.settings.byMessages() || s.settings.MemoryWindow > 0 || len(l.turns) <= maxKeep {
		return w, false
	}
	gone := boundary(l.turns, maxKeep, l.capacity())
	w.Compacted += gone
	return w, gone > 0
}
