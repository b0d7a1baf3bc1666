package main

import (
	"context"
	"time"

	"mcp-memory/link"
	"mcp-memory/memory"
	"mcp-memory/server"
	"mcp-memory/tools"
)

// requestsEvery is how often requests for the agent's memory are looked for.
const requestsEvery = time.Second

// consult puts each request for the agent's memory before the user of the host
// at stdin as it comes, if that host shows forms. Instructions are read once,
// and a request is over after two minutes: without a question an agent that is
// in the middle of a session would hardly learn of it in time. It returns when
// ctx is done.
func (p *Program) consult(ctx context.Context, b *bank, s *server.Server) {
	tick := time.NewTicker(requestsEvery)
	defer tick.Stop()
	asked := map[string]bool{} // requests that wait, by id
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if !s.CanAskUser() {
			continue
		}
		waiting, err := b.link.Waiting(ctx, b.scope.Agent)
		if err != nil {
			p.log.DebugContext(ctx, "look for requests", "error", err)
			continue
		}
		before := asked
		asked = map[string]bool{}
		for _, l := range waiting {
			asked[l.ID] = true
			// One that comes to its end while the user thinks about another is late,
			// and what the agent has to name itself is left to it.
			late := !p.Clock().Before(l.ExpiresAt)
			if before[l.ID] || late || link.Check(l, link.Offer{}) != nil {
				continue
			}
			if err := p.decide(ctx, b, s, l); err != nil && ctx.Err() == nil {
				p.log.InfoContext(ctx, "answer a request as the user said", "link", l.ID, "error", err)
			}
		}
	}
}

// decide asks the user about one request and answers it. It still waits if the
// user closes the form.
func (p *Program) decide(ctx context.Context, b *bank, s *server.Server, l memory.Link) error {
	waiting, cancel := context.WithTimeout(ctx, l.ExpiresAt.Sub(p.Clock()))
	defer cancel()
	go withdraw(waiting, cancel, b, l)
	answer, err := s.AskUser(waiting, tools.ShareQuestion(l, link.Offer{}))
	switch {
	case waiting.Err() != nil:
		return nil
	case err != nil:
		return err
	case answer == tools.Agreed:
		_, err = b.link.Share(context.WithoutCancel(ctx), l.From, link.Offer{LinkID: l.ID})
	case answer == tools.Refused:
		_, err = b.link.Decline(ctx, l.From, l.ID, "")
	}
	return err
}

// withdraw cancels a question when somebody else has answered: the agent, the
// user in another window, or whoever asked, by taking it back.
func withdraw(ctx context.Context, cancel context.CancelFunc, b *bank, l memory.Link) {
	tick := time.NewTicker(requestsEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if now, err := b.link.Status(ctx, l.From, l.ID); err == nil && now.Status != memory.LinkPending {
			cancel()
			return
		}
	}
}
