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

// jobKind names this package's jobs, their undo entries, and why originals are
// archived. The subject of a job is its phase: there is one of each at a time.
const jobKind = memory.WhySelfCare

// The steps of a job; see the package document.
const (
	StepPlanned    = "planned"
	StepSummarised = "summarised" // once for every part of every summary
	StepCommitted  = "committed"  // never stored: the job is gone with it
	StepWaiting    = "waiting"    // for the agent's own summary
)

// work is the data of a job: what it is about, and what its steps found out.
type work struct {
	Phase    Phase         `json:"phase"`
	Focus    string        `json:"focus,omitempty"`
	Kinds    []memory.Kind `json:"kinds,omitempty"`
	Groups   []group       `json:"groups"`
	Tokens   int           `json:"tokens"`             // of the members
	Until    time.Time     `json:"until,omitzero"`     // said by then: the last turn
	Previous string        `json:"previous,omitempty"` // undo id of the batch before, of the same call
}

// of is what a phase makes summaries of.
func (w *work) of() memory.Corpus {
	if w.Phase == PhaseConversations {
		return memory.Conversations
	}
	return memory.Memories
}

// members counts what the batch is about.
func (w *work) members() (n int) {
	for _, g := range w.Groups {
		n += len(g.Members)
	}
	return n
}

// errStale tells that what was planned has changed meanwhile.
var errStale = errors.New("the batch is stale")

// errBusy is for the call that comes second, or whose job was taken over.
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

	records map[string]memory.Record // members, or none
	turns   map[string]memory.Turn
	earlier map[string]memory.Record // summaries that are folded in
}

// newJob is the job of a plan, about to be stored.
func (s *Service) newJob(agent, step string, w work) (memory.Job, error) {
	return s.jobs.Draft(agent, string(w.Phase), step, w)
}

// claim takes the job of a phase that an earlier call has left, or returns nil
// where there is none.
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

// attemptOf is a try at the job of a lease.
func (s *Service) attemptOf(l *job.Lease) (*attempt, error) {
	r := &attempt{Service: s, agent: l.Job.Agent, id: l.Job.ID, lease: l}
	if err := json.Unmarshal(l.Job.Data, &r.work); err != nil {
		return nil, fmt.Errorf("read job %s: %w", r.id, err)
	}
	return r, nil
}

// busy makes the caller's error of one that says that somebody else has the job.
func busy(err error) error {
	if errors.Is(err, job.ErrBusy) || errors.Is(err, job.ErrLost) {
		return errBusy()
	}
	return err
}

// drop forgets the job.
func (r *attempt) drop(ctx context.Context) error {
	if r.lease == nil {
		return nil
	}
	return busy(r.lease.Drop(ctx))
}

// failed gives the job back after an attempt that ended early, for the next
// call to go on with; one that has come to nothing is forgotten.
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

// doSteps makes the summaries that are not there yet, and commits. It returns
// [errStale], with the job forgotten, if the batch has to be planned anew.
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

// summarizeAll does the steps that are left: one for each part of a group.
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

// summarize makes the summary of a group's next part, which folds in that of
// the parts before, or the earlier summary.
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
