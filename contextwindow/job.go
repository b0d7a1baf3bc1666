package contextwindow

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"mcp-memory/memory"
)

// jobKind names this package's jobs; their subject is the session.
const jobKind = "compaction"

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

// work is the data of a job: what it is about, and what its steps found out.
type work struct {
	Mode Mode `json:"mode"`
	From int  `json:"from"`
	To   int  `json:"to"`
	Keep int  `json:"keep"`

	FactsGiven   bool     `json:"facts_given,omitempty"` // by the caller
	Facts        []found  `json:"facts,omitempty"`
	IDs          []string `json:"ids,omitempty"` // of their records
	SummaryGiven bool     `json:"summary_given,omitempty"`
	Summary      string   `json:"summary,omitempty"`
	Problem      string   `json:"problem,omitempty"`
	Fallback     string   `json:"fallback,omitempty"` // see Result
}

// found is a fact on its way to the database.
type found struct {
	Content    string          `json:"content"`
	Type       memory.FactType `json:"type,omitempty"`
	Category   string          `json:"category,omitempty"`
	Importance *float64        `json:"importance,omitempty"`
	OccurredAt time.Time       `json:"occurred_at,omitzero"`
	Turn       int             `json:"turn"` // -1 if no turn is known
}

// newJob is the job of a plan, about to be stored.
func (s *Service) newJob(k key, p plan, give func(*work)) (memory.Job, error) {
	w := work{Mode: p.mode, From: p.from, To: p.to, Keep: p.keep}
	if give != nil {
		give(&w)
	}
	data, err := json.Marshal(w)
	now := s.now()
	return memory.Job{
		ID: s.IDs.New(), Agent: k.agent, Kind: jobKind, Subject: k.session, Step: StepPlanned,
		Data: data, CreatedAt: now, UpdatedAt: now,
	}, err
}

// lease is how long a job belongs to who took it, unless that renews it: for so
// long it stays undone after a process has died on another machine.
const lease = 2 * time.Minute

// errLost tells that somebody else has taken the job over.
var errLost = errors.New("the job was taken over")

// run is one attempt to finish a job.
type run struct {
	*Service
	key
	job         memory.Job
	work        work
	summarizers []memory.Summarizer
	tell        bool          // nobody waits for the outcome: keep it to be told
	turns       []memory.Turn // of the window when it was read, from the first that matters
	window      memory.Window
}

// outcome is what became of a job. One that nobody waits for is kept, to be
// told once.
type outcome struct {
	Mode     Mode     `json:"mode"`
	Facts    []string `json:"facts"`
	Fallback string   `json:"fallback,omitempty"` // see Result
}

func (w work) outcome() outcome { return outcome{w.Mode, w.IDs, w.Fallback} }

// claim takes a session's job, or returns nil where there is none to take: it
// is held by somebody, or has to wait. With force it is taken all the same.
func (s *Service) claim(ctx context.Context, k key, force bool) (*run, error) {
	var r *run
	err := s.Store.Write(ctx, k.agent, func(tx memory.Tx) error {
		j, err := tx.Job(jobKind, k.session)
		if err != nil || j == nil {
			return err
		}
		now := s.now()
		if !force && (s.held(*j, now) || now.Before(j.NotBefore)) {
			return nil
		}
		r = &run{Service: s, key: k, job: *j}
		if err := json.Unmarshal(j.Data, &r.work); err != nil {
			return fmt.Errorf("read job %s: %w", j.ID, err)
		}
		r.job.Holder, r.job.HeldUntil = s.Holder+"/"+s.IDs.New(), now.Add(lease)
		return tx.PutJob(r.job)
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// held reports whether somebody else works on a job.
func (s *Service) held(j memory.Job, now time.Time) bool {
	if j.Holder == "" || !now.Before(j.HeldUntil) {
		return false
	}
	process := j.Holder[:strings.LastIndexByte(j.Holder, '/')+1]
	return process == "" || !s.Gone(strings.TrimSuffix(process, "/"))
}

// finish does what is left of the job's steps.
func (r *run) finish(ctx context.Context) (outcome, error) {
	steps := []struct {
		name string
		do   func(*run, context.Context) error
	}{
		{StepFacts, (*run).extract}, {StepSaved, (*run).save}, {StepMemory, (*run).merge},
		{StepSummarised, (*run).summarize}, {StepHistory, (*run).note},
	}
	if r.work.Mode == ModeFlush {
		steps = steps[:3]
	}
	ctx, letGo := r.holdOn(ctx)
	defer letGo()
	if err := r.read(ctx); err != nil {
		return outcome{}, r.failed(ctx, err)
	}
	begin := 0
	for i, step := range steps {
		if step.name == r.job.Step {
			begin = i + 1
		}
	}
	for _, step := range steps[begin:] {
		if err := step.do(r, ctx); err != nil {
			return outcome{}, r.failed(ctx, fmt.Errorf("step %s: %w", step.name, err))
		}
		if err := r.record(ctx, step.name); err != nil {
			return outcome{}, r.failed(ctx, err)
		}
	}
	if err := r.swap(ctx); err != nil {
		return outcome{}, r.failed(ctx, err)
	}
	return r.work.outcome(), nil
}

// holdOn renews the lease until it is let go of: a summarizer may take longer.
// The context ends when the job is lost.
func (r *run) holdOn(ctx context.Context) (held context.Context, letGo func()) {
	held, end := context.WithCancelCause(ctx)
	renewed := time.NewTicker(r.beat)
	go func() {
		defer renewed.Stop()
		for {
			select {
			case <-held.Done():
				return
			case <-renewed.C:
			}
			err := r.mine(held, func(tx memory.Tx) error {
				j, err := tx.Job(jobKind, r.session)
				if err != nil {
					return err
				}
				j.HeldUntil = r.now().Add(lease)
				return tx.PutJob(*j)
			})
			if errors.Is(err, errLost) {
				end(errLost)
			}
		}
	}()
	return held, func() { end(nil) }
}

// read gets the turns that the job is about.
func (r *run) read(ctx context.Context) error {
	w, err := r.Store.Window(ctx, r.agent, r.session)
	if err != nil {
		return err
	}
	if w == nil {
		return memory.Errorf(memory.CodeInternal, "session %s has a job but no window", r.job.ID)
	}
	r.window = *w
	r.turns, err = r.Store.Turns(ctx, r.agent, r.session, min(r.work.From, w.Compacted), max(r.work.To, r.work.Keep, 1))
	return err
}

// span returns the turns with from ≤ index < to.
func (r *run) span(from, to int) []memory.Turn {
	var list []memory.Turn
	for _, t := range r.turns {
		if from <= t.Index && t.Index < to {
			list = append(list, t)
		}
	}
	return list
}

// mine runs fn in a transaction in which the job is still this run's.
func (r *run) mine(ctx context.Context, fn func(memory.Tx) error) error {
	return r.Store.Write(ctx, r.agent, func(tx memory.Tx) error {
		j, err := tx.Job(jobKind, r.session)
		if err != nil {
			return err
		}
		if j == nil || j.ID != r.job.ID || j.Holder != r.job.Holder {
			return errLost
		}
		return fn(tx)
	})
}

// record notes that a step is done, with what it found out.
func (r *run) record(ctx context.Context, step string) error {
	data, err := json.Marshal(r.work)
	if err != nil {
		return err
	}
	now := r.now()
	r.job.Step, r.job.Data, r.job.UpdatedAt, r.job.HeldUntil = step, data, now, now.Add(lease)
	if err := r.mine(ctx, func(tx memory.Tx) error { return tx.PutJob(r.job) }); err != nil {
		return fmt.Errorf("record step %s: %w", step, err)
	}
	r.Recorded(step)
	return nil
}

// swap moves the window's watermarks and forgets the job, at once.
func (r *run) swap(ctx context.Context) error {
	counter := r.Counter(r.window.Model)
	err := r.mine(ctx, func(tx memory.Tx) error {
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
		if r.tell {
			if err := putNews(tx, r.session, r.work.outcome()); err != nil {
				return err
			}
		}
		return tx.DeleteJob(jobKind, r.session)
	})
	if err != nil {
		return fmt.Errorf("swap the window: %w", err)
	}
	r.Recorded(StepSwapped)
	return nil
}

// The wait after a failed attempt doubles from the first to the longest.
const (
	firstWait   = 2 * time.Second
	longestWait = 10 * time.Minute
)

// failed gives the job back with the time of the next attempt, and returns why
// the attempt ended. One that was interrupted counts for nothing.
func (r *run) failed(ctx context.Context, cause error) error {
	if errors.Is(cause, errLost) || errors.Is(context.Cause(ctx), errLost) {
		return errLost
	}
	interrupted := ctx.Err() != nil
	ctx = context.WithoutCancel(ctx)
	err := r.mine(ctx, func(tx memory.Tx) error {
		r.job.Holder, r.job.HeldUntil = "", time.Time{}
		if !interrupted {
			r.job.NotBefore = r.now().Add(min(longestWait, firstWait<<min(r.job.Attempts, 20)))
			r.job.Attempts++
			r.work.Problem = memory.Public(cause).Message
			if data, err := json.Marshal(r.work); err == nil {
				r.job.Data = data
			}
		}
		return tx.PutJob(r.job)
	})
	if err != nil && !errors.Is(err, errLost) {
		return errors.Join(cause, err)
	}
	return cause
}

// newsKey is the state under which what was finished without a caller waits to
// be told.
func newsKey(session string) string { return "context.news/" + session }

// putNews keeps what happened, with what was not told yet.
func putNews(tx memory.Tx, session string, o outcome) error {
	n, err := newsOf(tx.State(newsKey(session)))
	if err != nil {
		return err
	}
	if n == nil {
		n = &outcome{Mode: o.Mode}
	}
	if o.Mode == ModeCompact {
		n.Mode = ModeCompact
	}
	n.Facts, n.Fallback = append(n.Facts, o.Facts...), cmp.Or(o.Fallback, n.Fallback)
	value, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return tx.SetState(newsKey(session), value)
}

func newsOf(value json.RawMessage, err error) (*outcome, error) {
	if err != nil || value == nil {
		return nil, err
	}
	n := &outcome{}
	if err := json.Unmarshal(value, n); err != nil {
		return nil, fmt.Errorf("read what was finished: %w", err)
	}
	return n, nil
}
