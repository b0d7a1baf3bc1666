package contextwindow

import (
	"context"
	"fmt"
	"strings"
	"time"

	"mcp-memory/memory"
)

// CompactRequest asks for a flush or a compaction.
type CompactRequest struct {
	Scope   memory.Scope
	Session string
	Mode    Mode // empty is ModeCompact
	// Facts and Summary were made by the caller and are used in place of a summarizer's. Nil
	// facts and a blank summary are none given; an empty list that is not nil says that there are
	// no facts.
	Facts    []GivenFact
	Summary  string
	KeepLast int // messages that stay, 1 to memory.MaxBatch; 0 is as in the settings
}

// GivenFact is a fact that the calling agent has found itself.
type GivenFact struct {
	Content    string
	Category   string   // empty is chosen by the program
	Importance *float64 // 0 to 1; nil is memory.DefaultImportance
	OccurredAt time.Time
}

// Compact saves the facts of the turns that were not searched for facts yet, and in ModeCompact
// replaces all but the last messages by a summary, however full the window is. If there is
// nothing to do, the action is [ActionNone]. Errors: [memory.CodeInvalidArgument] and
// [memory.CodeTooLarge] name the argument, [memory.CodeNotFound] for a session that has no
// window.
func (s *Service) Compact(ctx context.Context, r CompactRequest) (Result, error) {
	if err := r.check(); err != nil {
		return Result{}, err
	}
	k := key{r.Scope.Agent, r.Session}
	defer s.lock(k)()
	l, err := s.known(ctx, k)
	if err != nil {
		return Result{}, err
	}
	if err := s.checkGiven(l, r); err != nil {
		return Result{}, err
	}
	result := Result{Session: r.Session, Action: ActionNone}
	result.Before = s.measureUncut(l)
	if err := s.reportNotice(ctx, k, &result); err != nil {
		return result, err
	}
	if err := s.compact(context.WithoutCancel(ctx), k, r, &result); err != nil {
		return result, err
	}
	_, err = s.addWindow(ctx, k, &result)
	return result, err
}

func (r *CompactRequest) check() error {
	if err := checkSession(r.Session); err != nil {
		return err
	}
	switch r.Mode {
	case "":
		r.Mode = ModeCompact
	case ModeFlush, ModeCompact:
	default:
		return memory.Errorf(memory.CodeInvalidArgument, "mode %q does not exist", r.Mode).WithHint("flush or compact")
	}
	if r.KeepLast < 0 || r.KeepLast > memory.MaxBatch {
		return memory.Errorf(memory.CodeInvalidArgument, "keep_last is %d", r.KeepLast).
			WithHint("a whole number from 1 to %d", memory.MaxBatch)
	}
	if len(r.Facts) > memory.MaxBatch {
		return memory.Errorf(memory.CodeTooLarge, "facts has %d elements, at most %d are allowed", len(r.Facts), memory.MaxBatch).
			WithHint("give the ones that matter")
	}
	for i, f := range r.Facts {
		if err := f.check(); err != nil {
			return at(fmt.Sprintf("facts[%d]", i), err)
		}
	}
	return nil
}

func (f GivenFact) check() error {
	if strings.TrimSpace(f.Content) == "" {
		return memory.Errorf(memory.CodeInvalidArgument, "content is empty").WithHint("a fact is a sentence that stands on its own")
	}
	if err := memory.CheckText("content", f.Content, memory.MaxContentBytes); err != nil {
		return err
	}
	if f.Importance != nil {
		if err := memory.CheckUnit("importance", *f.Importance, 0, 1); err != nil {
			return err
		}
	}
	_, err := memory.NormalCategory(f.Category)
	return err
}

// checkGiven refuses a summary of the caller's that is over a quarter of the window's capacity.
func (s *Service) checkGiven(l liveWindow, r CompactRequest) error {
	if err := memory.CheckText("summary", r.Summary, memory.MaxTurnBytes); err != nil {
		return err
	}
	limit := l.capacity() / 4
	if n := messageTokens(s.counter(l.window.Model), summaryMessage(r.Summary)); n > limit {
		return memory.Errorf(memory.CodeTooLarge, "summary takes %d tokens, at most %d are allowed", n, limit).
			WithHint("a quarter of the window: make it shorter")
	}
	return nil
}

// compact tries what Compact was asked for, until no other process changes the session in
// between.
func (s *Service) compact(ctx context.Context, k key, r CompactRequest, result *Result) error {
	for range maxAttempts {
		if moved, err := s.tryCompact(ctx, k, r, result); !moved || err != nil {
			return err
		}
	}
	return keepsChanging(k.session)
}

// tryCompact is one attempt to finish a pending job, to plan what was asked for, and to have that
// done. moved reports that another process changed the session before the plan was stored.
func (s *Service) tryCompact(ctx context.Context, k key, r CompactRequest, result *Result) (moved bool, err error) {
	given := r.Facts != nil || strings.TrimSpace(r.Summary) != ""
	if done, err := s.finishPending(ctx, k, given, result); !done || err != nil {
		return false, err
	}
	l, err := s.load(ctx, k)
	if err != nil {
		return false, err
	}
	p := s.asked(l, r)
	if p == nil {
		return false, nil
	}
	background := s.inBackground() && !given
	planned, err := s.addJob(ctx, k, l, *p, func(w *work) {
		if r.Facts != nil {
			w.FactsGiven, w.Facts = true, foundOf(r.Facts, p.to-1)
		}
		if text := strings.TrimSpace(r.Summary); text != "" && p.mode == ModeCompact {
			w.SummaryGiven, w.Summary = true, text
		}
	})
	if err != nil || !planned {
		return true, err
	}
	if background && s.queue.add(k) {
		result.addPending(p.mode)
		return false, nil
	}
	return false, s.runInCall(ctx, k, p.mode, given, result)
}

// finishPending finishes the job that a session has already, and reports whether it has none any
// more. The job is left to the background, and that is false, if the first summarizer is not
// local, unless now is set.
func (s *Service) finishPending(ctx context.Context, k key, now bool, result *Result) (bool, error) {
	j, w, err := s.pending(ctx, k)
	if j == nil || err != nil {
		return j == nil, err
	}
	if s.inBackground() && !now {
		if !s.busy(j) {
			s.queue.add(k)
		}
		result.addPending(w.Mode)
		result.Problem = w.Problem
		return false, nil
	}
	if err := s.runInCall(ctx, k, w.Mode, true, result); err != nil {
		return false, err
	}
	return result.Problem == "", nil
}

// asked returns the plan for a request; nil if there is nothing to do.
func (s *Service) asked(l liveWindow, r CompactRequest) *plan {
	if r.Mode == ModeCompact {
		keep := r.KeepLast
		if keep == 0 {
			keep = s.settings.KeepLast
		}
		room := s.keepRoom(l)
		if r.Summary != "" {
			room = min(room, l.capacity()-messageTokens(s.counter(l.window.Model), summaryMessage(r.Summary)))
		}
		if p := s.compaction(l, keep, room); p != nil {
			return p
		}
	}
	p := s.flush(l)
	if p == nil && r.Facts != nil { // all turns were searched already: the caller's facts are saved nonetheless
		end := l.window.Compacted + len(l.turns)
		p = &plan{mode: ModeFlush, from: end, to: end, keep: l.window.Compacted}
	}
	return p
}

// foundOf returns the caller's facts as those of a job. turn is the index of the last turn when
// they were given: they count as said there.
func foundOf(facts []GivenFact, turn int) []found {
	list := make([]found, len(facts))
	for i, f := range facts {
		list[i] = found{Content: strings.TrimSpace(f.Content), Category: f.Category, Importance: f.Importance,
			OccurredAt: f.OccurredAt, Turn: turn}
	}
	return list
}
