package remember

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
)

// actImport is the action of one step of an [Import].
const actImport = "import step"

// whyTakenBack is why the records of a save or import that was undone are archived.
// Nobody has said that they are wrong: imported again they are as new.
const (
	whyTakenBack       = "taken back"
	whyImportTakenBack = "its import was taken back" // as earlier versions of the program say it
)

// Import is a series of batches that one undo takes back: what they created is archived, what
// they superseded holds again, what they brought back is forgotten as before. Each batch keeps
// its part of the undo, a step, in its own transaction, so that of an import that was cut short
// all that is durable can be taken back. Not safe for concurrent use.
type Import struct {
	service *Service
	agent   string
	id      string
	steps   int
}

// NewImport begins an import into the bank of agent.
func (s *Service) NewImport(agent string) *Import {
	return &Import{service: s, agent: agent, id: s.ids.New()}
}

// UndoID is what [Service.Forget] takes the import back by, "" as long as it
// has changed nothing.
func (i *Import) UndoID() string {
	if i.steps == 0 {
		return ""
	}
	return i.id
}

// importStep is what the undo of one batch needs besides the ids of the records
// that it created.
type importStep struct {
	Undos   []string      `json:"undos,omitempty"`   // ids of the undos of records that were there already and took the place of others
	Revived []wasArchived `json:"revived,omitempty"` // records that were brought back, as they were archived
	Turns   []string      `json:"turns,omitempty"`   // ids of the messages that it stored
	Edits   edits         `json:"edits,omitzero"`    // of records that it changed in place
}

func (p importStep) empty() bool { return len(p.Undos)+len(p.Revived)+len(p.Turns) == 0 }

// wasArchived is how a record was archived before a save brought it back.
type wasArchived struct {
	ID  string    `json:"id"`
	At  time.Time `json:"at"`
	Why string    `json:"why,omitempty"`
}

// Save is [Batch.Save] as a part of the import.
func (i *Import) Save(ctx context.Context, b *Batch) ([]SaveResult, error) {
	kept := false
	for n := range b.drafts {
		b.drafts[n].imported = true
	}
	results, err := b.saveWith(ctx, func(tx memory.Tx, results []SaveResult) (err error) {
		kept, err = i.keep(tx, results)
		return err
	})
	if err == nil && kept {
		i.steps++
	}
	return results, err
}

// Update is [Service.Update] as a part of the import. It is not for another content, which Save stores.
func (i *Import) Update(ctx context.Context, u UpdateRequest) error {
	if u.Content != nil || u.Project != nil {
		return memory.Errorf(memory.CodeInvalidArgument, "an import changes neither content nor project of record %s", u.ID)
	}
	err := i.service.store.Write(ctx, i.agent, func(tx memory.Tx) error {
		old, err := tx.Record(u.ID)
		if err != nil {
			return err
		}
		if err := u.permitted(old); err != nil {
			return err
		}
		if old.SupersededBy != "" {
			return memory.Errorf(memory.CodeConflict, "record %s was superseded by %s", old.ID, old.SupersededBy).WithHint("import again")
		}
		next, err := u.apply(old)
		if err != nil {
			return err
		}
		next = next.Tidied()
		if err := next.Validate(); err != nil {
			return err
		}
		var step importStep
		if err := step.Edits.update(tx, next); err != nil {
			return err
		}
		return i.put(tx, nil, step)
	})
	if err == nil {
		i.steps++
	}
	return err
}

// Keep notes, in the transaction that stores messages, how they are taken back. The caller calls
// stored once that transaction is committed.
func (i *Import) Keep(tx memory.Tx, turns []memory.Turn) (stored func(), err error) {
	if len(turns) == 0 {
		return func() {}, nil
	}
	var step importStep
	for _, t := range turns {
		step.Turns = append(step.Turns, t.ID)
	}
	return func() { i.steps++ }, i.put(tx, nil, step)
}

// keep notes how the saves of one batch are taken back, and reports whether there is anything to
// note.
func (i *Import) keep(tx memory.Tx, results []SaveResult) (bool, error) {
	var created []string
	var step importStep
	for _, r := range results {
		switch {
		case r.Action == Created || r.Action == Superseded:
			created = append(created, r.ID)
		case r.Action == Revived:
			step.Revived = append(step.Revived, r.wasArchived)
		case r.UndoID != "":
			step.Undos = append(step.Undos, r.UndoID)
		}
	}
	if len(created) == 0 && step.empty() {
		return false, nil
	}
	return true, i.put(tx, created, step)
}

func (i *Import) put(tx memory.Tx, created []string, step importStep) error {
	data, err := json.Marshal(step)
	if err != nil {
		return fmt.Errorf("keep an import: %w", err)
	}
	return tx.KeepUndo(memory.Undo{ID: stepID(i.id, i.steps), Action: actImport, Records: created, Data: data, At: i.service.clock.Now()})
}

// part is the action of an undo, whether what it takes back was a part of an import or not.
func part(u memory.Undo) string { return strings.TrimPrefix(u.Action, memory.PartOfImport) }

// stepID returns the id of the undo of a step, from 0. The first has the import's own id, which
// is the one that people see.
func stepID(id string, step int) string {
	if step == 0 {
		return id
	}
	return fmt.Sprintf("%s/%d", id, step)
}

// undoImport takes an import back, the last step first and each in a
// transaction of its own. The first step is marked last, so that one that was
// cut short can be done again.
func (s *Service) undoImport(ctx context.Context, agent, id string) (ForgetResult, error) {
	result := ForgetResult{IDs: []string{}}
	steps := 1
	err := s.store.Write(ctx, agent, func(tx memory.Tx) error {
		for steps = 1; ; steps++ {
			if _, err := tx.Undo(stepID(id, steps)); memory.CodeOf(err) == memory.CodeNotFound {
				return nil
			} else if err != nil {
				return err
			}
		}
	})
	for step := steps - 1; step >= 0 && err == nil; step-- {
		done := result
		err = s.store.Write(ctx, agent, func(tx memory.Tx) (err error) {
			done = result
			done.IDs = slices.Clone(result.IDs)
			return s.undoStep(tx, stepID(id, step), step > 0, &done)
		})
		if err == nil {
			result = done
		}
	}
	return result, err
}

// undoStep takes one step of an import back. A step that was taken back before is passed over if
// again is set, else it is [memory.CodeConflict].
func (s *Service) undoStep(tx memory.Tx, id string, again bool, result *ForgetResult) error {
	u, err := tx.Undo(id)
	if err != nil {
		return err
	}
	if again && !u.UndoneAt.IsZero() {
		return nil
	}
	if err := tx.MarkUndone(id, s.clock()); err != nil {
		return err
	}
	var step importStep
	if err := json.Unmarshal(u.Data, &step); err != nil {
		return fmt.Errorf("read undo %s: %w", id, err)
	}
	for _, one := range slices.Backward(step.Undos) {
		if err := s.takeBack(tx, one, memory.Record{}, result); err != nil {
			return err
		}
	}
	if err := takeEditsBack(tx, step.Edits, result); err != nil {
		return err
	}
	for _, created := range slices.Backward(u.Records) {
		if err := s.undoCreated(tx, created, result); err != nil {
			return err
		}
	}
	for _, before := range step.Revived {
		r, err := tx.Record(before.ID)
		if memory.CodeOf(err) == memory.CodeNotFound || err == nil && !r.ArchivedAt.IsZero() {
			continue
		}
		if err != nil {
			return err
		}
		r.ArchivedAt, r.ArchiveWhy = before.At, before.Why
		if err := tx.UpdateRecord(r); err != nil {
			return err
		}
		result.TakenBack++
	}
	removed, err := tx.RemoveTurns(step.Turns)
	result.Messages += removed
	return err
}

// undoCreated archives a record that an import or save created, and gives the records that it
// superseded their places back (see takeBack). It does nothing if the record was erased or
// archived since.
func (s *Service) undoCreated(tx memory.Tx, id string, result *ForgetResult) error {
	r, err := tx.Record(id)
	if memory.CodeOf(err) == memory.CodeNotFound || err == nil && !r.ArchivedAt.IsZero() {
		return nil // erased or forgotten since
	}
	if err != nil {
		return err
	}
	if err := s.takeBack(tx, id, r, result); err != nil {
		return err
	}
	if r, err = tx.Record(id); err != nil {
		return err
	}
	r.ArchivedAt, r.ArchiveWhy = s.clock(), whyTakenBack
	result.TakenBack++
	return tx.UpdateRecord(r)
}

// takeBack undoes what the save with the undo id superseded, if it superseded anything and that
// was not undone before. r is the record that the save made; if another has superseded r since,
// nothing is undone.
func (s *Service) takeBack(tx memory.Tx, id string, r memory.Record, result *ForgetResult) error {
	u, err := tx.Undo(id)
	if memory.CodeOf(err) == memory.CodeNotFound || err == nil && !u.UndoneAt.IsZero() {
		return nil
	}
	if err != nil {
		return err
	}
	all, err := readMoved(u)
	if err != nil {
		return err
	}
	if r.SupersededBy != "" && r.SupersededBy != all.of(id).After.SupersededBy {
		return nil
	}
	if err := tx.MarkUndone(id, s.clock()); err != nil {
		return err
	}
	if err := restore(tx, id, all, result); err != nil {
		return err
	}
	for _, m := range all { // the record that had the external id before gets it back
		old, err := tx.Record(m.ID)
		if err == nil && m.ID != id && old.ExternalID != "" && old.ExternalID == r.ExternalID {
			err = tx.NameRecord(old.ExternalID, old.ID)
		}
		if err != nil && memory.CodeOf(err) != memory.CodeNotFound {
			return err
		}
	}
	return nil
}

// errForeseen ends a transaction of which nothing is wanted but the answer.
var errForeseen = errors.New("only foreseen")

// Foresee says what Save would do now, and changes nothing: of each memory the
// action, and of what is there already the id.
func (b *Batch) Foresee(ctx context.Context) ([]SaveResult, error) {
	results := make([]SaveResult, len(b.drafts))
	err := b.service.store.Write(ctx, b.scope.Agent, func(tx memory.Tx) (err error) {
		for i, d := range b.drafts {
			if results[i], err = b.service.foresee(tx, d); err != nil {
				return &BatchError{Index: i, Err: err}
			}
		}
		return errForeseen
	})
	if !errors.Is(err, errForeseen) {
		return nil, err
	}
	return results, nil
}

// foresee is saveIn up to where something would be stored.
func (s *Service) foresee(tx memory.Tx, d draft) (SaveResult, error) {
	known, err := s.known(tx, d)
	if err != nil || known.answer.Action != "" {
		return known.answer, err
	}
	switch {
	case known.same != nil:
		return d.duplicate(known.same), nil
	case known.old != nil:
		return SaveResult{ID: known.old.ID, Action: Superseded, Category: d.Category}, nil
	}
	return SaveResult{Action: Created, Category: d.Category}, nil
}
