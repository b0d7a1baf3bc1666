package contextwindow

import (
	"context"
	"encoding/json"

	"mcp-memory/internal/job"
	"mcp-memory/memory"
)

// act does a session's job, or has it done. Behind, if the preferred summarizer
// keeps callers waiting; but not where the window is over its budget or the
// queue is full. The caller has the session's lock.
func (s *Service) act(ctx context.Context, k key, l live, j *memory.Job, result *Result) error {
	var w work
	if err := json.Unmarshal(j.Data, &w); err != nil {
		return err
	}
	over := l.percent() > 100
	if s.behind() && !over && (s.busy(j) || s.queue.add(k)) {
		result.started(w.Mode)
		result.Problem = w.Problem
		return nil
	}
	result.Problem = w.Problem
	return s.inCall(ctx, k, w.Mode, over, result)
}

// busy reports whether a job cannot be taken now.
func (s *Service) busy(j *memory.Job) bool { return s.jobs.Wait(*j) > 0 }

// inCall does a session's jobs with the local summarizers while the caller
// waits, until the window needs nothing more. With force they are taken from
// whoever holds them. A failure is told, not returned: nothing is lost by it.
func (s *Service) inCall(ctx context.Context, k key, mode Mode, force bool, result *Result) error {
	if len(local(s.Summarizers)) == 0 {
		result.started(mode)
		return nil
	}
	for range 3 {
		o, err := s.perform(ctx, k, true, force)
		if err != nil {
			result.started(mode)
			result.Problem = memory.Public(err).Message
			s.queue.later(job.FirstWait, s.again)
			return nil
		}
		if o == nil {
			result.started(mode)
			return nil
		}
		result.tell(o)
		result.Problem = ""
		l, err := s.load(ctx, k)
		if err != nil {
			return err
		}
		p := s.decide(l)
		if p == nil {
			return nil
		}
		planned, err := s.plan(ctx, k, l, *p, nil)
		if err != nil || !planned {
			return err
		}
		mode = p.mode
	}
	return nil
}
