package contextwindow

import (
	"context"
	"encoding/json"

	"mcp-memory/internal/job"
	"mcp-memory/memory"
)

// dispatch has a session's job done: in the background if the first summarizer, the preferred
// one, is not local; else within the call. It is also done within the call if the window is over
// 100 % or the queue is full. The caller has the session's lock.
func (s *Service) dispatch(ctx context.Context, k key, l liveWindow, j *memory.Job, result *Result) error {
	var w work
	if err := json.Unmarshal(j.Data, &w); err != nil {
		return err
	}
	over := l.percent() > 100
	if s.inBackground() && !over && (s.busy(j) || s.queue.add(k)) {
		result.addPending(w.Mode)
		result.Problem = w.Problem
		return nil
	}
	result.Problem = w.Problem
	return s.runInCall(ctx, k, w.Mode, over, result)
}

// busy reports whether a job cannot be taken now: somebody holds its lease, or it waits for its
// next attempt.
func (s *Service) busy(j *memory.Job) bool { return s.jobs.Wait(*j) > 0 }

// runInCall does a session's job with the local summarizers while the caller waits, and then up
// to two more that the window needs. With force the lease is taken from whoever holds it. A
// failure goes into the result as its Problem and is not returned: the job stays and is tried
// again.
func (s *Service) runInCall(ctx context.Context, k key, mode Mode, force bool, result *Result) error {
	if len(local(s.summarizers)) == 0 {
		result.addPending(mode)
		return nil
	}
	for range 3 {
		o, err := s.runJob(ctx, k, true, force)
		if err != nil {
			result.addPending(mode)
			result.Problem = memory.Public(err).Message
			s.queue.later(job.FirstWait, s.resumeAll)
			return nil
		}
		if o == nil {
			result.addPending(mode)
			return nil
		}
		result.addOutcome(o)
		result.Problem = ""
		l, err := s.load(ctx, k)
		if err != nil {
			return err
		}
		p := s.decide(l)
		if p == nil {
			return nil
		}
		planned, err := s.addJob(ctx, k, l, *p, nil)
		if err != nil || !planned {
			return err
		}
		mode = p.mode
	}
	return nil
}
