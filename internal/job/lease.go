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

// Lease is the right to work on a job until it ends or is lost. Its methods
// return [ErrLost] when somebody else has the job. Only Keep's renewals may run
// beside another method.
type Lease struct {
	Job memory.Job // as it was recorded last

	worker *Worker
	mu     sync.Mutex // one transaction at a time
	over   bool       // finished or given back: there is nothing to renew
}

// Step is a part of a job. It may be done again, after a crash before it was
// recorded, so it has to be repeatable.
type Step struct {
	Name string
	Do   func(context.Context) error
}

// Left returns what is left of steps when the one named last was recorded: all
// if it is none of them.
func Left(steps []Step, last string) []Step {
	for i, s := range steps {
		if s.Name == last {
			return steps[i+1:]
		}
	}
	return steps
}

// Lost reports whether an attempt failed with err because its lease was lost,
// as far as err or the context of [Lease.Keep] tells.
func Lost(ctx context.Context, err error) bool {
	return errors.Is(err, ErrLost) || errors.Is(context.Cause(ctx), ErrLost)
}

// Keep renews the lease from time to time, [Beat] as a rule, until stop is
// called. The context that it returns ends then, or when the job is lost.
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

// renew makes the lease last for another term. Other errors than [ErrLost] pass:
// the next renewal may succeed.
func (l *Lease) renew(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return nil
	}
	return l.put(ctx, l.Job) // Job stays as it is: whoever works on it may be reading it
}

// Do does steps in their order and records each, with data as it is by then.
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

// Record notes that a step is done, with the job's data, which is kept as JSON.
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

// put stores the job as it is now, with a new term.
func (l *Lease) put(ctx context.Context, j memory.Job) error {
	j.HeldUntil = l.worker.now().Add(Term)
	return l.within(ctx, func(tx memory.Tx) error { return tx.PutJob(j) })
}

// Finish does the job's last step in the transaction that forgets the job. An
// error of fn comes back as it is, and nothing is changed.
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

// Drop forgets the job undone.
func (l *Lease) Drop(ctx context.Context) error {
	return l.end(ctx, func(tx memory.Tx) error { return tx.DeleteJob(l.Job.Kind, l.Job.Subject) })
}

// Release gives the job back as it was recorded, also when ctx has ended.
func (l *Lease) Release(ctx context.Context) error { return l.giveBack(ctx, l.Job) }

// The wait after a failed attempt doubles from the first to the longest.
const (
	FirstWait   = 2 * time.Second
	longestWait = 10 * time.Minute
)

// Retry gives the job back after a failed attempt, to be tried again later, with
// data that may tell why. It does so also when ctx has ended.
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

// end runs the lease's last transaction.
func (l *Lease) end(ctx context.Context, fn func(memory.Tx) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.within(ctx, fn)
	l.over = l.over || err == nil
	return err
}

// within runs fn in a transaction in which the job is still this lease's.
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
