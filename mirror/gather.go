package mirror

import (
	"context"
	"maps"
	"slices"
	"sync"

	"mcp-memory/memory"
)

// gatheredMost is how many changed records are held back: they are in memory, and a process
// that is killed has not written them.
const gatheredMost = 2000

// Gathering holds back what transactions change while a file is read in batches: the workspace
// is written now and then and at the end, not with every batch. What a process held back that
// was killed is written when a server starts, as far as [Service.Complete] sees it: what is new,
// and what stands out. Lines of what was erased go at once.
type Gathering struct {
	service *Service
	mu      sync.Mutex
	changed map[string]*noted // by agent
}

// Gather begins to hold back changes.
func (s *Service) Gather() *Gathering {
	return &Gathering{service: s, changed: map[string]*noted{}}
}

// Changed is [Service.Changed], later.
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
	// Made is left at 0: of several transactions it does not tell whether only new records are among them.
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
