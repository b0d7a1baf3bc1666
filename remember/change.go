package remember

import (
	"context"
	"slices"
	"time"

	"mcp-memory/memory"
)

// Change is one transaction over a bank, for a use case that has to look at
// what is there before it can say what to save. See [Service.Change].
type Change struct {
	memory.Tx
	ctx     context.Context // of the transaction, which ends with it
	service *Service
	scope   memory.Scope
	edits   edits
	saved   []draft
	logged  []memory.Record // of these, what goes to the day's log
}

// Change runs fn in a transaction: all that it saves and changes is there, or nothing, and
// [Service.TakeBack] takes it back. What was saved goes to the day's log afterwards. Errors of fn
// come back unchanged. A local embedder is fast enough to be asked inside.
func (s *Service) Change(ctx context.Context, scope memory.Scope, fn func(*Change) error) error {
	var done *Change
	err := s.store.Write(ctx, scope.Agent, func(tx memory.Tx) error {
		done = s.In(ctx, tx, scope)
		if err := fn(done); err != nil {
			return err
		}
		return done.edits.keep(tx, s.ids, s.clock())
	})
	if err != nil {
		return err
	}
	if slices.ContainsFunc(done.saved, func(d draft) bool { return d.vector == nil }) {
		s.queued()
	}
	for _, r := range done.logged {
		s.logged(ctx, r, r.Category)
	}
	return nil
}

// In returns a Change inside a transaction of the caller's. No undo is kept and nothing goes to
// the day's log; the caller sees to it that records without a vector get one.
func (s *Service) In(ctx context.Context, tx memory.Tx, scope memory.Scope) *Change {
	return &Change{Tx: tx, ctx: ctx, service: s, scope: scope}
}

// Now is the moment of the change, as databases keep it.
func (c *Change) Now() time.Time { return c.service.clock.Now() }

// Put stores a memory as a record of its own, even where the bank has one that
// says the same: the caller has looked. With Supersedes it takes the place of
// that record, which is closed where the validity of the new one begins. It
// returns what was stored. Errors are those of [Service.Save].
func (c *Change) Put(r SaveRequest) (memory.Record, error) {
	d, err := c.service.draft(c.scope, r)
	if err != nil {
		return memory.Record{}, err
	}
	old, err := c.service.corrected(c.Tx, d, nil)
	if err != nil {
		return memory.Record{}, err
	}
	if old != nil {
		if d.CategoryGuessed && !old.CategoryGuessed {
			d.Category, d.CategoryGuessed = old.Category, false
		}
		if err := c.UpdateRecord(old.SupersededWith(&d.Record)); err != nil {
			return memory.Record{}, err
		}
		if err := d.Validate(); err != nil { // SupersededWith may have set when it begins to hold
			return memory.Record{}, err
		}
	}
	if vectors := c.service.embed(c.ctx, []string{d.Content}); vectors != nil {
		d.vector = vectors[0]
	}
	c.saved = append(c.saved, d)
	if !r.Quiet {
		c.logged = append(c.logged, d.Record)
	}
	c.edits.Created = append(c.edits.Created, d.ID)
	return d.Record, c.InsertRecord(d.Record, d.vector)
}

// UpdateRecord implements [memory.Tx].
func (c *Change) UpdateRecord(r memory.Record) error { return c.edits.update(c.Tx, r) }

// Confirm counts one more repetition of a record, and stores what else the
// caller has changed about it.
func (c *Change) Confirm(r memory.Record) error {
	r.Confirmations++
	return c.UpdateRecord(r)
}
