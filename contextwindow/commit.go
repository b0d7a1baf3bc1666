package contextwindow

import (
	"context"
	"slices"

	"mcp-memory/memory"
)

// commit stores everything that the call reports in one transaction: window, turns and events. It
// takes the session's notice, and plans the job that the window needs, unless there is one
// already. It may run several times, so it first resets what an earlier run found.
func (a *appending) commit(ctx context.Context, tx memory.Tx) error {
	a.stored, a.sizes, a.job, a.mine, a.wasCut = nil, nil, nil, false, false
	next, err := a.window(tx)
	if err != nil {
		return err
	}
	if err := a.insert(tx, next); err != nil {
		return err
	}
	if err := a.met(ctx, tx, a.request.Scope, a.stored); err != nil {
		return err
	}
	if _, err := tx.InsertEvents(a.events); err != nil {
		return err
	}
	if a.notice, err = noticeOf(tx.State(noticeKey(a.session))); err != nil {
		return err
	}
	if a.notice != nil {
		if err := tx.SetState(noticeKey(a.session), nil); err != nil {
			return err
		}
	}
	if a.job, err = tx.Job(jobKind, a.session); err != nil || a.job != nil {
		return err
	}
	return a.planIn(tx)
}

// window stores the window's row if it is new or changed, and returns the index that the next
// turn gets. errMoved if another process has changed the session since prepare read it.
func (a *appending) window(tx memory.Tx) (next int, err error) {
	there, err := tx.Window(a.session)
	if err != nil {
		return 0, err
	}
	w := a.live.window
	if there != nil {
		if there.Version != w.Version || there.Turns != w.Turns {
			return 0, errMoved
		}
		if there.Total == w.Total && there.Reserve == w.Reserve && there.Model == w.Model {
			return there.Turns, nil
		}
	}
	if err := a.put(tx, w); err != nil {
		return 0, err
	}
	if there, err = tx.Window(a.session); err != nil {
		return 0, err
	}
	if there.Turns != w.Turns { // another process added turns to a session that has no row yet
		return 0, errMoved
	}
	return there.Turns, nil
}

// put stores a window under its next version, and makes it the one that the call goes on with.
func (a *appending) put(tx memory.Tx, w memory.Window) error {
	w.Version, w.UpdatedAt = w.Version+1, a.now()
	a.live.window = w
	return tx.PutWindow(w)
}

// again reports whether a call brings nothing new and repeats the end of a compacted session: it
// may be a retry because the first answer was lost, so the compacted history is returned again.
func (a *appending) again(l liveWindow) bool {
	reached := a.replay
	for at := range a.known {
		reached = max(reached, at+1)
	}
	return len(a.stored) == 0 && l.window.Compacted > 0 && reached == l.window.Turns
}

// differing returns, sorted, the external ids of repeated messages whose content is not that of
// the stored turn. A message that was truncated here and is sent back so counts as the same.
func (a *appending) differing(ctx context.Context) (ids []string, err error) {
	for at, d := range a.known {
		turns, err := a.store.Turns(ctx, a.agent, a.session, at, at+1)
		if err != nil {
			return nil, err
		}
		if len(turns) == 1 && !sameContent(d, turns[0]) {
			ids = append(ids, d.ExternalID)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// insert stores the fresh messages as turns from index next on. One whose external id the session
// has, or an earlier message of the call, is not stored but noted in a.known.
func (a *appending) insert(tx memory.Tx, next int) error {
	var vectors [][]float32
	inCall := map[string]int{} // indexes that messages of this call will have, by external id
	a.known = map[int]draft{}
	for i, d := range a.fresh {
		if id := d.ExternalID; id != "" {
			at, err := tx.TurnPosition(a.session, id)
			if err != nil {
				return err
			}
			if place, ok := inCall[id]; ok {
				at = place
			}
			if at >= 0 {
				a.known[at] = d
				continue
			}
			inCall[id] = next + len(a.stored)
		}
		t := d.Turn
		t.Index, t.Project = next+len(a.stored), a.live.window.Project
		a.stored = append(a.stored, t)
		a.sizes = append(a.sizes, sizeOf(nothing{}, t))
		if a.vectors != nil {
			vectors = append(vectors, a.vectors[i])
		}
	}
	_, err := tx.InsertTurns(a.stored, vectors)
	return err
}

// grown returns the window as it is with the messages of the call.
func (a *appending) grown() liveWindow {
	l := a.live
	l.stored = true
	l.add(a.sizes...)
	l.window.Turns += len(a.stored)
	return l
}

// planIn stores the job that the window with the new messages needs, if any. Where the settings
// ask for no more than a cut to the last messages, it makes that cut first; see trimmed.
func (a *appending) planIn(tx memory.Tx) error {
	l := a.grown()
	if w, ok := a.trimmed(l); ok {
		l.drop(w.Compacted - l.window.Compacted)
		if err := a.put(tx, w); err != nil {
			return err
		}
		l.window = a.live.window
		a.wasCut = true
	}
	p := a.decide(l)
	if p == nil {
		return nil
	}
	j, err := a.newJob(a.key, *p, nil)
	if err != nil {
		return err
	}
	a.job, a.mine = &j, true
	return tx.PutJob(j)
}

// after does what follows the transaction: it brings the cache and the session's file up to date,
// has the job done or queued, and measures the window.
func (a *appending) after(ctx context.Context) (Result, error) {
	ctx = context.WithoutCancel(ctx) // the messages are stored: see it through
	if len(a.stored) > 0 && a.vectors == nil {
		a.queued()
	}
	if a.mine {
		a.recorded(StepPlanned)
	}
	result := Result{Session: a.session, Appended: len(a.stored), Action: ActionNone}
	for _, d := range a.drafts {
		result.Classifications = append(result.Classifications, d.Details.Classification)
	}
	var err error
	if result.Differing, err = a.differing(ctx); err != nil {
		return result, err
	}
	c := a.cache.of(a.key)
	c.replay = a.replay
	if len(a.stored) > 0 && c.from+len(c.sizes.turns) == a.stored[0].Index {
		c.sizes.add(a.sizes...)
	}
	l, err := a.load(ctx, a.key)
	if err != nil {
		return result, err
	}
	a.mirror(ctx, c, l)
	result.Before = a.measureUncut(l)
	result.addOutcome(a.notice)
	if a.job != nil {
		if err := a.dispatch(ctx, a.key, l, a.job, &result); err != nil {
			return result, err
		}
	}
	if _, err := a.addWindow(ctx, a.key, &result); err != nil || result.Messages != nil {
		return result, err
	}
	if a.wasCut || a.again(l) {
		result.Messages, _, err = a.history(ctx, l.window)
	}
	return result, err
}

// measureUncut returns how full the window is by the whole sizes of its turns, before anything is
// done about it.
func (s *Service) measureUncut(l liveWindow) Utilization {
	return s.settings.utilization(l.window, l.used(), len(l.turns), s.stuck(l))
}

// mirror writes to the session's file the turns that it lacks. If it cannot be written, the next
// call tries again.
func (a *appending) mirror(ctx context.Context, c *cached, l liveWindow) {
	f := a.files(a.agent)
	if f == nil {
		return
	}
	turns := a.stored
	if end := l.window.Turns; c.mirrored != end-len(turns) {
		// The file may lack turns of other processes, or of one that ended before it wrote them.
		from := c.mirrored
		if from < 0 { // not known: compactions write what is before the watermark, but a cut may have moved it without
			from = max(0, l.window.Compacted-memory.MaxBatch)
		}
		var err error
		if turns, err = a.store.Turns(ctx, a.agent, a.session, from, 0); err != nil {
			a.log.WarnContext(ctx, "read a session for its file", "error", err)
			return
		}
	}
	if len(turns) == 0 {
		return
	}
	if err := f.AppendSession(ctx, a.session, turns); err != nil {
		a.log.WarnContext(ctx, "append to a session's file", "error", err)
		return
	}
	c.mirrored = turns[len(turns)-1].Index + 1
}
