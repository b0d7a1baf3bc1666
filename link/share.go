package link

import (
	"context"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
)

// Offer accepts a request and says what to share. Only LinkID is needed.
type Offer struct {
	LinkID string
	Note   string // for the receiver to read
	Part          // what may be copied
}

// Shared is the result of sharing.
type Shared struct {
	memory.Link
	Withheld int // secrets that would have been copied if the category "secret" had been named
	// LeftOut counts by kind what was neither copied nor skipped because the
	// receiver has it. Beside [memory.Kinds] and [memory.KindTurn] its keys are
	// "todo", "calendar", "thinking" (thoughts of messages that were copied, now
	// or before), "archived" and "superseded" (records). Only the sharer learns
	// of it.
	LeftOut map[string]int
}

// Share copies the bank of agent, or the part that both sides allow, to the
// bank of the agent that asked. Errors are those of [Service.Decline], and
// [memory.CodeInvalidArgument] if there is nothing that both sides allow: then
// the request stays open.
func (s *Service) Share(ctx context.Context, agent string, o Offer) (Shared, error) {
	now := s.clock.Now() // before waiting for the transaction, which must not make the answer late
	l, err := s.asked(ctx, agent, o.LinkID, now)
	if err != nil {
		return Shared{}, err
	}
	begun := copying{Service: s}
	if begun.link, begun.offered, err = answered(l, o, now); err != nil {
		return Shared{}, err
	}
	l = begun.link
	var c copying
	err = s.witnessed(ctx, agent, actionShare, l, func() (facts, error) {
		err := s.store.Write(ctx, l.To, func(tx memory.Tx) error {
			if err := checkInside(tx, l.ID, now); err != nil {
				return err
			}
			c = begun
			c.tx = tx
			if err := c.run(ctx); err != nil {
				return err
			}
			if err := tx.UpdateLink(c.link); err != nil {
				return err
			}
			if err := s.meet(ctx, tx, l.To, l.From, l); err != nil {
				return err
			}
			return s.audit(tx, agent, actionShare, l, facts{Copied: c.link.Copied, Skipped: c.link.Skipped})
		})
		return facts{Copied: c.link.Copied, Skipped: c.link.Skipped, Withheld: c.withheld}, err
	})
	if err != nil {
		return Shared{}, err
	}
	if c.unembedded || s.met != nil {
		s.queued()
	}
	// The sharer's bank needs a transaction of its own. If that fails, the copy
	// is made all the same.
	ctx = context.WithoutCancel(ctx)
	err = s.store.Write(ctx, l.From, func(tx memory.Tx) error { return s.meet(ctx, tx, l.From, l.To, l) })
	if err != nil {
		s.log.WarnContext(ctx, "note who was given the memory", "error", err)
	}
	return Shared{c.link, c.withheld, c.left}, nil
}

// meet calls Options.Met with a completed link, if it is set.
func (s *Service) meet(ctx context.Context, tx memory.Tx, agent, other string, l memory.Link) error {
	if s.met == nil {
		return nil
	}
	return s.met(ctx, tx, agent, other, l.ID, l.DecidedAt)
}

// Check returns the error with which [Service.Share] would refuse the kinds,
// categories and note of an offer.
func Check(l memory.Link, o Offer) error {
	_, _, err := answered(l, o, l.RequestedAt)
	return err
}

// answered returns the link with the offer applied, and the categories that the
// offer names.
func answered(l memory.Link, o Offer, now time.Time) (memory.Link, []string, error) {
	offered, err := o.Part.normal()
	if err != nil {
		return l, nil, err
	}
	l.Status, l.DecidedAt, l.Note = memory.LinkShared, now, strings.TrimSpace(o.Note)
	l.SharedKinds, l.SharedCategories = offered.Kinds, offered.Categories
	if err := l.Validate(); err != nil {
		return l, nil, err
	}
	err = agree(&l, offered)
	return l, offered.Categories, err
}

// agree sets SharedKinds, SharedCategories and SharedSince of the link to what
// both sides allow. It returns a [memory.CodeInvalidArgument] if that is
// nothing.
func agree(l *memory.Link, offered Part) error {
	allowed := offered.Kinds
	if len(allowed) == 0 {
		allowed = slices.DeleteFunc(memory.Kinds(), func(k memory.Kind) bool { return k == memory.KindSoul })
	}
	l.SharedKinds = common(l.Kinds, allowed)
	if len(l.SharedKinds) == 0 {
		return nothingAllowed("kinds", l.Kinds)
	}
	l.SharedCategories = common(l.Categories, offered.Categories)
	l.SharedCategories = slices.DeleteFunc(l.SharedCategories, func(c string) bool { return c == memory.CategorySecret })
	if slices.Contains(offered.Categories, memory.CategorySecret) { // whatever was asked for
		l.SharedCategories = append(l.SharedCategories, memory.CategorySecret)
	}
	if len(l.SharedCategories) == 0 && len(l.Categories) > 0 {
		return nothingAllowed("categories", l.Categories)
	}
	l.SharedSince = l.Since
	if offered.Since.After(l.Since) {
		l.SharedSince = offered.Since
	}
	return nil
}

// common returns the elements that both lists have. An empty list stands for
// everything.
func common[T comparable](asked, offered []T) []T {
	if len(asked) == 0 {
		return slices.Clone(offered)
	}
	if len(offered) == 0 {
		return slices.Clone(asked)
	}
	return slices.DeleteFunc(slices.Clone(asked), func(one T) bool { return !slices.Contains(offered, one) })
}

func nothingAllowed[T ~string](argument string, asked []T) error {
	names := make([]string, len(asked))
	for i, one := range asked {
		names[i] = string(one)
	}
	return memory.Errorf(memory.CodeInvalidArgument, "%s has nothing of what was asked for", argument).
		WithHint("asked for: %s; name some of these, or decline; soul and turn are shared only if you name them", strings.Join(names, ", "))
}
