package contextwindow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"mcp-memory/internal/job"
	"mcp-memory/memory"
)

// jobKind names this package's jobs; their subject is the session.
const jobKind = memory.JobCompaction

// The steps of a job, in order; see the package document.
const (
	StepPlanned    = "planned"
	StepFacts      = "facts"
	StepSaved      = "saved"
	StepMemory     = "memory"
	StepSummarised = "summarised"
	StepHistory    = "history"
	StepSwapped    = "swapped"
)

// Steps lists every step of a job in its order. A flush goes from memory to
// swapped at once.
func Steps() []string {
	return []string{StepPlanned, StepFacts, StepSaved, StepMemory, StepSummarised, StepHistory, StepSwapped}
}

// work is the data of a job: what it has to do, and what its steps found out. Numbers are indexes
// of turns.
type work struct {
	Mode Mode `json:"mode"`
	From int  `json:"from"` // first turn to be searched for facts
	To   int  `json:"to"`   // the turn after the last of these
	Keep int  `json:"keep"` // first turn that stays live; a compaction summarises those before

	FactsGiven   bool     `json:"facts_given,omitempty"` // by the caller
	Facts        []found  `json:"facts,omitempty"`
	IDs          []string `json:"ids,omitempty"`     // of their records
	Learned      []string `json:"learned,omitempty"` // ids of learnings and episodes that are new
	SummaryGiven bool     `json:"summary_given,omitempty"`
	Summary      string   `json:"summary,omitempty"`
	Problem      string   `json:"problem,omitempty"`  // why the last attempt failed
	Fallback     string   `json:"fallback,omitempty"` // see Result
}

// found is a fact that was found in a conversation and is not saved yet.
type found struct {
	Content    string          `json:"content"`
	Type       memory.FactType `json:"type,omitempty"`
	Category   string          `json:"category,omitempty"`
	Importance *float64        `json:"importance,omitempty"`
	OccurredAt time.Time       `json:"occurred_at,omitzero"`
	Turn       int             `json:"turn"`               // index of the turn that says it, -1 if that is not known
	Replaces   string          `json:"replaces,omitempty"` // id of the record that it makes outdated, as the summarizer says
}

// newJob returns a job for a plan, not stored yet. give, unless it is nil, adds to its data.
func (s *Service) newJob(k key, p plan, give func(*work)) (memory.Job, error) {
	w := work{Mode: p.mode, From: p.from, To: p.to, Keep: p.keep}
	if give != nil {
		give(&w)
	}
	return s.jobs.Draft(k.agent, k.session, StepPlanned, w)
}

// attempt is one try at finishing a job, by whoever holds its lease.
type attempt struct {
	*Service
	key
	id          string     // of the job
	lease       *job.Lease // nil where a conversation is only searched (learn.go)
	work        work
	summarizers []memory.Summarizer
	notify      bool          // nobody waits for the outcome: keep a notice of it
	turns       []memory.Turn // from the first that is live or searched to the last that the job is about
	window      memory.Window
}

// claim takes the lease of a session's job. It returns nil if there is no job, or if somebody
// holds it or it has to wait for its next attempt; with force these two do not count.
func (s *Service) claim(ctx context.Context, k key, force bool) (*attempt, error) {
	take := s.jobs.Take
	if force {
		take = s.jobs.Seize
	}
	lease, err := take(ctx, k.agent, k.session)
	if errors.Is(err, job.ErrBusy) {
		return nil, nil
	}
	if lease == nil || err != nil {
		return nil, err
	}
	r := &attempt{Service: s, key: k, id: lease.Job.ID, lease: lease}
	if err := json.Unmarshal(lease.Job.Data, &r.work); err != nil {
		return nil, errors.Join(fmt.Errorf("read job %s: %w", lease.Job.ID, err), lease.Release(ctx))
	}
	return r, nil
}

// doSteps does the steps that are not recorded as done, and then the last one, moveWatermarks.
func (r *attempt) doSteps(ctx context.Context) (outcome, error) {
	ctx, stop := r.lease.Keep(ctx, r.beat)
	defer stop()
	if err := r.loadTurns(ctx); err != nil {
		return outcome{}, r.failed(ctx, err)
	}
	if err := r.lease.Do(ctx, job.Left(r.steps(), r.lease.Job.Step), &r.work); err != nil {
		return outcome{}, r.failed(ctx, err)
	}
	if err := r.moveWatermarks(ctx); err != nil {
		return outcome{}, r.failed(ctx, err)
	}
	return r.work.outcome(), nil
}

// steps returns the steps between the first (planned) and the last (swapped); a flush has only
// the first three of them.
func (r *attempt) steps() []job.Step {
	list := []job.Step{
		{Name: StepFacts, Do: r.findFacts}, {Name: StepSaved, Do: r.saveFacts}, {Name: StepMemory, Do: r.mergeMemory},
		{Name: StepSummarised, Do: r.summarize}, {Name: StepHistory, Do: r.appendHistory},
	}
	if r.work.Mode == ModeFlush {
		list = list[:3]
	}
	return list
}

// loadTurns reads the window and the turns that the job is about.
func (r *attempt) loadTurns(ctx context.Context) error {
	w, err := r.store.Window(ctx, r.agent, r.session)
	if err != nil {
		return err
	}
	if w == nil {
		return memory.Errorf(memory.CodeInternal, "session %s has a job but no window", r.session)
	}
	r.window = *w
	r.turns, err = r.store.Turns(ctx, r.agent, r.session, min(r.work.From, w.Compacted), max(r.work.To, r.work.Keep, 1))
	for i, t := range r.turns {
		r.turns[i].SaidAt = r.clock.In(t.SaidAt) // "yesterday" counts days of the user
	}
	return err
}

// span returns the turns with from ≤ index < to.
func (r *attempt) span(from, to int) []memory.Turn {
	var list []memory.Turn
	for _, t := range r.turns {
		if from <= t.Index && t.Index < to {
			list = append(list, t)
		}
	}
	return list
}

// moveWatermarks is the last step, in one transaction: it moves the window's watermarks, puts in
// the summary of a compaction, deletes the job and, if nobody waits for the outcome, leaves a
// notice of it.
func (r *attempt) moveWatermarks(ctx context.Context) error {
	counter := r.counter(r.window.Model)
	err := r.lease.Finish(ctx, StepSwapped, func(tx memory.Tx) error {
		w, err := tx.Window(r.session)
		if err != nil {
			return err
		}
		if w == nil {
			return fmt.Errorf("the window is gone")
		}
		w.Flushed = max(w.Flushed, r.work.To)
		if r.work.Mode == ModeCompact && w.Compacted < r.work.Keep {
			for _, t := range r.span(w.Compacted, r.work.Keep) {
				w.ReplacedTokens += turnTokens(counter, t)
			}
			w.Compacted, w.Summary, w.LastCompaction = r.work.Keep, r.work.Summary, r.now()
			w.SummaryTokens = messageTokens(counter, summaryMessage(w.Summary))
		}
		w.Version, w.UpdatedAt = w.Version+1, r.now()
		if err := tx.PutWindow(*w); err != nil {
			return err
		}
		if r.notify {
			return putNotice(tx, r.session, r.work.outcome())
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("swap the window: %w", err)
	}
	return nil
}

// failed gives the job back after a failed attempt, with the time of the next one, and returns
// the cause. An attempt that was interrupted, as ctx ended, does not count as one. It returns
// [job.ErrLost] if another process has taken the job.
func (r *attempt) failed(ctx context.Context, cause error) error {
	if job.Lost(ctx, cause) {
		return job.ErrLost
	}
	var err error
	if ctx.Err() != nil {
		err = r.lease.Release(ctx)
	} else {
		r.work.Problem = memory.Public(cause).Message
		err = r.lease.Retry(ctx, r.work)
	}
	if err != nil && !errors.Is(err, job.ErrLost) {
		return errors.Join(cause, err)
	}
	return cause
}
