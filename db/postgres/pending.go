package postgres

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// sweepEvery is how often VectorJobs looks through all banks for texts that wait for a vector. In
// between it looks only at banks that this process knows to have some: in a cluster a query over
// all banks goes to all nodes, and every save would cause one.
const sweepEvery = 20 * time.Second

// pending are the agents that are known to have texts waiting for a vector of one set.
type pending struct {
	mu     sync.Mutex
	agents map[string]bool
	swept  time.Time // when all banks were last looked through, by the caller's clock
	more   bool      // the last sweep found as many texts as it was to return
}

// pendingOf returns the pending agents of the vector set with an id.
func (s *Store) pendingOf(set int64) *pending {
	p, _ := s.pending.LoadOrStore(set, &pending{agents: map[string]bool{}})
	return p.(*pending)
}

// noteQueued notes in every vector set that is open here that an agent has texts waiting.
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

// take returns the pending agents, sorted, and forgets them. The caller adds those again that still
// have texts waiting. If all is true, it returns and forgets none: it is time for a sweep through
// all banks.
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

// sweptAt notes the result of a sweep: the agents that have texts waiting, and whether there may be
// more.
func (p *pending) sweptAt(now time.Time, agents []string, more bool) {
	p.mu.Lock()
	p.swept, p.more = now, more
	p.mu.Unlock()
	p.add(agents...)
}
