package link

import (
	"context"
	"time"

	"mcp-memory/memory"
)

// DefaultPoll is the default interval at which [Service.Consult] looks for
// requests.
const DefaultPoll = time.Second

// Decision is a user's answer to a request for the agent's memory.
type Decision int

// The decisions.
const (
	Undecided Decision = iota // the user closed the question
	Agreed
	Refused
)

// User is the user of the agent's host.
type User interface {
	// CanAsk reports whether the host shows questions to its user at the moment.
	CanAsk() bool
	// AskToShare shows a request to the user and waits for the answer. An error
	// after the end of ctx is ignored.
	AskToShare(ctx context.Context, l memory.Link) (Decision, error)
}

// Consult shows each new request for an agent's memory to the user and carries
// out the user's decision. It is needed because the agent reads instructions
// only once, at the start of a session, and a request expires after the window,
// two minutes by default. Consult returns when ctx is done.
func (s *Service) Consult(ctx context.Context, agent string, user User) {
	tick := time.NewTicker(s.poll)
	defer tick.Stop()
	asked := map[string]bool{} // ids of the waiting requests that were seen
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if !user.CanAsk() {
			continue
		}
		waiting, err := s.Waiting(ctx, agent)
		if err != nil {
			s.log.DebugContext(ctx, "look for requests", "error", err)
			continue
		}
		before := asked
		asked = map[string]bool{}
		for _, l := range waiting {
			asked[l.ID] = true
			// Skip a request that has expired while the user thought about
			// another one, and one for which the sharer must name what to
			// share: the agent can do that.
			late := !s.clock().Before(l.ExpiresAt)
			if before[l.ID] || late || Check(l, Offer{}) != nil {
				continue
			}
			if err := s.consultAbout(ctx, user, l); err != nil && ctx.Err() == nil {
				s.log.InfoContext(ctx, "answer a request as the user said", "link", l.ID, "error", err)
			}
		}
	}
}

// consultAbout asks the user about one request and carries out the decision.
// The request stays open if the user closes the question.
func (s *Service) consultAbout(ctx context.Context, user User, l memory.Link) error {
	waiting, cancel := context.WithTimeout(ctx, l.ExpiresAt.Sub(s.clock()))
	defer cancel()
	go s.cancelWhenAnswered(waiting, cancel, l)
	decision, err := user.AskToShare(waiting, l)
	switch {
	case waiting.Err() != nil:
		return nil
	case err != nil:
		return err
	case decision == Agreed:
		_, err = s.Share(context.WithoutCancel(ctx), l.From, Offer{LinkID: l.ID})
	case decision == Refused:
		_, err = s.Decline(ctx, l.From, l.ID, "")
	}
	return err
}

// cancelWhenAnswered cancels the question when the request is no longer
// pending: the agent or the user has answered it elsewhere, or the receiver has
// revoked it.
func (s *Service) cancelWhenAnswered(ctx context.Context, cancel context.CancelFunc, l memory.Link) {
	tick := time.NewTicker(s.poll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if now, err := s.Status(ctx, l.From, l.ID); err == nil && now.Status != memory.LinkPending {
			cancel()
			return
		}
	}
}
