package mirror

import (
	"context"
	"maps"
	"slices"
	"sync"

	"mcp-memory/memory"
)

// gatheredMost is from how many changed records and to-dos of an agent on they are written: what
// is held back is in memory only, and a process that is killed has not written it.
const gatheredMost = 2000

// Gathering holds back what transactions change during an import, so that the files are written
// now and then and at the end, not after every batch. If the process is killed,
// [Service.Complete] writes what was held back when a server starts, as far as it looks: what is
// new, and what stands out. Lines of erased records are taken out at once.
type Gathering struct {
	service *Service
	mu      sync.Mutex
	changed map[string]*noted // by agent
}

// Gather begins to hold back changes.
func (s *Service) Gather() *Gathering {
	return &Gathering{service: s, changed: map[string]*noted{}}
}

// Changed holds changes back; it passes them on to [Service.Changed] when they are many, or if a
// record was erased.
func (g *Gathering) Changed(ctx context.Context, agent string, changes Changes) {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := g.changed[agent]
	if all == nil {
		all = newNoted()
		g.changed[agent] = all
	}
	for _, r := range changes.Records {
		all.note(r)
	}
	all.Todos = append(all.Todos, changes.Todos...)
	// Made stays 0: with several transactions together it would not tell whether all records are
	// new.
	erased := slices.ContainsFunc(changes.Records, func(r memory.Record) bool { return r.Kind == "" })
	if erased || len(all.Records)+len(all.Todos) >= gatheredMost {
		g.write(ctx, agent)
	}
}

// Flush writes what is held back.
func (g *Gathering) Flush(ctx context.Context) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, agent := range slices.Sorted(maps.Keys(g.changed)) {
		g.write(ctx, agent)
	}
}

func (g *Gathering) write(ctx context.Context, agent string) {
	changes := g.changed[agent].Changes
	delete(g.changed, agent)
	g.service.Changed(ctx, agent, changes)
}
