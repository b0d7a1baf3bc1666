package web

import (
	"sync"
	"time"

	"mcp-memory/memory"
)

// countsLife is how long the counts of a bank are cached while its version stays the same. They
// still have to expire, because making vectors changes the counts but not the version.
const countsLife = 5 * time.Second

// counted caches the [memory.Stats] of banks. With a hundred thousand texts waiting for their
// vectors, counting them takes as long as the rest of a page, and every open page asks again and
// again.
type counted struct {
	mu    sync.Mutex
	known map[string]countedBank // by agent
}

type countedBank struct {
	version string
	at      time.Time
	stats   memory.Stats
}

// stats returns the counts of the scope's whole bank, not only of its project. The caller has
// checked that the visitor may see the whole bank.
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
