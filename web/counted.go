package web

import (
	"sync"
	"time"

	"mcp-memory/memory"
)

// countsLife is how long what a bank holds is taken to be right while nothing is written to it. Vectors are
// made without a write.
const countsLife = 5 * time.Second

// counted remembers what banks hold: where a hundred thousand texts wait for their vectors, counting
// them takes as long as all else of a page together, and every open page asks again.
type counted struct {
	mu    sync.Mutex
	known map[string]countedBank // by agent
}

type countedBank struct {
	version string
	at      time.Time
	stats   memory.Stats
}

// stats are those of the bank of a scope. Whoever asks may see the whole bank.
func (v *visit) stats(scope memory.Scope) (memory.Stats, error) {
	version, err := v.site.o.Start.Version(v.context(), scope)
	if err != nil {
		return memory.Stats{}, err
	}
	c := &v.site.counted
	c.mu.Lock()
	last, known := c.known[scope.Agent]
	c.mu.Unlock()
	if known && last.version == version && time.Since(last.at) < countsLife {
		return last.stats, nil
	}
	stats, err := v.site.o.Counter.Stats(v.context(), scope.Agent)
	if err != nil {
		return stats, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.known = map[string]countedBank{}
	}
	c.known[scope.Agent] = countedBank{version, time.Now(), stats}
	return stats, nil
}
