package contextwindow

import (
	"context"
	"sync"

	"mcp-memory/memory"
)

// liveWindow is the state of a session's window: its row, and of every live turn the size, role
// and calls, which is all that decisions need. Contents are read when they are wanted.
type liveWindow struct {
	window memory.Window // made of defaults if there is no row
	stored bool          // there is a row
	sizes                // of the turns from window.Compacted on
}

// sizes are the sizes of turns, with their sum, so that a call does not have to go through all
// live turns. A copy may grow while the original stays.
type sizes struct {
	turns  []turnSize
	tokens int
}

func (s *sizes) add(turns ...turnSize) {
	s.turns, s.tokens = append(s.turns, turns...), s.tokens+sum(turns)
}

// drop takes the first n away.
func (s *sizes) drop(n int) {
	s.turns, s.tokens = s.turns[n:], s.tokens-sum(s.turns[:n])
}

// turnSize is what decisions need of a turn.
type turnSize struct {
	tokens  int
	role    memory.Role
	calls   bool     // it calls tools
	ids     []string // of its calls
	answers string   // of a tool's message: id of the call that it answers, "" if it does not say
}

func sizeOf(c memory.TokenCounter, t memory.Turn) turnSize {
	size := turnSize{tokens: turnTokens(c, t), role: t.Role}
	if t.Details != nil {
		size.calls, size.answers = len(t.Details.ToolCalls) > 0, t.Details.ToolCallID
		for _, call := range t.Details.ToolCalls {
			if call.ID != "" {
				size.ids = append(size.ids, call.ID)
			}
		}
	}
	return size
}

// sum returns the tokens of turns.
func sum(turns []turnSize) (n int) {
	for _, t := range turns {
		n += t.tokens
	}
	return n
}

func (l liveWindow) capacity() int { return l.window.Total - l.window.Reserve }

// used is what summary and live turns take, uncut.
func (l liveWindow) used() int { return l.window.SummaryTokens + l.tokens }

func (l liveWindow) percent() float64 { return percent(l.used(), l.capacity()) }

// liveCache keeps the sizes of live turns between calls, so that an append
// reads only what other processes have added. Turns never change, so a cache
// can only be short, never wrong.
type liveCache struct {
	mu      sync.Mutex
	entries map[key]*cached
}

// cached is used under its session's lock.
type cached struct {
	from     int // index of the first of sizes
	sizes    sizes
	mirrored int // turns before this index are in the session's file; -1 if that is not known
	replay   int // index after the last turn that the latest call repeated; 0 if it repeated none
}

// maxCached bounds the sessions that are kept in mind.
const maxCached = 512

func (c *liveCache) of(k key) *cached {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[k]
	if e == nil {
		if len(c.entries) >= maxCached {
			clear(c.entries) // all are made again when they are wanted
		}
		e = &cached{mirrored: -1}
		c.entries[k] = e
	}
	return e
}

// load returns the state of a session; it reads only the turns that the cache does not have. The
// caller has the session's lock.
func (s *Service) load(ctx context.Context, k key) (liveWindow, error) {
	w, err := s.store.Window(ctx, k.agent, k.session)
	if err != nil {
		return liveWindow{}, err
	}
	l := liveWindow{stored: w != nil}
	if w != nil {
		l.window = *w
	} else {
		l.window = memory.Window{Agent: k.agent, Session: k.session, Total: s.settings.Total, Reserve: s.settings.Reserve}
	}
	c := s.cache.of(k)
	end := c.from + len(c.sizes.turns)
	if l.window.Compacted < c.from || l.window.Compacted > end || w != nil && w.Turns < end {
		c.from, c.sizes = l.window.Compacted, sizes{}
		end = c.from
	}
	if w == nil || w.Turns > end {
		added, err := s.store.Turns(ctx, k.agent, k.session, end, 0)
		if err != nil {
			return liveWindow{}, err
		}
		counter := s.counter(l.window.Model)
		for _, t := range added {
			c.sizes.add(sizeOf(counter, t))
		}
		end += len(added)
		l.window.Turns = end
	}
	c.sizes.drop(l.window.Compacted - c.from)
	c.from, l.sizes = l.window.Compacted, c.sizes
	return l, nil
}
