package contextwindow

import (
	"cmp"
	"context"
	"time"

	"mcp-memory/memory"
)

// maxReplayed and maxReplayedBytes bound the messages and the bytes of text that a replay reports
// in one call: few, so that facts are saved and the history compacted about when it would have
// been while the conversation went on.
const (
	maxReplayed      = 20
	maxReplayedBytes = 8 << 10
)

// ReplayRequest says how recorded conversations are reported.
type ReplayRequest struct {
	Scope   memory.Scope
	Session string // for all turns; empty is that of each turn
	Total   int    // as in AppendRequest
	Reserve *int
	Model   string
}

// Replay reports recorded conversations, turn by turn, as a host would have
// done while they went on. It is for one goroutine.
type Replay struct {
	service  *Service
	request  ReplayRequest
	session  string
	messages []Message // of the session, to be reported
	bytes    int       // of their text
	sessions []string  // in order of appearance
	last     map[string]Result
	done     Replayed
}

// Replayed is what came of a replay.
type Replayed struct {
	Flushes, Compactions int
	Sessions             []Result // how each session stands, in order of appearance
}

// Replay begins one. Turns go to [Replay.Add], and [Replay.Finish] ends it.
func (s *Service) Replay(r ReplayRequest) *Replay {
	return &Replay{service: s, request: r, last: map[string]Result{}}
}

// recorded is a turn of a transcript as it is reported.
func recorded(t memory.Turn) Message {
	m := Message{Role: t.Role, Content: t.Content, Name: t.Speaker, TS: t.SaidAt, ExternalID: t.ExternalID}
	if t.Details != nil {
		m.Thinking, m.ToolCalls, m.ToolCallID = t.Details.Thinking, t.Details.ToolCalls, t.Details.ToolCallID
	}
	return m
}

// Check refuses a turn that cannot be reported, before others of its report
// are: one that is too large, for example. Its errors are those of
// [Message.Check].
func (*Replay) Check(t memory.Turn) error { return recorded(t).Check() }

// Add takes the next turn. [memory.CodeInvalidArgument] if no session is named;
// else its errors are those of [Service.Append].
func (r *Replay) Add(ctx context.Context, t memory.Turn) error {
	session := cmp.Or(r.request.Session, t.Session)
	if session == "" {
		return memory.Errorf(memory.CodeInvalidArgument, "the transcript does not name its session").WithHint("name it with --session")
	}
	m := recorded(t)
	size := len(m.Content) + len(m.Thinking)
	if session != r.session || len(r.messages) == maxReplayed || r.bytes+size > maxReplayedBytes {
		if err := r.report(ctx); err != nil {
			return err
		}
	}
	r.session, r.bytes = session, r.bytes+size
	r.messages = append(r.messages, m)
	return nil
}

// report appends the messages that were collected to their session.
func (r *Replay) report(ctx context.Context) error {
	if len(r.messages) == 0 {
		return nil
	}
	result, err := r.service.Append(ctx, AppendRequest{
		Scope: r.request.Scope, Session: r.session, Messages: r.messages,
		Total: r.request.Total, Reserve: r.request.Reserve, Model: r.request.Model, Source: "transcript",
	})
	if err != nil {
		return err
	}
	r.count(result.Action)
	before, known := r.last[r.session]
	if !known {
		r.sessions = append(r.sessions, r.session)
	}
	result.Appended += before.Appended
	result.Classifications = append(before.Classifications, result.Classifications...)
	result.FactsSaved = append(before.FactsSaved, result.FactsSaved...)
	result.Differing = append(before.Differing, result.Differing...)
	result.Fallback = cmp.Or(result.Fallback, before.Fallback)
	r.last[r.session] = result
	r.messages, r.bytes = nil, 0
	return nil
}

// count counts what is done; what was only started is told again when it is.
func (r *Replay) count(done Action) {
	switch done {
	case ActionFlushed:
		r.done.Flushes++
	case ActionCompacted:
		r.done.Compactions++
	}
}

// Finish reports the rest, waits for background work as [Service.WaitUpTo] does
// and looks how the sessions stand then.
func (r *Replay) Finish(ctx context.Context, patience time.Duration) (Replayed, error) {
	if err := r.report(ctx); err != nil {
		return r.done, err
	}
	if err := r.service.WaitUpTo(ctx, patience); err != nil {
		return r.done, err
	}
	for _, session := range r.sessions {
		result, err := r.finished(ctx, session)
		if err != nil {
			return r.done, err
		}
		r.done.Sessions = append(r.done.Sessions, result)
	}
	return r.done, nil
}

// finished is the last result of a session with what was done after it.
func (r *Replay) finished(ctx context.Context, session string) (Result, error) {
	status, err := r.service.Status(ctx, r.request.Scope, session)
	if err != nil {
		return Result{}, err
	}
	last := r.last[session]
	if r.count(status.Action); status.Action != ActionNone {
		last.Action = status.Action
	}
	last.Utilization, last.Problem, last.Fallback = status.Utilization, status.Problem, cmp.Or(status.Fallback, last.Fallback)
	last.FactsSaved = append(last.FactsSaved, status.FactsSaved...)
	if status.LastCompaction.IsZero() {
		return last, nil
	}
	last.Summary = status.Summary
	last.Messages, err = r.service.History(ctx, r.request.Scope, session)
	return last, err
}

// WaitUpTo waits for background work, at most for so long; work that is late is
// no error. Its error is that of ctx.
func (s *Service) WaitUpTo(ctx context.Context, patience time.Duration) error {
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := s.Wait(waiting); err != nil {
		return ctx.Err() // nil if it is only late
	}
	return nil
}
