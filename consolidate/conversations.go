package consolidate

import (
	"context"

	"mcp-memory/memory"
)

const (
	// mostTurns is how many turns one call summarises at most.
	mostTurns = 5000
	// A part of a conversation, which is summarised in one step, has at most so
	// many turns and tokens.
	partTurns  = 500
	partTokens = 20_000
)

// conversations summarises the older turns, if there are enough.
func (p *pass) conversations(ctx context.Context) error {
	r, err := p.planTurns(ctx, mostTurns, MaxBefore)
	if err != nil || r == nil {
		return err
	}
	_, err = p.runBatch(ctx, r)
	return err
}

// planTurns plans a batch of the oldest turns that are not archived: at most
// most turns with at most tokens tokens, of which the earlier summaries use up
// to half. It returns nil if there are too few turns.
func (p *pass) planTurns(ctx context.Context, most, tokens int) (*attempt, error) {
	_, total, err := p.store.UnarchivedTurns(ctx, p.Agent, 0)
	if err != nil {
		return nil, err
	}
	take := total
	switch {
	case p.Phase == PhaseConversations && total >= MinMemories:
	case total > MaxTurns:
		take -= KeptTurns
	default:
		return nil, nil
	}
	turns, _, err := p.store.UnarchivedTurns(ctx, p.Agent, min(take, most))
	if err != nil {
		return nil, err
	}
	b := &bank{}
	if b.summaries, err = p.summaries(ctx, p.Agent); err != nil {
		return nil, err
	}
	folded := 0
	for _, one := range b.summaries {
		if one.Summary.Of == string(memory.Conversations) {
			folded += p.counter.Count(one.Content)
		}
	}
	r := p.groupTurns(b, turns, max(tokens-folded, tokens/2))
	r.work.Groups = p.fit(r.work.Groups, PhaseConversations)
	if len(r.work.Groups) == 0 {
		return nil, nil
	}
	for _, g := range r.work.Groups {
		for _, id := range g.Members {
			r.work.Tokens += p.counter.Count(turnText(r.turns[id]))
			if at := r.turns[id].SaidAt; at.After(r.work.Until) {
				r.work.Until = at
			}
		}
		if e := b.summary(g.Earlier); e != nil {
			r.earlier[e.ID] = *e
		}
	}
	return r, nil
}

// groupTurns makes one group of turns for each project and cuts it into parts.
// All together have at most tokens tokens. The first turn is taken however long
// it is: turns are taken in order, so it would block all that follow.
func (p *pass) groupTurns(b *bank, turns []memory.Turn, tokens int) *attempt {
	r := &attempt{turns: map[string]memory.Turn{}, earlier: map[string]memory.Record{}}
	r.work.Phase = PhaseConversations
	place := map[string]int{} // project → its group
	sizes := map[string]int{} // project → tokens of its last part
	total := 0
	for _, t := range turns {
		n := p.counter.Count(turnText(t))
		if total > 0 && total+n > tokens {
			break
		}
		total += n
		i, ok := place[t.Project]
		if !ok {
			i = len(r.work.Groups)
			place[t.Project] = i
			g := group{Project: t.Project, Category: memory.CategoryOther, Most: conversationTokens, Parts: []int{0}}
			if e := b.earlier(memory.Conversations, t.Project, "", ""); e != nil {
				g.Earlier = e.ID
			}
			r.work.Groups = append(r.work.Groups, g)
		}
		g := &r.work.Groups[i]
		last := len(g.Parts) - 1
		start := 0
		if last > 0 {
			start = g.Parts[last-1]
		}
		if size := g.Parts[last] - start; size == partTurns || size > 0 && sizes[t.Project]+n > partTokens {
			g.Parts = append(g.Parts, g.Parts[last])
			last, sizes[t.Project] = last+1, 0
		}
		g.Members = append(g.Members, t.ID)
		g.Parts[last]++
		sizes[t.Project] += n
		r.turns[t.ID] = t
	}
	return r
}

// read loads the members and the earlier summaries of a batch, unless they are
// known from planning it.
func (r *attempt) read(ctx context.Context) error {
	if r.records != nil || r.turns != nil {
		return nil
	}
	var members, earlier []string
	for _, g := range r.work.Groups {
		members = append(members, g.Members...)
		if g.Earlier != "" {
			earlier = append(earlier, g.Earlier)
		}
	}
	var err error
	if r.earlier, err = r.load(ctx, earlier); err != nil {
		return err
	}
	if r.work.Phase == PhaseMemories {
		r.records, err = r.load(ctx, members)
		return err
	}
	r.turns, err = r.loadTurns(ctx, members)
	return err
}

// load returns records by id. It returns [errStale] if one does not exist.
func (r *attempt) load(ctx context.Context, ids []string) (map[string]memory.Record, error) {
	list, err := r.store.Records(ctx, r.agent, ids)
	if err != nil {
		return nil, err
	}
	byID := map[string]memory.Record{}
	for _, one := range list {
		byID[one.ID] = one
	}
	if len(byID) < len(ids) {
		return nil, errStale
	}
	return byID, nil
}

// loadTurns returns turns by id, or [errStale] if one is not there or archived.
// They are among the oldest unarchived turns, but turns with an earlier time
// may have arrived since. So it reads more of the oldest turns until it has
// them all.
func (r *attempt) loadTurns(ctx context.Context, ids []string) (map[string]memory.Turn, error) {
	wanted := map[string]bool{}
	for _, id := range ids {
		wanted[id] = true
	}
	for limit := len(ids); ; limit *= 2 {
		turns, total, err := r.store.UnarchivedTurns(ctx, r.agent, limit)
		if err != nil {
			return nil, err
		}
		byID := map[string]memory.Turn{}
		for _, t := range turns {
			if wanted[t.ID] {
				byID[t.ID] = t
			}
		}
		if len(byID) == len(wanted) {
			return byID, nil
		}
		if limit >= total {
			return nil, errStale
		}
	}
}
