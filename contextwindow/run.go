package contextwindow

import (
	"context"
	"errors"
	"time"

	"mcp-memory/internal/job"
	"mcp-memory/memory"
)

// runJob does a session's job to its end and returns what came of it; nil if the job cannot be
// claimed, or is lost to another process. If a caller waits, only local summarizers are used, and
// no notice is kept. With force the job is taken from whoever holds it.
func (s *Service) runJob(ctx context.Context, k key, waits, force bool) (*outcome, error) {
	r, err := s.claim(ctx, k, force)
	if r == nil || err != nil {
		return nil, err
	}
	r.summarizers, r.notify = s.summarizers, !waits
	if waits {
		r.summarizers = local(s.summarizers)
	}
	o, err := r.doSteps(ctx)
	if err != nil {
		if errors.Is(err, job.ErrLost) { // whoever took it does it
			return nil, nil
		}
		s.log.WarnContext(ctx, "compact a conversation", "step", r.lease.Job.Step, "attempt", r.lease.Job.Attempts, "error", err)
		return nil, err
	}
	return &o, nil
}

// runInBackground does a session's job on a worker of the queue, and plans the
// next if the window has filled up meanwhile.
func (s *Service) runInBackground(ctx context.Context, k key) {
	for range 3 {
		_, err := s.runJob(ctx, k, false, false)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			s.queue.later(job.FirstWait, s.resumeAll)
			return
		}
		if more, err := s.planNext(ctx, k); !more || err != nil {
			return
		}
	}
}

// planNext stores a job for a session that needs one and has none.
func (s *Service) planNext(ctx context.Context, k key) (planned bool, err error) {
	defer s.lock(k)()
	l, err := s.load(ctx, k)
	if err != nil {
		return false, err
	}
	p := s.decide(l)
	if p == nil {
		return false, nil
	}
	return s.addJob(ctx, k, l, *p, nil)
}

// addJob stores a job for a plan and reports whether it did: not if the session has a job
// already, or was changed since l was read.
func (s *Service) addJob(ctx context.Context, k key, l liveWindow, p plan, give func(*work)) (planned bool, err error) {
	j, err := s.newJob(k, p, give)
	if err != nil {
		return false, err
	}
	err = s.store.Write(ctx, k.agent, func(tx memory.Tx) error {
		w, err := tx.Window(k.session)
		if err != nil || w == nil || w.Version != l.window.Version {
			return err
		}
		planned, err = s.jobs.Add(tx, j)
		return err
	})
	if planned && err == nil {
		s.recorded(StepPlanned)
	}
	return planned && err == nil, err
}

// resumeAll looks for jobs that had to wait.
func (s *Service) resumeAll() {
	if _, err := s.Resume(s.queue.ctx, ""); err != nil {
		s.log.Warn("resume compactions", "error", err)
	}
}

// Resume goes on with the jobs that an earlier attempt or process has left, of
// one agent or of all (""). With a local summarizer first they are finished when
// it returns, otherwise they are in the queue; it returns how many there are.
// A job that another process may still work on is looked at again when its
// lease ends. An error is that of reading the jobs: one that fails stays and is
// tried again.
func (s *Service) Resume(ctx context.Context, agent string) (int, error) {
	jobs, err := s.store.Jobs(ctx, agent, jobKind)
	if err != nil {
		return 0, err
	}
	for _, j := range jobs {
		k, wait := key{j.Agent, j.Subject}, s.jobs.Wait(j)
		switch {
		case ctx.Err() != nil:
			return len(jobs), ctx.Err()
		case wait > 0:
			s.queue.later(wait, s.resumeAll)
		default:
			s.begin(ctx, k)
		}
	}
	return len(jobs), nil
}

// begin has a session's job done while nobody waits for its outcome: at once if the first
// summarizer is local, else by the queue. If the queue is full, the job is looked at again in a
// minute.
func (s *Service) begin(ctx context.Context, k key) {
	switch {
	case !s.inBackground():
		s.resumeOne(ctx, k)
	case !s.queue.add(k):
		s.queue.later(time.Minute, s.resumeAll)
	}
}

// resumeOne finishes one job; nobody waits for its outcome.
func (s *Service) resumeOne(ctx context.Context, k key) {
	defer s.lock(k)()
	if _, err := s.runJob(ctx, k, false, false); err != nil {
		s.queue.later(job.FirstWait, s.resumeAll)
	}
}

// Wait returns when no work is left that goes on in the background, with the error of ctx
// if that ends first. Work that failed is not waited for: it is tried again later.
func (s *Service) Wait(ctx context.Context) error { return s.queue.idle(ctx) }

// Close lets the work under way finish until ctx ends, and interrupts it then;
// its error is that of ctx. What is not finished stays recorded, for the next
// process. Calls after Close leave their jobs to that as well, unless the
// summarizer is local.
func (s *Service) Close(ctx context.Context) error { return s.queue.close(ctx) }
