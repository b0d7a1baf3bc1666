package consolidate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"mcp-memory/memory"
)

// jobKind names this package's jobs, their undo entries, and why originals are
// archived. The subject of a job is its phase: there is one of each at a time.
const jobKind = "self_care"

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

// lease is how long a job belongs to who took it, from its last step on. It
// has to outlast what a summarizer may take for one answer.
const lease = longestAnswer + 15*time.Second

// errStale tells that what was planned has changed meanwhile.
var errStale = errors.New("the batch is stale")

// errBusy is for the call that comes second.
func errBusy() error {
	return memory.Errorf(memory.CodeConflict, "another call does self-care at the moment").
		WithHint("try again in a minute; what it does not finish is finished then")
}

// run is one attempt to finish a job.
type run struct {
	*Service
	agent string
	model *model
	job   memory.Job
	work  work
	dry   bool // nothing is written, and there is no job

	records map[string]memory.Record // members, or none
	turns   map[string]memory.Turn
	earlier map[string]memory.Record // summaries that are folded in
}

// newJob is the job of a plan, about to be stored.
func (s *Service) newJob(agent, step string, w work) (memory.Job, error) {
	data, err := json.Marshal(w)
	now := s.now()
	return memory.Job{
		ID: s.IDs.New(), Agent: agent, Kind: jobKind, Subject: string(w.Phase), Step: step,
		Data: data, CreatedAt: now, UpdatedAt: now,
	}, err
}

// put stores a new job unless there is one that is being worked on. A batch that
// waits for the agent gives way.
func (s *Service) put(ctx context.Context, j memory.Job) error {
	return s.Store.Write(ctx, j.Agent, func(tx memory.Tx) error {
		old, err := tx.Job(jobKind, j.Subject)
		if err != nil {
			return err
		}
		if old != nil && old.Step != StepWaiting {
			return errBusy()
		}
		return tx.PutJob(j)
	})
}

// holder is a name for one attempt of this process.
func (s *Service) holder() string { return s.Holder + "/" + s.IDs.New() }

// held reports whether somebody else works on a job.
func (s *Service) held(j memory.Job) bool {
	if j.Holder == "" || !s.now().Before(j.HeldUntil) {
		return false
	}
	process := j.Holder[:max(0, strings.LastIndexByte(j.Holder, '/'))]
	return process == "" || !s.Gone(process)
}

// claim takes the job of a phase that an earlier call has left, or returns nil
// where there is none.
func (s *Service) claim(ctx context.Context, agent string, p Phase) (j *memory.Job, err error) {
	err = s.Store.Write(ctx, agent, func(tx memory.Tx) error {
		if j, err = tx.Job(jobKind, string(p)); err != nil || j == nil {
			return err
		}
		if j.Step == StepWaiting {
			j = nil
			return nil
		}
		if s.held(*j) {
			return errBusy()
		}
		j.Holder, j.HeldUntil = s.holder(), s.now().Add(lease)
		return tx.PutJob(*j)
	})
	return j, err
}

// mine runs fn in a transaction in which the job is still this run's.
func (r *run) mine(ctx context.Context, fn func(memory.Tx) error) error {
	return r.Store.Write(ctx, r.agent, func(tx memory.Tx) error {
		j, err := tx.Job(jobKind, r.job.Subject)
		if err != nil {
			return err
		}
		if j == nil || j.ID != r.job.ID || j.Holder != r.job.Holder {
			return errBusy()
		}
		return fn(tx)
	})
}

// record notes that a step is done, with what it found out.
func (r *run) record(ctx context.Context, step string) error {
	if r.dry {
		return nil
	}
	data, err := json.Marshal(r.work)
	if err != nil {
		return err
	}
	r.job.Step, r.job.Data, r.job.UpdatedAt, r.job.HeldUntil = step, data, r.now(), r.now().Add(lease)
	if err := r.mine(ctx, func(tx memory.Tx) error { return tx.PutJob(r.job) }); err != nil {
		return fmt.Errorf("record step %s: %w", step, err)
	}
	r.Recorded(step)
	return nil
}

// drop forgets the job.
func (r *run) drop(ctx context.Context) error {
	if r.dry {
		return nil
	}
	return r.mine(ctx, func(tx memory.Tx) error { return tx.DeleteJob(jobKind, r.job.Subject) })
}

// failed gives the job back after an attempt that ended early, for the next
// call to go on with; one that has come to nothing is forgotten.
func (r *run) failed(ctx context.Context, cause error) error {
	if r.dry {
		return cause
	}
	ctx = context.WithoutCancel(ctx)
	err := r.mine(ctx, func(tx memory.Tx) error {
		if r.job.Step == StepPlanned {
			return tx.DeleteJob(jobKind, r.job.Subject)
		}
		r.job.Holder, r.job.HeldUntil = "", time.Time{}
		return tx.PutJob(r.job)
	})
	if err != nil {
		r.Log.WarnContext(ctx, "give back a batch", "error", err)
	}
	return cause
}

// finish makes the summaries that are not there yet, and commits. It returns
// [errStale], with the job forgotten, if the batch has to be planned anew.
func (r *run) finish(ctx context.Context) (outcome, error) {
	err := r.read(ctx)
	if errors.Is(err, errStale) {
		return outcome{}, errors.Join(errStale, r.drop(ctx))
	}
	if err != nil {
		return outcome{}, r.failed(ctx, err)
	}
	for i := range r.work.Groups {
		g := &r.work.Groups[i]
		for g.Done < len(g.Parts) {
			if err := r.summarize(ctx, g); err != nil {
				return outcome{}, r.failed(ctx, err)
			}
			if err := r.record(ctx, StepSummarised); err != nil {
				return outcome{}, r.failed(ctx, err)
			}
		}
	}
	done, err := r.commit(ctx)
	if errors.Is(err, errStale) {
		return done, errors.Join(errStale, r.drop(ctx))
	}
	if err != nil {
		return done, r.failed(ctx, err)
	}
	if !r.dry {
		r.Recorded(StepCommitted)
	}
	return done, nil
}

// summarize makes the summary of a group's next part, which folds in that of
// the parts before, or the earlier summary.
func (r *run) summarize(ctx context.Context, g *group) error {
	from := 0
	if g.Done > 0 {
		from = g.Parts[g.Done-1]
	}
	request := memory.SummaryRequest{Earlier: g.Summary, Focus: r.work.Focus, Now: r.now()}
	if e, ok := r.earlier[g.Earlier]; ok && g.Done == 0 {
		request.Earlier = e.Content
	}
	fresh := 0
	for _, id := range g.Members[from:g.Parts[g.Done]] {
		if t, ok := r.turns[id]; ok {
			request.Turns = append(request.Turns, shortened(t))
			fresh += r.Counter.Count(turnText(t))
			continue
		}
		one := r.records[id]
		text := memoryText(one)
		request.Texts = append(request.Texts, entry(id, text, one.EventTime()))
		fresh += r.Counter.Count(text)
	}
	request.MaxTokens = room(r.Counter.Count(request.Earlier), fresh, g.Most)
	text, by, err := r.model.summarize(ctx, request)
	if err != nil {
		return err
	}
	g.Summary, g.By, g.Done = text, by, g.Done+1
	return nil
}
