package link

import (
	"context"
	"time"

	"mcp-memory/memory"
)

// DefaultPoll is how often requests for the agent's memory are looked for.
const DefaultPoll = time.Second

// Decision is what a user says to a request for the agent's memory.
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
	// AskToShare puts a request before the user and waits for the answer. An
	// error where ctx has ended does not count.
	AskToShare(ctx context.Context, l memory.Link) (Decision, error)
}

// Consult puts each request for an agent's memory before the user as it comes,
// and answers it as the user says. Instructions are read once, and a request is
// over after two minutes: without a question an agent that is in the middle of
// a session would hardly learn of it in time. It returns when ctx is done.
func (s *Service) Consult(ctx context.Context, agent string, user User) {
	tick := time.NewTicker(s.poll)
	defer tick.Stop()
	asked := map[string]bool{} // requests that wait, by id
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
			// One that comes to its end while the user thinks about another is late,
			// and what the agent has to name itself is left to it.
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

// consultAbout asks the user about one request and answers it. It still waits
// if the user closes the question.
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

// cancelWhenAnswered withdraws a question when somebody else has answered: the
// agent, the user in another window, or whoever asked, by taking it back.
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
