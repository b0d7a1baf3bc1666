package consolidate

import (
	"context"
	"errors"
	"slices"

	"mcp-memory/memory"
)

// pass is the state of one call of [Service.SelfCare] that makes summaries, in
// one phase or both.
type pass struct {
	*Service
	Request
	model  *model
	result Result

	made     []memory.Record // summaries of this call that are live
	previous string          // undo id of its last batch
	after    map[Phase]int   // tokens of the summaries that it made
	before   map[Phase]int   // tokens of what they stand for
}

// retries is how often a batch is planned again because its memories changed
// between plan and commit.
const retries = 3

func (p *pass) run(ctx context.Context) (Result, error) {
	p.after, p.before = map[Phase]int{}, map[Phase]int{}
	for _, phase := range []Phase{PhaseMemories, PhaseConversations} {
		if p.Phase != phase && p.Phase != PhaseBoth {
			continue
		}
		err := p.phase(ctx, phase)
		if err != nil && p.previous == "" {
			return Result{}, err
		}
		if err != nil { // an earlier batch was committed: the caller needs its undo_id
			p.result.Problem = memory.Public(err).Error()
			break
		}
		if p.result.BatchID != "" || p.result.Batch != nil {
			break
		}
	}
	return p.resultOfAll(ctx)
}

func (p *pass) phase(ctx context.Context, phase Phase) error {
	if !p.DryRun {
		if err := p.resume(ctx, phase); err != nil {
			return err
		}
	}
	if p.Mode == ModeAgent {
		return p.offer(ctx, phase)
	}
	for try := 0; ; try++ {
		var err error
		if phase == PhaseMemories {
			err = p.memories(ctx)
		} else {
			err = p.conversations(ctx)
		}
		if !errors.Is(err, errStale) {
			return err
		}
		if try == retries {
			return memory.Errorf(memory.CodeConflict, "memories are being changed all the time").WithHint("try again in a moment")
		}
	}
}

// resume finishes the job that an earlier call left in a phase, if there is
// one.
func (p *pass) resume(ctx context.Context, phase Phase) error {
	r, err := p.claim(ctx, p.Agent, phase)
	if err != nil || r == nil {
		return err
	}
	r.model = p.model
	done, err := r.doSteps(ctx)
	if errors.Is(err, errStale) {
		return nil // the caller plans a new batch
	}
	if err != nil {
		return err
	}
	p.addOutcome(done)
	return nil
}

// runBatch stores the job of a planned batch, takes its lease and does its
// steps. A dry run stores nothing and has no lease.
func (p *pass) runBatch(ctx context.Context, r *attempt) (outcome, error) {
	r.Service, r.agent, r.model = p.Service, p.Agent, p.model
	r.work.Focus, r.work.Kinds, r.work.Previous = p.Focus, p.Kinds, p.previous
	j, err := p.newJob(p.Agent, StepPlanned, r.work)
	if err != nil {
		return outcome{}, err
	}
	if r.id = j.ID; !p.DryRun {
		if r.lease, err = p.jobs.Start(ctx, j); err != nil {
			return outcome{}, busy(err)
		}
	}
	done, err := r.doSteps(ctx)
	if err == nil {
		p.addOutcome(done)
	}
	return done, err
}

// addOutcome adds a batch to the result and to the token counts of the call.
func (p *pass) addOutcome(o outcome) {
	if !p.DryRun {
		p.previous = o.undoID
	}
	folded := o.folded
	for _, s := range o.summaries {
		p.made = slices.DeleteFunc(p.made, func(m memory.Record) bool {
			if m.ID != s.Supersedes {
				return false
			}
			// This call made m and has replaced it: m was not there before the
			// call and is not there after it, so its tokens count on neither
			// side.
			n := p.counter.Count(m.Content)
			folded -= n
			p.after[o.Phase] -= n
			return true
		})
		p.made = append(p.made, s)
	}
	p.after[o.Phase] += o.after
	p.before[o.Phase] += o.Tokens + folded
	if o.Phase == PhaseConversations {
		p.result.ConversationsSummarised += o.members()
		p.result.Watermark = o.watermark
	} else {
		p.result.MemoriesArchived += o.members()
	}
}

// resultOfAll returns the result of the call, with the batches added up.
func (p *pass) resultOfAll(ctx context.Context) (Result, error) {
	r := p.result
	for _, s := range p.made {
		one := Summary{s.ID, s.Content, s.Summary.Count}
		if p.DryRun {
			one.ID = ""
		}
		r.Summaries = append(r.Summaries, one)
	}
	if r.Batch == nil {
		for _, phase := range []Phase{PhaseMemories, PhaseConversations} {
			r.TokensBefore += p.before[phase]
			r.TokensAfter += p.after[phase]
		}
		r.ModeUsed = p.model.used()
	}
	r.UndoID = p.previous
	switch {
	case r.BatchID != "":
		r.Status = StatusNeedsSummary
	case p.DryRun && (len(p.made) > 0 || r.Batch != nil):
		r.Status = StatusDryRun
	case len(p.made) > 0:
		r.Status = StatusDone
	default:
		r.Status = StatusNothing
	}
	if r.Watermark.IsZero() {
		value, err := p.store.State(ctx, p.Agent, watermarkKey)
		if err == nil {
			r.Watermark, err = watermarkOf(value)
		}
		if err != nil && p.previous == "" {
			return Result{}, err
		}
	}
	return r, nil
}
