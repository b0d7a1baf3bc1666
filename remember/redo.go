package remember

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"mcp-memory/memory"
)

// actUndone is the action of what was taken back: no change of its own, which
// [Service.Log] leaves out, but what [Service.Redo] makes hold again.
const actUndone = "undone"

// undone is what a redo needs to take an undo back.
type undone struct {
	Of    string   `json:"of"`    // the change that was taken back
	Marks []string `json:"marks"` // what was marked as undone with it
	edits
}

// noted is a transaction that notes its changes of records and what it marks as undone, so that
// these can be redone.
type noted struct {
	memory.Tx
	undone
}

// UpdateRecord implements [memory.Tx].
func (n *noted) UpdateRecord(r memory.Record) error { return n.edits.update(n.Tx, r) }

// MarkUndone implements [memory.Tx].
func (n *noted) MarkUndone(id string, at time.Time) error {
	n.Marks = append(n.Marks, id)
	return n.Tx.MarkUndone(id, at)
}

// redoable runs fn, which takes back the change with an id, and keeps how to redo that.
func (s *Service) redoable(tx memory.Tx, id string, fn func(memory.Tx) error) error {
	n := noted{Tx: tx, undone: undone{Of: id}}
	if err := fn(&n); err != nil || len(n.Changed) == 0 {
		return err
	}
	data, err := json.Marshal(n.undone)
	if err != nil {
		return fmt.Errorf("keep what was undone: %w", err)
	}
	u := memory.Undo{ID: s.ids.New(), Action: actUndone, Data: data, At: s.clock()}
	for _, one := range n.Changed {
		u.Records = append(u.Records, one.ID)
	}
	return tx.KeepUndo(u)
}

// redoPage is how many changes are read at a time to find what was taken back.
const redoPage = 50

// Undone returns the change that [Service.Redo] makes hold again: the one with the id or, with an
// empty id, the last one that was taken back, if nothing was changed since. [memory.CodeNotFound]
// if there is none that was taken back and can hold again.
func (s *Service) Undone(ctx context.Context, scope memory.Scope, id string) (Changed, error) {
	_, one, err := s.lastUndone(ctx, scope, id)
	return one, err
}

// lastUndone is Undone, with what was kept when the change was taken back.
func (s *Service) lastUndone(ctx context.Context, scope memory.Scope, id string) (kept memory.Logged, one Changed, err error) {
	for before := ""; ; {
		page, err := s.store.Log(ctx, scope.Agent, before, redoPage)
		if err != nil {
			return kept, one, err
		}
		for _, l := range page {
			before = l.ID
			switch {
			case l.Action != actUndone && id == "" && l.UndoneAt.IsZero() && did[l.Action] != "":
				return kept, one, errNothingToRedo(id) // because something else was changed since
			case l.Action != actUndone || !l.UndoneAt.IsZero():
				continue
			}
			of, err := s.undoneOf(ctx, scope.Agent, l.ID)
			if err != nil {
				return kept, one, err
			}
			if id != "" && id != of {
				continue
			}
			one, err := s.LoggedChange(ctx, scope, of)
			if err == nil || memory.CodeOf(err) != memory.CodeNotFound {
				return l, one, err
			}
		}
		if len(page) < redoPage {
			return kept, one, errNothingToRedo(id)
		}
	}
}

func errNothingToRedo(id string) error {
	if id == "" {
		return memory.Errorf(memory.CodeNotFound, "there is nothing to redo").
			WithHint("redo brings back what undo took last; `mcp-memory log` shows the rest, `mcp-memory redo ID` takes one of them")
	}
	return memory.Errorf(memory.CodeNotFound, "%s was not taken back, or cannot be redone", id).
		WithHint("`mcp-memory log` shows what was taken back; an import or a merge is done again")
}

// undoneOf returns the id of the change that was taken back by the undo with an id.
func (s *Service) undoneOf(ctx context.Context, agent, id string) (of string, err error) {
	err = s.store.Write(ctx, agent, func(tx memory.Tx) error {
		u, err := tx.Undo(id)
		if err != nil {
			return err
		}
		all, err := readUndone(u)
		of = all.Of
		return err
	})
	return of, err
}

func readUndone(u memory.Undo) (all undone, err error) {
	if err := json.Unmarshal(u.Data, &all); err != nil {
		return all, fmt.Errorf("read undo %s: %w", u.ID, err)
	}
	return all, nil
}

// Redo makes a change hold again that was taken back, by its id in the log, or with an
// empty id the last one that was; what was changed again since stays as it is. The
// change is then as before, and can be taken back. Errors: [memory.CodeNotFound] if
// there is none.
func (s *Service) Redo(ctx context.Context, scope memory.Scope, id string) (ForgetResult, error) {
	kept, _, err := s.lastUndone(ctx, scope, id)
	if err != nil {
		return ForgetResult{}, err
	}
	var result ForgetResult
	err = s.store.Write(ctx, scope.Agent, func(tx memory.Tx) error {
		result = ForgetResult{IDs: []string{}}
		u, err := tx.Undo(kept.ID)
		if err != nil {
			return err
		}
		all, err := readUndone(u)
		if err != nil {
			return err
		}
		if err := tx.MarkUndone(u.ID, s.clock()); err != nil {
			return err
		}
		for _, mark := range all.Marks {
			if err := tx.MarkUndone(mark, time.Time{}); err != nil && memory.CodeOf(err) != memory.CodeNotFound {
				return err
			}
		}
		return takeEditsBack(tx, all.edits, &result)
	})
	return result, err
}
