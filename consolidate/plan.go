package consolidate

import (
	"context"
	"slices"

	"mcp-memory/memory"
)

// memories summarises batch after batch while at least [MinMemories] are left,
// within the bounds of a call.
func (p *pass) memories(ctx context.Context) error {
	b, total, err := p.look(ctx)
	if err != nil {
		return err
	}
	p.result.MemoriesConsidered = max(p.result.MemoriesConsidered, total)
	for total >= MinMemories {
		r := p.planMemories(b)
		if r == nil {
			return nil
		}
		done, err := p.runBatch(ctx, r)
		if err != nil {
			return err
		}
		taken := b.apply(done)
		total -= taken
		if p.model.remote {
			return nil // models are slow: the next call does the next batch
		}
	}
	return nil
}

// look returns the bank with the memories on the focus, and how many memories
// there are, on the focus or not.
func (p *pass) look(ctx context.Context) (*bank, int, error) {
	b := &bank{size: p.counter.Count}
	for _, k := range p.Kinds {
		list, _, err := p.store.List(ctx, memory.CatalogFilter{Agent: p.Agent, Kind: k, Now: p.now()})
		if err != nil {
			return nil, 0, err
		}
		b.memories = append(b.memories, list...)
	}
	b.memories = slices.DeleteFunc(b.memories, func(r memory.Record) bool { return !untouched(r) })
	sortByAge(b.memories)
	total := len(b.memories)
	b.memories = focused(b.memories, p.Focus, p.table)
	var err error
	b.summaries, err = p.summaries(ctx, p.Agent)
	return b, total, err
}

// summaries returns the live summaries of a bank, newest first.
func (s *Service) summaries(ctx context.Context, agent string) ([]memory.Record, error) {
	list, _, err := s.store.List(ctx, memory.CatalogFilter{Agent: agent, Kind: memory.KindSummary, Now: s.now()})
	return slices.DeleteFunc(list, func(r memory.Record) bool { return r.Summary == nil }), err
}

// batch returns those of the first most records that fit into tokens tokens,
// and how many tokens they have. A record that does not fit is left out, so
// that it does not block the younger ones.
func (s *Service) batch(records []memory.Record, most, tokens int) (list []memory.Record, total int) {
	for _, r := range records[:min(len(records), most)] {
		n := s.counter.Count(memoryText(r))
		if total+n <= tokens {
			list, total = append(list, r), total+n
		}
	}
	return list, total
}

// planMemories plans a batch of the oldest memories, or returns nil. The
// summaries that it folds in count as read too, so it shrinks the batch until
// all fits into what is left of [MaxBefore].
func (p *pass) planMemories(b *bank) *attempt {
	left := MaxBefore - p.before[PhaseMemories]
	for room := left; room > 0; {
		batch, _ := p.batch(b.memories, MaxMemories, room)
		groups := p.fit(b.themes(batch, p.Focus), PhaseMemories)
		if len(groups) == 0 {
			return nil
		}
		r := &attempt{records: map[string]memory.Record{}, earlier: map[string]memory.Record{}}
		r.work = work{Phase: PhaseMemories, Groups: groups}
		folded := 0
		for _, g := range groups {
			for _, id := range g.Members {
				one := batch[slices.IndexFunc(batch, func(m memory.Record) bool { return m.ID == id })]
				r.records[id] = one
				r.work.Tokens += p.counter.Count(memoryText(one))
			}
			if e := b.summary(g.Earlier); e != nil {
				r.earlier[e.ID] = *e
				folded += p.counter.Count(e.Content)
			}
		}
		over := r.work.Tokens + folded - left
		if over <= 0 {
			return r
		}
		room -= over
	}
	return nil
}

// fit divides the tokens that are left of [MaxAfter] among the groups, as upper
// limits for their summaries. It drops groups that would get fewer than
// [leastTokens]: they wait for the next call.
func (p *pass) fit(groups []group, phase Phase) []group {
	left := MaxAfter - p.after[phase]
	groups = groups[:min(len(groups), max(0, left/leastTokens))]
	for i := range groups {
		groups[i].Most = min(groups[i].Most, left/len(groups))
	}
	return groups
}

// apply updates the bank after a batch: it removes the members and the earlier
// summaries, and adds the new summaries. It returns how many memories it
// removed.
func (b *bank) apply(o outcome) int {
	gone := map[string]bool{}
	for _, g := range o.Groups {
		gone[g.Earlier] = true
		for _, id := range g.Members {
			gone[id] = true
		}
	}
	before := len(b.memories)
	taken := func(r memory.Record) bool { return gone[r.ID] }
	b.memories = slices.DeleteFunc(b.memories, taken)
	made := slices.Clone(o.summaries)
	slices.Reverse(made) // the newest first, as there
	b.summaries = append(made, slices.DeleteFunc(b.summaries, taken)...)
	return before - len(b.memories)
}
