package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"mcp-memory/memory"
)

// Lease is the right to work on a job until that ends or is lost. Its methods return [ErrLost] if
// somebody else has the job. Only the renewals of Keep may run at the same time as another method.
type Lease struct {
	Job memory.Job // as it was last recorded

	worker *Worker
	mu     sync.Mutex // one transaction at a time
	over   bool       // finished or given back, so nothing is to be renewed
}

// Step is a part of a job. It has to be repeatable: after a crash before it was recorded it is done
// again.
type Step struct {
	Name string
	Do   func(context.Context) error
}

// Left returns the steps after the one named last, which was recorded last. If none has that name,
// it returns all.
func Left(steps []Step, last string) []Step {
	for i, s := range steps {
		if s.Name == last {
			return steps[i+1:]
		}
	}
	return steps
}

// Lost reports whether an attempt failed with err because its lease was lost, judging by err and by
// the context of [Lease.Keep].
func Lost(ctx context.Context, err error) bool {
	return errors.Is(err, ErrLost) || errors.Is(context.Cause(ctx), ErrLost)
}

// Keep renews the lease at intervals of `every`, as a rule [Beat], until stop is called. The
// context that it returns ends with stop, or when the job is lost.
func (l *Lease) Keep(ctx context.Context, every time.Duration) (kept context.Context, stop func()) {
	kept, end := context.WithCancelCause(ctx)
	ticker := time.NewTicker(every)
	go func() {
		defer ticker.Stop()
		for {
			select {
			case <-kept.Done():
				return
			case <-ticker.C:
			}
			if err := l.renew(kept); errors.Is(err, ErrLost) {
				end(ErrLost)
			}
		}
	}()
	return kept, func() { end(nil) }
}

// renew extends the lease by another term. Errors other than [ErrLost] may be ignored: the next
// renewal may succeed.
func (l *Lease) renew(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return nil
	}
	return l.put(ctx, l.Job) // l.Job is not changed: whoever works on it may be reading it
}

// Do does steps in order and records each, with the state of data at that moment.
func (l *Lease) Do(ctx context.Context, steps []Step, data any) error {
	for _, s := range steps {
		if err := s.Do(ctx); err != nil {
			return fmt.Errorf("step %s: %w", s.Name, err)
		}
		if err := l.Record(ctx, s.Name, data); err != nil {
			return err
		}
	}
	return nil
}

// Record records that a step is done, with the job's data, which is stored as JSON.
func (l *Lease) Record(ctx context.Context, step string, data any) error {
	l.mu.Lock()
	err := l.record(ctx, step, data)
	l.mu.Unlock()
	if err != nil {
		return fmt.Errorf("record step %s: %w", step, err)
	}
	l.worker.recorded(step)
	return nil
}

func (l *Lease) record(ctx context.Context, step string, data any) error {
	value, err := json.Marshal(data)
	if err != nil {
		return err
	}
	j := l.Job
	j.Step, j.Data, j.UpdatedAt = step, value, l.worker.now()
	if err := l.put(ctx, j); err != nil {
		return err
	}
	l.Job = j
	return nil
}

// put stores j with a new term.
func (l *Lease) put(ctx context.Context, j memory.Job) error {
	j.HeldUntil = l.worker.now().Add(Term)
	return l.within(ctx, func(tx memory.Tx) error { return tx.PutJob(j) })
}

// Finish runs fn and removes the job, in one transaction. step is the name of this last step. If fn
// fails, its error is returned and nothing is changed.
func (l *Lease) Finish(ctx context.Context, step string, fn func(memory.Tx) error) error {
	err := l.end(ctx, func(tx memory.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return tx.DeleteJob(l.Job.Kind, l.Job.Subject)
	})
	if err == nil {
		l.worker.recorded(step)
	}
	return err
}

// Drop removes the job without doing it.
func (l *Lease) Drop(ctx context.Context) error {
	return l.end(ctx, func(tx memory.Tx) error { return tx.DeleteJob(l.Job.Kind, l.Job.Subject) })
}

// Release gives the job back as it was last recorded, even if ctx has ended.
func (l *Lease) Release(ctx context.Context) error { return l.giveBack(ctx, l.Job) }

// The wait after a failed attempt begins with FirstWait and doubles up to longestWait.
const (
	FirstWait   = 2 * time.Second
	longestWait = 10 * time.Minute
)

// Retry gives the job back after a failed attempt, to be tried again later, with data that may say
// why. It does so even if ctx has ended.
func (l *Lease) Retry(ctx context.Context, data any) error {
	value, err := json.Marshal(data)
	if err != nil {
		return errors.Join(err, l.Release(ctx))
	}
	j := l.Job
	j.Data, j.NotBefore = value, l.worker.now().Add(min(longestWait, FirstWait<<min(j.Attempts, 20)))
	j.Attempts++
	return l.giveBack(ctx, j)
}

func (l *Lease) giveBack(ctx context.Context, j memory.Job) error {
	j.Holder, j.HeldUntil = "", time.Time{}
	err := l.end(context.WithoutCancel(ctx), func(tx memory.Tx) error { return tx.PutJob(j) })
	if err == nil {
		l.Job = j
	}
	return err
}

// end runs the last transaction of the lease.
func (l *Lease) end(ctx context.Context, fn func(memory.Tx) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.within(ctx, fn)
	l.over = l.over || err == nil
	return err
}

// within runs fn in a transaction, after checking that the job is still this lease's.
func (l *Lease) within(ctx context.Context, fn func(memory.Tx) error) error {
	return l.worker.store.Write(ctx, l.Job.Agent, func(tx memory.Tx) error {
		j, err := tx.Job(l.Job.Kind, l.Job.Subject)
		if err != nil {
			return err
		}
		if j == nil || j.ID != l.Job.ID || j.Holder != l.Job.Holder {
			return ErrLost
		}
		return fn(tx)
	})
}
