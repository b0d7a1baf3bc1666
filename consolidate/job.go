package consolidate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"mcp-memory/internal/job"
	"mcp-memory/memory"
)

// jobKind is the kind of this package's jobs, the action of its undo entries,
// and the reason with which originals are archived. The subject of a job is its
// phase, so an agent has at most one job in each phase.
const jobKind = memory.WhySelfCare

// The steps of a job; see the package document.
const (
	StepPlanned    = "planned"
	StepSummarised = "summarised" // recorded after each part of each summary
	StepCommitted  = "committed"  // never stored, because the commit deletes the job
	StepWaiting    = "waiting"    // waits for the agent's own summary
)

// work is the JSON data of a job: the batch, and the summaries made so far.
type work struct {
	Phase    Phase         `json:"phase"`
	Focus    string        `json:"focus,omitempty"`
	Kinds    []memory.Kind `json:"kinds,omitempty"`
	Groups   []group       `json:"groups"`
	Tokens   int           `json:"tokens"`             // of all members
	Until    time.Time     `json:"until,omitzero"`     // when the newest turn of the batch was said
	Previous string        `json:"previous,omitempty"` // undo id of the call's batch before it
}

// of returns the corpus that the phase summarises.
func (w *work) of() memory.Corpus {
	if w.Phase == PhaseConversations {
		return memory.Conversations
	}
	return memory.Memories
}

// members returns how many memories or turns the batch has.
func (w *work) members() (n int) {
	for _, g := range w.Groups {
		n += len(g.Members)
	}
	return n
}

// errStale tells that memories of a batch changed after it was planned.
var errStale = errors.New("the batch is stale")

// errBusy returns the error of a call that finds its job leased to another
// call, or that lost the lease.
func errBusy() error {
	return memory.Errorf(memory.CodeConflict, "another call does self-care at the moment").
		WithHint("try again in a minute; what it does not finish is finished then")
}

// attempt is one try at finishing a job, by whoever holds its lease.
type attempt struct {
	*Service
	agent string
	id    string // of the job
	model *model
	lease *job.Lease // nil in a dry run, which writes nothing
	work  work

	records map[string]memory.Record // members by id, in PhaseMemories
	turns   map[string]memory.Turn   // members by id, in PhaseConversations
	earlier map[string]memory.Record // summaries to be folded in, by id
}

// newJob returns a job for w that is not stored yet.
func (s *Service) newJob(agent, step string, w work) (memory.Job, error) {
	return s.jobs.Draft(agent, string(w.Phase), step, w)
}

// claim takes the lease of the job that an earlier call left in a phase. It
// returns nil if there is none, or if it waits for the agent's summary.
func (s *Service) claim(ctx context.Context, agent string, p Phase) (*attempt, error) {
	lease, err := s.jobs.Take(ctx, agent, string(p))
	if lease == nil || err != nil {
		return nil, busy(err)
	}
	r, err := s.attemptOf(lease)
	if err != nil {
		return nil, errors.Join(err, lease.Release(ctx))
	}
	return r, nil
}

// attemptOf returns an attempt at the job of a lease.
func (s *Service) attemptOf(l *job.Lease) (*attempt, error) {
	r := &attempt{Service: s, agent: l.Job.Agent, id: l.Job.ID, lease: l}
	if err := json.Unmarshal(l.Job.Data, &r.work); err != nil {
		return nil, fmt.Errorf("read job %s: %w", r.id, err)
	}
	return r, nil
}

// busy replaces [job.ErrBusy] and [job.ErrLost] by the error for the caller. It
// returns other errors, and nil, as they are.
func busy(err error) error {
	if errors.Is(err, job.ErrBusy) || errors.Is(err, job.ErrLost) {
		return errBusy()
	}
	return err
}

// drop deletes the job.
func (r *attempt) drop(ctx context.Context) error {
	if r.lease == nil {
		return nil
	}
	return busy(r.lease.Drop(ctx))
}

// failed ends an attempt after an error and returns the error for the caller.
// It gives the lease back, so that the next call goes on with the job. A job
// without a finished step is deleted.
func (r *attempt) failed(ctx context.Context, cause error) error {
	if r.lease == nil {
		return cause
	}
	if job.Lost(ctx, cause) {
		return errBusy()
	}
	giveBack := r.lease.Release
	if r.lease.Job.Step == StepPlanned {
		giveBack = r.lease.Drop
	}
	if err := giveBack(context.WithoutCancel(ctx)); err != nil {
		r.log.WarnContext(ctx, "give back a batch", "error", err)
	}
	return cause
}

// doSteps makes the missing summaries and commits. If the batch is stale, it
// deletes the job and returns [errStale].
func (r *attempt) doSteps(ctx context.Context) (outcome, error) {
	if r.lease != nil {
		var stop func()
		ctx, stop = r.lease.Keep(ctx, r.beat)
		defer stop()
	}
	done, err := r.summarizeAndCommit(ctx)
	if errors.Is(err, errStale) {
		return done, errors.Join(errStale, r.drop(ctx))
	}
	if err != nil {
		return done, r.failed(ctx, err)
	}
	return done, nil
}

func (r *attempt) summarizeAndCommit(ctx context.Context) (outcome, error) {
	if err := r.read(ctx); err != nil {
		return outcome{}, err
	}
	if err := r.summarizeAll(ctx); err != nil {
		return outcome{}, err
	}
	return r.commit(ctx)
}

// summarizeAll does the missing steps: one for each part of a group that is not
// summarised yet.
func (r *attempt) summarizeAll(ctx context.Context) error {
	var steps []job.Step
	for i := range r.work.Groups {
		g := &r.work.Groups[i]
		for range len(g.Parts) - g.Done {
			steps = append(steps, job.Step{Name: StepSummarised, Do: func(ctx context.Context) error { return r.summarize(ctx, g) }})
		}
	}
	if r.lease != nil {
		return r.lease.Do(ctx, steps, &r.work)
	}
	for _, s := range steps {
		if err := s.Do(ctx); err != nil {
			return err
		}
	}
	return nil
}

// summarize makes the summary of a group's next part. It folds in the summary
// of the parts before, or for the first part the earlier summary of the theme.
func (r *attempt) summarize(ctx context.Context, g *group) error {
	from := 0
	if g.Done > 0 {
		from = g.Parts[g.Done-1]
	}
	request := memory.SummaryRequest{Earlier: g.Summary, Focus: r.work.Focus, Now: r.clock.Here()}
	if e, ok := r.earlier[g.Earlier]; ok && g.Done == 0 {
		request.Earlier = e.Content
	}
	fresh := 0
	for _, id := range g.Members[from:g.Parts[g.Done]] {
		if t, ok := r.turns[id]; ok {
			t.SaidAt = r.clock.In(t.SaidAt)
			request.Turns = append(request.Turns, shortened(t))
			fresh += r.counter.Count(turnText(t))
			continue
		}
		one := r.records[id]
		text := memoryText(one)
		request.Texts = append(request.Texts, entry(id, punctuated(text), r.clock.In(one.EventTime())))
		fresh += r.counter.Count(text)
	}
	request.MaxTokens = room(r.counter.Count(request.Earlier), fresh, g.Most)
	text, by, err := r.model.summarize(ctx, request)
	if err != nil {
		return err
	}
	g.Summary, g.By, g.Done = text, by, g.Done+1
	return nil
}
