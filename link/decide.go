package link

import (
	"context"
	"strings"
	"time"

	"mcp-memory/memory"
)

// Decline declines a request for the memory of agent. Errors:
// [memory.CodeNotFound] for a link between other agents, [memory.CodeForbidden]
// for agent's own request, [memory.CodeExpired] after the window,
// [memory.CodeConflict] if it was decided before.
func (s *Service) Decline(ctx context.Context, agent, id, note string) (memory.Link, error) {
	now := s.clock.Now()
	l, err := s.asked(ctx, agent, id, now)
	if err != nil {
		return l, err
	}
	l.Status, l.Note = memory.LinkDeclined, strings.TrimSpace(note)
	return s.close(ctx, agent, actionDecline, l, now)
}

// Revoke takes back a request made by agent. Errors are those of
// [Service.Decline], but [memory.CodeForbidden] is for the agent that was
// asked.
func (s *Service) Revoke(ctx context.Context, agent, id string) (memory.Link, error) {
	now := s.clock.Now()
	l, err := s.find(ctx, agent, id)
	if err != nil {
		return l, err
	}
	if l.To != agent {
		return l, memory.Errorf(memory.CodeForbidden, "link %s is a request of %s", id, l.To).
			WithAdvice(memory.Advice{Tool: "neural_link with action decline ends it", Command: "`mcp-memory link decline " + id + "`"})
	}
	if err := checkOpen(l, now); err != nil {
		return l, err
	}
	l.Status = memory.LinkRevoked
	return s.close(ctx, agent, actionRevoke, l, now)
}

// asked returns an open link for which agent is the one that was asked.
func (s *Service) asked(ctx context.Context, agent, id string, now time.Time) (memory.Link, error) {
	l, err := s.find(ctx, agent, id)
	if err != nil {
		return l, err
	}
	if l.From != agent {
		return l, memory.Errorf(memory.CodeForbidden, "link %s is your own request", id).
			WithHint("%s has to answer it; you can revoke it", l.From)
	}
	return l, checkOpen(l, now)
}

// close ends a request without a copy: it stores l, whose status the caller has
// set.
func (s *Service) close(ctx context.Context, actor, action string, l memory.Link, now time.Time) (memory.Link, error) {
	l.DecidedAt = now
	if err := l.Validate(); err != nil {
		return l, err
	}
	return l, s.witnessed(ctx, actor, action, l, func() (facts, error) {
		return facts{}, s.store.Write(ctx, l.To, func(tx memory.Tx) error {
			if err := checkInside(tx, l.ID, now); err != nil {
				return err
			}
			if err := tx.UpdateLink(l); err != nil {
				return err
			}
			return s.audit(tx, actor, action, l, facts{})
		})
	})
}

// checkInside does what checkOpen does, inside the transaction that decides. If
// several processes decide at once, the first one wins.
func checkInside(tx memory.Tx, id string, now time.Time) error {
	stored, err := tx.Link(id)
	if err != nil {
		return err
	}
	return checkOpen(stored, now)
}
