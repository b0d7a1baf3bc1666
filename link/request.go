package link

import (
	"context"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
)

// Part says which part of a bank is asked for or offered. An empty field sets
// no limit.
type Part struct {
	Kinds      []memory.Kind // with memory.KindTurn for messages
	Categories []string      // see the package document for "secret"
	Since      time.Time     // only what happened at this time or later
}

// normal returns the part with names in the form in which banks keep them, each
// once.
func (p Part) normal() (Part, error) {
	n := Part{Since: p.Since}
	for _, k := range p.Kinds {
		if !slices.Contains(n.Kinds, k) {
			n.Kinds = append(n.Kinds, k)
		}
	}
	for _, c := range p.Categories {
		name, err := memory.NormalCategory(c)
		if err != nil {
			return Part{}, err
		}
		if name != "" && !slices.Contains(n.Categories, name) {
			n.Categories = append(n.Categories, name)
		}
	}
	return n, nil
}

// Request asks an agent for its memory. Only Agent is needed.
type Request struct {
	Agent   string // who is asked
	Message string // for that agent to read
	Part
}

// Request asks another agent for its memory on behalf of agent. If a request to
// the same one is still waiting, that one is returned unchanged. Errors:
// [memory.CodeInvalidArgument] and [memory.CodeTooLarge] from
// [memory.Link.Validate], which also refuses a request to oneself;
// [memory.CodeNotFound] if the other agent has no bank.
func (s *Service) Request(ctx context.Context, agent string, r Request) (memory.Link, error) {
	part, err := r.Part.normal()
	if err != nil {
		return memory.Link{}, err
	}
	now := s.clock.Now()
	l := memory.Link{
		ID: s.ids.New(), To: agent, From: strings.TrimSpace(r.Agent), Message: strings.TrimSpace(r.Message),
		Kinds: part.Kinds, Categories: part.Categories, Since: part.Since,
		Status: memory.LinkPending, RequestedAt: now, ExpiresAt: now.Add(s.window),
	}
	if err := l.Validate(); err != nil {
		return memory.Link{}, err
	}
	if err := s.checkExists(ctx, l.From); err != nil {
		return memory.Link{}, err
	}
	waiting, err := s.store.PendingLink(ctx, l.To, l.From, now)
	if err != nil || waiting != nil {
		return value(waiting), err
	}
	err = s.witnessed(ctx, agent, actionRequest, l, func() (facts, error) {
		return facts{}, s.store.Write(ctx, agent, func(tx memory.Tx) (err error) {
			// Check again: inside the transaction nobody else writes to this bank.
			if waiting, err = tx.PendingLink(l.From, now); err != nil {
				return err
			}
			if waiting != nil {
				return memory.Errorf(memory.CodeConflict, "link %s is waiting already", waiting.ID)
			}
			if err := tx.InsertLink(l); err != nil {
				return err
			}
			return s.audit(tx, agent, actionRequest, l, facts{})
		})
	})
	if waiting != nil { // another call of this agent was first
		return *waiting, nil
	}
	if err != nil {
		return memory.Link{}, err
	}
	return l, nil
}

func value(l *memory.Link) memory.Link {
	if l == nil {
		return memory.Link{}
	}
	return *l
}

func (s *Service) checkExists(ctx context.Context, agent string) error {
	agents, err := s.store.Agents(ctx)
	if err != nil || slices.Contains(agents, agent) {
		return err
	}
	return memory.Errorf(memory.CodeNotFound, "there is no agent %q", agent).
		WithHint("an agent exists once it has saved something; its name is written exactly so")
}
