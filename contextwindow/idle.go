package contextwindow

import (
	"context"
	"time"
)

// LongIdle is how old the newest turn of a session may be at most for [Service.FlushIdle] to take
// it up. A session that is idle for longer waits until somebody goes on with it.
const LongIdle = 30 * 24 * time.Hour

// atOnce bounds how many sessions one call of FlushIdle takes up.
const atOnce = 100

// FlushIdle saves the facts of the sessions, of all agents, in which nothing has been
// reported for a while: hosts without hooks do not say that a conversation is over. It
// returns how many it took up. What another process does meanwhile is left to it.
func (s *Service) FlushIdle(ctx context.Context) (int, error) {
	if s.settings.Idle == 0 || s.settings.byMessages() && s.settings.MemoryWindow == 0 {
		return 0, nil
	}
	now, n := s.now(), 0
	idle, err := s.store.IdleSessions(ctx, now.Add(-LongIdle), now.Add(-s.settings.Idle), atOnce)
	if err != nil {
		return 0, err
	}
	for _, one := range idle {
		if ctx.Err() != nil {
			return n, ctx.Err()
		}
		k := key{one.Agent, one.Session}
		switch planned, err := s.planFlush(ctx, k); {
		case err != nil:
			return n, err
		case planned:
			s.begin(ctx, k)
			n++
		}
	}
	return n, nil
}

// planFlush stores a job for what was not searched yet, if the session has none.
func (s *Service) planFlush(ctx context.Context, k key) (planned bool, err error) {
	defer s.lock(k)()
	l, err := s.load(ctx, k)
	if err != nil {
		return false, err
	}
	p := s.flush(l)
	if p == nil {
		return false, nil
	}
	return s.addJob(ctx, k, l, *p, nil)
}

// WatchIdle calls FlushIdle until ctx ends, each quarter of the idle time, but not more often
// than each second nor less often than every 5 minutes.
func (s *Service) WatchIdle(ctx context.Context) {
	if s.settings.Idle == 0 {
		return
	}
	look := time.NewTicker(min(max(s.settings.Idle/4, time.Second), 5*time.Minute))
	defer look.Stop()
	for {
		if _, err := s.FlushIdle(ctx); err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "save the facts of idle conversations", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
	}
}
