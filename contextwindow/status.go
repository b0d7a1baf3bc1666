package contextwindow

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"mcp-memory/memory"
)

// Status says how full a window is and what is under way.
type Status struct {
	Session     string
	Utilization Utilization
	// Turns, Flushed and Compacted are indexes: of the next turn, of the first
	// that was not searched for facts, and of the first that is live.
	Turns, Flushed, Compacted int
	PendingJobs               int    // of the session, 0 or 1
	Step                      string // the pending job's last one
	Attempts                  int    // that failed
	Action                    Action // what is under way, or was finished since the last call
	FactsSaved                []string
	Fallback                  string // as in Result
	LastCompaction            time.Time
	Summary                   string
	Messages                  []Message // after a compaction that was finished since the last call, or where they were cut
	Problem                   string    // why the last attempt of the job failed
}

// Status looks at a session; what was finished in the background is told once.
// [memory.CodeNotFound] for a session that has no window.
func (s *Service) Status(ctx context.Context, scope memory.Scope, session string) (Status, error) {
	if err := checkSession(session); err != nil {
		return Status{}, err
	}
	k := key{scope.Agent, session}
	defer s.lock(k)()
	if _, err := s.known(ctx, k); err != nil {
		return Status{}, err
	}
	result := Result{Action: ActionNone}
	if err := s.reportNotice(ctx, k, &result); err != nil {
		return Status{}, err
	}
	status := Status{Session: session}
	j, w, err := s.pending(ctx, k)
	if err != nil {
		return Status{}, err
	}
	if j != nil {
		status.PendingJobs, status.Step, status.Attempts, status.Problem = 1, j.Step, j.Attempts, w.Problem
		result.addPending(w.Mode)
		if !s.busy(j) {
			s.queue.add(k)
		}
	}
	is, err := s.addWindow(ctx, k, &result) // read after the notice, so that the window has what the notice tells
	if err != nil {
		return Status{}, err
	}
	status.Turns, status.Flushed, status.Compacted, status.LastCompaction = is.Turns, is.Flushed, is.Compacted, is.LastCompaction
	status.Utilization, status.Action, status.FactsSaved = result.Utilization, result.Action, result.FactsSaved
	status.Summary, status.Messages, status.Fallback = is.Summary, result.Messages, result.Fallback
	return status, nil
}

// known is load that fails with [memory.CodeNotFound] for a session without a window.
func (s *Service) known(ctx context.Context, k key) (liveWindow, error) {
	l, err := s.load(ctx, k)
	if err == nil && !l.stored {
		return l, memory.Errorf(memory.CodeNotFound, "session %q has no context window", k.session).
			WithAdvice(memory.Advice{Tool: "report its messages with context_append first",
				Command: "`mcp-memory context FILE` reports its messages"})
	}
	return l, err
}

// pending returns the session's job and what it is about, or nil.
func (s *Service) pending(ctx context.Context, k key) (*memory.Job, work, error) {
	jobs, err := s.store.Jobs(ctx, k.agent, jobKind)
	if err != nil {
		return nil, work{}, err
	}
	at := slices.IndexFunc(jobs, func(j memory.Job) bool { return j.Subject == k.session })
	if at < 0 {
		return nil, work{}, nil
	}
	var w work
	if err := json.Unmarshal(jobs[at].Data, &w); err != nil {
		return nil, w, fmt.Errorf("read job %s: %w", jobs[at].ID, err)
	}
	return &jobs[at], w, nil
}
