package link

import (
	"context"
	"slices"
	"time"

	"mcp-memory/memory"
)

// pageOfLinks is how many of the newest links are read at first to find those
// that wait. More are read only if the window of all of these is still open.
const pageOfLinks = 100

// recent returns the links of agent, on either side: waiting are those that
// wait for an answer, late those that have expired and are still stored as
// pending. Both are newest first.
func (s *Service) recent(ctx context.Context, agent string, now time.Time) (waiting, late []memory.Link, err error) {
	for limit := pageOfLinks; ; limit *= 10 {
		links, err := s.store.Links(ctx, agent, limit)
		if err != nil {
			return nil, nil, err
		}
		// Newest first: if the last one read has expired, all older ones have.
		if len(links) == limit && !now.After(links[limit-1].ExpiresAt) {
			continue
		}
		for _, l := range links {
			switch {
			case overdue(l, now):
				late = append(late, l)
			case l.Status == memory.LinkPending:
				waiting = append(waiting, l)
			}
		}
		return waiting, late, nil
	}
}

// Waiting returns the requests that agent has to answer, newest first. It only
// reads, because instructions and resources call it.
func (s *Service) Waiting(ctx context.Context, agent string) ([]memory.Link, error) {
	waiting, _, err := s.recent(ctx, agent, s.clock.Now())
	return slices.DeleteFunc(waiting, func(l memory.Link) bool { return l.From != agent }), err
}

// Pending returns the requests that wait, newest first: those that agent has to
// answer (Link.From is agent) and its own (Link.To is agent). It stores overdue
// ones as expired.
func (s *Service) Pending(ctx context.Context, agent string) ([]memory.Link, error) {
	waiting, late, err := s.recent(ctx, agent, s.clock.Now())
	if err != nil {
		return nil, err
	}
	for _, l := range late {
		if _, err := s.expire(ctx, l); err != nil {
			return nil, err
		}
	}
	return waiting, nil
}

// Status returns a link in which agent takes part on either side; an overdue
// one is stored as expired first. It returns a [memory.CodeNotFound] for any
// other link.
func (s *Service) Status(ctx context.Context, agent, id string) (memory.Link, error) {
	l, err := s.find(ctx, agent, id)
	if err != nil || !overdue(l, s.clock.Now()) {
		return l, err
	}
	return s.expire(ctx, l)
}

func (s *Service) find(ctx context.Context, agent, id string) (memory.Link, error) {
	if id == "" {
		return memory.Link{}, memory.Errorf(memory.CodeInvalidArgument, "link_id is missing").
			WithAdvice(memory.Advice{Tool: "neural_link with action pending returns ids", Command: "`mcp-memory link list` shows them"})
	}
	return s.store.LinkOf(ctx, agent, id)
}

// expire stores a link as expired, unless it is not pending any more because
// somebody expired or answered it meanwhile. It returns the link as it then is.
func (s *Service) expire(ctx context.Context, l memory.Link) (memory.Link, error) {
	changed := false
	err := s.store.Write(ctx, l.To, func(tx memory.Tx) (err error) {
		if l, err = tx.Link(l.ID); err != nil || l.Status != memory.LinkPending {
			return err
		}
		changed = true
		l.Status, l.DecidedAt = memory.LinkExpired, l.ExpiresAt
		if err := tx.UpdateLink(l); err != nil {
			return err
		}
		return s.audit(tx, "", actionExpire, l, facts{})
	})
	if err != nil || !changed {
		return l, err
	}
	return l, s.auditSharer(ctx, "", actionExpire, l, facts{})
}
