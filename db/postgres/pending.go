package postgres

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// sweepEvery is how often all banks are asked for texts that wait for a vector. In between only those are
// asked of which this process knows: in a cluster a question to all banks is one to all nodes, and
// with each save there would be one.
const sweepEvery = 20 * time.Second

// pending are the agents of whom it is known that texts of theirs wait for a vector of one set.
type pending struct {
	mu     sync.Mutex
	agents map[string]bool
	swept  time.Time // by the clock of who asks
	more   bool      // the last sweep ended at its limit
}

// pendingOf returns what is known of a set.
func (s *Store) pendingOf(set int64) *pending {
	p, _ := s.pending.LoadOrStore(set, &pending{agents: map[string]bool{}})
	return p.(*pending)
}

// noteQueued notes that texts of an agent wait, for every set that is open here.
func (s *Store) noteQueued(agent string) {
	s.pending.Range(func(_, p any) bool { p.(*pending).add(agent); return true })
}

func (p *pending) add(agents ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, agent := range agents {
		p.agents[agent] = true
	}
}

// take returns whose turn it is, in their order, and forgets them: who still has something is added
// again. all says that it is time to ask every bank.
func (p *pending) take(now time.Time) (agents []string, all bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	age := now.Sub(p.swept)
	if age < 0 || age >= sweepEvery || p.more && len(p.agents) == 0 {
		return nil, true
	}
	agents = slices.Sorted(maps.Keys(p.agents))
	clear(p.agents)
	return agents, false
}

// sweptAt notes what a question to every bank has found, and whether there may be more.
func (p *pending) sweptAt(now time.Time, agents []string, more bool) {
	p.mu.Lock()
	p.swept, p.more = now, more
	p.mu.Unlock()
	p.add(agents...)
}
