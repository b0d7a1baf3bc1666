package consolidate

import (
	"context"
	"errors"
	"slices"

	"mcp-memory/memory"
)

// offer puts a batch into the result for the agent to summarise, if there is
// enough for one. It is the batch that waits already, if it has the same focus
// and kinds and is not stale, else a new one. A dry run always plans a new one,
// and does not store it.
func (p *pass) offer(ctx context.Context, phase Phase) error {
	if !p.DryRun {
		if known, err := p.waiting(ctx, phase); err != nil || known {
			return err
		}
	}
	r, err := p.planOffer(ctx, phase)
	if err != nil || r == nil {
		return err
	}
	r.Service, r.agent = p.Service, p.Agent
	r.work.Focus, r.work.Kinds = p.Focus, p.Kinds
	if p.DryRun {
		p.showBatch(r)
		return nil
	}
	j, err := p.newJob(p.Agent, StepWaiting, r.work)
	if err != nil {
		return err
	}
	r.id = j.ID
	if err := p.jobs.Put(ctx, j); err != nil {
		return busy(err)
	}
	p.showBatch(r)
	return nil
}

// waiting puts the batch that waits for the agent's summary into the result. It
// reports whether there is one that fits the request and is not stale.
func (p *pass) waiting(ctx context.Context, phase Phase) (bool, error) {
	if phase == PhaseMemories { // MemoriesConsidered is set in any case
		_, total, err := p.look(ctx)
		if err != nil {
			return false, err
		}
		p.result.MemoriesConsidered = total
	}
	jobs, err := p.store.Jobs(ctx, p.Agent, jobKind)
	if err != nil {
		return false, err
	}
	for _, j := range jobs {
		if j.Subject != string(phase) || j.Step != StepWaiting {
			continue
		}
		r, err := p.attemptOf(p.jobs.Optimistic(j))
		if err != nil {
			return false, err
		}
		if r.work.Focus != p.Focus || !slices.Equal(r.work.Kinds, p.Kinds) {
			return false, nil
		}
		err = r.read(ctx)
		if errors.Is(err, errStale) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		for _, one := range r.records {
			if !untouched(one) {
				return false, nil
			}
		}
		for _, one := range r.earlier {
			if !one.Live() {
				return false, nil
			}
		}
		p.showBatch(r)
		return true, nil
	}
	return false, nil
}

// planOffer plans a batch for the agent, or returns nil if there is too little.
// The batch has one group, because the agent writes one summary: that of the
// project with the most memories or turns. Its members have at most
// [MaxAgentTokens] together, unless it is a single turn that is longer.
func (p *pass) planOffer(ctx context.Context, phase Phase) (*attempt, error) {
	if phase == PhaseConversations {
		r, err := p.planTurns(ctx, MaxMemories, MaxAgentTokens)
		if err != nil || r == nil {
			return nil, err
		}
		return p.only(r), nil
	}
	b, total, err := p.look(ctx)
	if err != nil {
		return nil, err
	}
	p.result.MemoriesConsidered = total
	if total < MinMemories {
		return nil, nil
	}
	count, project := map[string]int{}, ""
	for _, r := range b.memories {
		count[r.Project]++
	}
	for _, r := range b.memories { // in a tie, the project with the oldest memory
		if count[r.Project] > count[project] {
			project = r.Project
		}
	}
	of := slices.DeleteFunc(slices.Clone(b.memories), func(r memory.Record) bool { return r.Project != project })
	batch, tokens := p.batch(of, MaxMemories, MaxAgentTokens)
	if len(batch) < alone {
		return nil, nil
	}
	r := &attempt{records: map[string]memory.Record{}, earlier: map[string]memory.Record{}}
	g := group{Project: project, Category: commonest(batch)}
	for _, one := range batch {
		g.Members = append(g.Members, one.ID)
		r.records[one.ID] = one
	}
	if p.Focus != "" { // without one no earlier summary has the theme of the batch
		if e := b.earlier(memory.Memories, project, "", p.Focus); e != nil {
			g.Earlier, r.earlier[e.ID] = e.ID, *e
		}
	}
	r.work = work{Phase: phase, Groups: []group{g}, Tokens: tokens}
	return r, nil
}

// only returns an attempt at just the group of r that has the most members.
func (p *pass) only(r *attempt) *attempt {
	g := slices.MaxFunc(r.work.Groups, func(a, b group) int { return len(a.Members) - len(b.Members) })
	turns, earlier := map[string]memory.Turn{}, map[string]memory.Record{}
	w := work{Phase: r.work.Phase, Groups: []group{g}}
	for _, id := range g.Members {
		t := r.turns[id]
		turns[id] = t
		w.Tokens += p.counter.Count(turnText(t))
		if t.SaidAt.After(w.Until) {
			w.Until = t.SaidAt
		}
	}
	if e, ok := r.earlier[g.Earlier]; ok {
		earlier[e.ID] = e
	}
	return &attempt{work: w, turns: turns, earlier: earlier}
}

// showBatch puts a batch into the result.
func (p *pass) showBatch(r *attempt) {
	p.result.Phase, p.result.BatchID, p.result.TokensBefore = r.work.Phase, r.id, r.work.Tokens
	p.result.ModeUsed = ModeAgent
	g := r.work.Groups[0]
	if e, ok := r.earlier[g.Earlier]; ok {
		p.result.Earlier = e.Content
		p.result.TokensBefore += p.counter.Count(e.Content)
	}
	for _, id := range g.Members {
		if t, ok := r.turns[id]; ok {
			p.result.Batch = append(p.result.Batch, entry(id, turnText(t), t.SaidAt))
		} else {
			one := r.records[id]
			p.result.Batch = append(p.result.Batch, entry(id, memoryText(one), one.EventTime()))
		}
	}
}

// submit commits the agent's summary of a batch.
func (s *Service) submit(ctx context.Context, q Request) (Result, error) {
	r, err := s.openBatch(ctx, q)
	if err != nil {
		return Result{}, err
	}
	g := &r.work.Groups[0]
	g.Summary, g.By = q.Summary, string(ModeAgent)
	err = r.read(ctx)
	var done outcome
	if err == nil {
		done, err = r.commit(ctx)
	}
	if errors.Is(err, errStale) {
		if err := r.drop(ctx); err != nil {
			return Result{}, err
		}
		return Result{}, memory.Errorf(memory.CodeConflict, "batch %s is stale: what it is about was changed meanwhile", q.BatchID).
			WithAdvice(memory.Advice{Tool: "call self_care with mode agent for the batch as it is",
				Command: "`mcp-memory self-care --mode agent` prints the batch as it is"})
	}
	if err != nil {
		return Result{}, busy(err)
	}
	p := &pass{Service: s, Request: q, model: &model{Service: s}, after: map[Phase]int{}, before: map[Phase]int{}}
	p.result.Phase, p.result.MemoriesConsidered = r.work.Phase, len(r.records)
	p.addOutcome(done)
	result, err := p.resultOfAll(ctx)
	result.ModeUsed = ModeAgent
	return result, err
}

// openBatch returns the batch with the id q.BatchID that waits for a summary.
// It returns a [memory.CodeConflict] if the batch was summarised already, and
// [memory.CodeNotFound] if there is none.
func (s *Service) openBatch(ctx context.Context, q Request) (*attempt, error) {
	var waiting *memory.Job
	err := s.store.Write(ctx, q.Agent, func(tx memory.Tx) error {
		for _, phase := range []Phase{PhaseMemories, PhaseConversations} {
			j, err := tx.Job(jobKind, string(phase))
			if err != nil {
				return err
			}
			if j != nil && j.ID == q.BatchID && j.Step == StepWaiting {
				waiting = j
				return nil
			}
		}
		if u, err := tx.Undo(q.BatchID); err == nil && u.Action == jobKind {
			return memory.Errorf(memory.CodeConflict, "batch %s was summarised already", q.BatchID).
				WithAdvice(memory.Advice{Tool: "call self_care for the next one",
					Command: "`mcp-memory self-care --mode agent` prints the next one"})
		}
		return memory.Errorf(memory.CodeNotFound, "there is no batch %q", q.BatchID).
			WithAdvice(memory.Advice{Tool: "call self_care with mode agent: it returns a batch with its batch_id",
				Command: "`mcp-memory self-care --mode agent` prints a batch with its id"})
	})
	if err != nil {
		return nil, err
	}
	return s.attemptOf(s.jobs.Optimistic(*waiting))
}
