package job

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"mcp-memory/memory"
)

// Term is how long a lease lasts unless it is renewed. A job is not continued for at most that long
// after its process has died on another machine.
const Term = time.Minute

// Beat is the time between renewals of a lease.
const Beat = Term / 4

// ErrBusy is returned for a job that cannot be taken now: it is held, or has to wait after a
// failure.
var ErrBusy = errors.New("the job is busy")

// ErrLost is returned by a [Lease] whose job somebody else has taken or finished.
var ErrLost = errors.New("the job was taken over")

// Options are what a [Worker] is made of. All fields are needed unless they say
// otherwise.
type Options struct {
	Store memory.Writer
	Kind  string // of the jobs
	// Parked is the step in which a job waits for somebody outside; empty if there is none. A
	// parked job is not taken, and a new one may replace it.
	Parked string
	Clock  memory.Clock
	IDs    *memory.IDs
	// Holder names the process in the jobs that it works on; if empty, a random name is used. Gone
	// reports whether the process with such a name has certainly ended, so that its leases need not
	// be waited for; may be nil.
	Holder string
	Gone   func(holder string) bool
	// Recorded, for tests, is told the name of each step that was recorded; may be nil.
	Recorded func(step string)
}

// Worker works on the jobs of one kind, for one process. Safe for concurrent use.
type Worker struct {
	store    memory.Writer
	kind     string
	parked   string
	clock    memory.Clock
	ids      *memory.IDs
	holder   string
	gone     func(holder string) bool
	recorded func(step string)
}

// New returns a worker. It starts nothing.
func New(o Options) *Worker {
	if o.Holder == "" {
		o.Holder = o.IDs.New()
	}
	if o.Gone == nil {
		o.Gone = func(string) bool { return false }
	}
	if o.Recorded == nil {
		o.Recorded = func(string) {}
	}
	return &Worker{o.Store, o.Kind, o.Parked, o.Clock, o.IDs, o.Holder, o.Gone, o.Recorded}
}

// now returns the time by the worker's clock.
func (w *Worker) now() time.Time { return w.clock.Now() }

// Draft returns a new job, not stored yet, whose first step is done. data is stored as JSON; the
// error is that of encoding it.
func (w *Worker) Draft(agent, subject, step string, data any) (memory.Job, error) {
	value, err := json.Marshal(data)
	now := w.now()
	return memory.Job{
		ID: w.ids.New(), Agent: agent, Kind: w.kind, Subject: subject, Step: step, Data: value, CreatedAt: now, UpdatedAt: now,
	}, err
}

// Add stores a drafted job unless its subject has one that is not parked, and reports whether it
// did.
func (w *Worker) Add(tx memory.Tx, j memory.Job) (added bool, err error) {
	there, err := tx.Job(w.kind, j.Subject)
	if err != nil || there != nil && !w.waits(*there) {
		return false, err
	}
	return true, tx.PutJob(j)
}

// Put is Add in a transaction of its own. It returns [ErrBusy] if the job was not added.
func (w *Worker) Put(ctx context.Context, j memory.Job) error {
	err := w.store.Write(ctx, j.Agent, func(tx memory.Tx) error {
		added, err := w.Add(tx, j)
		if err == nil && !added {
			return ErrBusy
		}
		return err
	})
	if err == nil {
		w.recorded(j.Step)
	}
	return err
}

// Start is Put for a job whose lease is taken at once.
func (w *Worker) Start(ctx context.Context, j memory.Job) (*Lease, error) {
	w.hold(&j)
	if err := w.Put(ctx, j); err != nil {
		return nil, err
	}
	return &Lease{worker: w, Job: j}, nil
}

// Take takes the lease of a subject's job. It returns nil if there is no job to be taken, [ErrBusy]
// if it cannot be taken now.
func (w *Worker) Take(ctx context.Context, agent, subject string) (*Lease, error) {
	return w.take(ctx, agent, subject, false)
}

// Seize is Take, even if somebody holds the job or it has to wait after a failure.
func (w *Worker) Seize(ctx context.Context, agent, subject string) (*Lease, error) {
	return w.take(ctx, agent, subject, true)
}

func (w *Worker) take(ctx context.Context, agent, subject string, force bool) (l *Lease, err error) {
	err = w.store.Write(ctx, agent, func(tx memory.Tx) error {
		j, err := tx.Job(w.kind, subject)
		if err != nil || j == nil || w.waits(*j) {
			return err
		}
		if !force && w.Wait(*j) > 0 {
			return ErrBusy
		}
		w.hold(j)
		l = &Lease{worker: w, Job: *j}
		return tx.PutJob(*j)
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Optimistic returns a lease on a job as it was read, without taking it. It is valid as long as
// nobody takes or replaces the job.
func (w *Worker) Optimistic(j memory.Job) *Lease { return &Lease{worker: w, Job: j} }

// waits reports whether a job is parked.
func (w *Worker) waits(j memory.Job) bool { return w.parked != "" && j.Step == w.parked }

// Wait returns how long a job cannot be taken, because somebody holds it or it has to wait after a
// failure; 0 if it can be taken now.
func (w *Worker) Wait(j memory.Job) time.Duration {
	until := j.NotBefore
	if j.HeldUntil.After(until) && w.alive(j.Holder) {
		until = j.HeldUntil
	}
	return max(0, until.Sub(w.now()))
}

// alive reports whether the process of a job's holder may still be running.
func (w *Worker) alive(holder string) bool {
	process := holder[:max(0, strings.LastIndexByte(holder, '/'))]
	return process == "" || !w.gone(process)
}

// hold writes a new lease into a job. Each lease has a name of its own, because a process may lose
// a job to another lease of itself.
func (w *Worker) hold(j *memory.Job) {
	j.Holder, j.HeldUntil = w.holder+"/"+w.ids.New(), w.now().Add(Term)
}
