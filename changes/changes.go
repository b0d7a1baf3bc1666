// Package changes shows the log of a bank and undoes changes: all changes, by whichever feature,
// newest first, and any of them by its id. Each feature logs and undoes its own changes. This
// package knows which one to call.
package changes

import (
	"context"

	"mcp-memory/consolidate"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

// Service reads the logs of banks and takes changes back. Safe for concurrent use.
type Service struct {
	remember *remember.Service
	selfCare *consolidate.Service
	home     string // where self-care may be done, see [consolidate.Options]
}

// New returns the service over the features; home is [consolidate.Options.Home].
func New(r *remember.Service, c *consolidate.Service, home string) *Service {
	return &Service{remember: r, selfCare: c, home: home}
}

// Log returns up to limit changes before the one with an id, the newest first; see
// [remember.Service.Log].
func (s *Service) Log(ctx context.Context, scope memory.Scope, before string, limit int) ([]remember.Changed, error) {
	return s.remember.Log(ctx, scope, before, limit)
}

// lastPage is how many changes are looked through at a time for the last one.
const lastPage = 20

// Last returns the newest change that was not taken back; [memory.CodeNotFound] if
// there is none.
func (s *Service) Last(ctx context.Context, scope memory.Scope) (remember.Changed, error) {
	for before := ""; ; {
		page, err := s.remember.Log(ctx, scope, before, lastPage)
		if err != nil {
			return remember.Changed{}, err
		}
		for _, one := range page {
			if before = one.ID; one.UndoneAt.IsZero() {
				return one, nil
			}
		}
		if len(page) < lastPage {
			return remember.Changed{}, memory.Errorf(memory.CodeNotFound, "there is nothing to undo").
				WithHint("`mcp-memory log` shows what was changed")
		}
	}
}

// Find returns the change with an id of the log; [memory.CodeNotFound] if there is none.
func (s *Service) Find(ctx context.Context, scope memory.Scope, id string) (remember.Changed, error) {
	return s.remember.LoggedChange(ctx, scope, id)
}

// Undone says what a way back has done.
type Undone struct {
	Aside   int // memories that the change had made, and are set aside now
	Back    int // memories that hold again, or as before
	Turns   int // messages that an import had stored, and are gone
	Missing int // what could not be brought back, because it was changed or erased since
}

// TakeBack takes one change back. Errors are those of [remember.Service.TakeBack]
// and [consolidate.Service.SelfCare].
func (s *Service) TakeBack(ctx context.Context, scope memory.Scope, one remember.Changed) (Undone, error) {
	if one.Action == remember.DidSelfCare {
		r, err := s.selfCare.SelfCare(ctx, consolidate.Request{Agent: scope.Agent, Undo: one.ID, Location: s.home})
		return Undone{Back: r.BroughtBack, Missing: len(r.Left)}, err
	}
	r, err := s.remember.TakeBack(ctx, scope, one.ID)
	return Undone{Aside: r.TakenBack, Back: len(r.IDs), Turns: r.Messages, Missing: len(r.Missing)}, err
}

// Undone returns the change that [Service.Redo] makes hold again; see [remember.Service.Undone].
func (s *Service) Undone(ctx context.Context, scope memory.Scope, id string) (remember.Changed, error) {
	return s.remember.Undone(ctx, scope, id)
}

// Redo makes a change hold again that was taken back. Errors are those of [remember.Service.Redo].
func (s *Service) Redo(ctx context.Context, scope memory.Scope, id string) (Undone, error) {
	r, err := s.remember.Redo(ctx, scope, id)
	return Undone{Back: len(r.IDs), Missing: len(r.Missing)}, err
}
