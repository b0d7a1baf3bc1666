package remember

import (
	"context"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
)

// Changed is a change of the bank, as its log shows it.
type Changed struct {
	ID       string // what [Service.TakeBack] takes it back by
	Action   Did
	Count    int             // how many memories it is about
	Records  []memory.Record // the first of them that are still there, up to [ShownOfChange]
	At       time.Time
	UndoneAt time.Time // zero unless it was taken back
}

// Did says in a word what a change was.
type Did string

// What changes there are.
const (
	DidSave     Did = "save"      // a memory was kept
	DidUpdate   Did = "update"    // what was known was changed, or something took its place
	DidForget   Did = "forget"    // memories were set aside
	DidImport   Did = "import"    // a file or another program was read
	DidMerge    Did = "merge"     // one project became a part of another
	DidSelfCare Did = "self-care" // many memories became few
)

// selfCareAction is the action of the undos that package consolidate keeps.
const selfCareAction = "self_care"

// did names actions as people see them. It lacks actUndone, which is no change of its own.
var did = map[string]Did{
	actSave: DidSave, actAdd: DidSave, actChange: DidUpdate, actRemove: DidForget,
	memory.ActionSupersede: DidUpdate, actCorrect: DidUpdate, actForget: DidForget,
	actTogether: DidImport, actImport: DidImport, actMerge: DidMerge, selfCareAction: DidSelfCare,
}

// ShownOfChange is how many of the memories of a change its log shows.
const ShownOfChange = 3

// LoggedChange returns the change with an id of the log; [memory.CodeNotFound] if there is none.
func (s *Service) LoggedChange(ctx context.Context, scope memory.Scope, id string) (Changed, error) {
	// Log returns changes whose ids sort before a text; this text sorts directly behind the id.
	page, err := s.Log(ctx, scope, id+"\x01", 1)
	if err != nil {
		return Changed{}, err
	}
	if len(page) == 0 || page[0].ID != id {
		return Changed{}, memory.Errorf(memory.CodeNotFound, "there is no change %q", id).
			WithHint("`mcp-memory log` shows what was changed")
	}
	return page[0], nil
}

// Log returns up to limit changes of the bank, the newest first: those before the one with the id
// before, or with an empty one the last ones. There are more if as many come as were asked for.
// What changed memories outside of the caller's projects is left out, and so is what took a
// change back. What was imported as a bundle, copied by a link, or changed by an earlier version
// of the program is not in it.
func (s *Service) Log(ctx context.Context, scope memory.Scope, before string, limit int) ([]Changed, error) {
	if limit < 1 || limit > memory.MaxBatch {
		return nil, memory.Errorf(memory.CodeInvalidArgument, "limit is %d", limit).WithHint("1 to %d", memory.MaxBatch)
	}
	var log []Changed
	for len(log) < limit {
		page, err := s.store.Log(ctx, scope.Agent, before, limit)
		if err != nil || len(page) == 0 {
			return log, err
		}
		for _, l := range page {
			one, err := s.changed(ctx, scope, l)
			if err != nil {
				return nil, err
			}
			if before = l.ID; one.Count > 0 && len(log) < limit {
				log = append(log, one)
			}
		}
		if len(page) < limit {
			break
		}
	}
	return log, nil
}

func (s *Service) changed(ctx context.Context, scope memory.Scope, l memory.Logged) (Changed, error) {
	one := Changed{ID: l.ID, Action: did[l.Action], Count: l.Count, At: l.At, UndoneAt: l.UndoneAt}
	shown := l.Records
	if l.Action == memory.ActionSupersede || l.Action == actCorrect {
		// The records are those whose places were changed, and among them the new one.
		shown = slices.DeleteFunc(slices.Clone(l.Records), func(id string) bool { return id != l.ID })
		one.Count = 1
	}
	if l.Action == actUndone || strings.HasPrefix(l.Action, memory.PartOfImport) {
		one.Count = 0 // no change of its own
	}
	if one.Count == 0 && (l.Action == actMerge || l.Action == actImport || l.Action == selfCareAction) {
		one.Count = 1 // messages, or summaries of them
	}
	records, err := s.store.Records(ctx, scope.Agent, shown[:min(len(shown), ShownOfChange)])
	one.Records = records
	return one, err
}

// TakeBack takes one change back, by its id in the log or the id of the record that
// it made: what it made is set aside, what it changed or set aside is as before,
// except what was changed again since. Errors: [memory.CodeNotFound] for what is
// neither; [memory.CodeConflict] if it was taken back already, or a later change
// stands on it. Self-care is taken back by its own package.
func (s *Service) TakeBack(ctx context.Context, scope memory.Scope, id string) (ForgetResult, error) {
	var result ForgetResult
	rest := false
	err := s.store.Write(ctx, scope.Agent, func(tx memory.Tx) error {
		result, rest = ForgetResult{IDs: []string{}}, false
		u, err := tx.Undo(id)
		if memory.CodeOf(err) == memory.CodeNotFound {
			return s.takeBackUnkept(tx, id, &result)
		}
		if err != nil {
			return err
		}
		switch part(u) {
		case actSave, memory.ActionSupersede, actCorrect:
			return s.redoable(tx, id, func(tx memory.Tx) error { return s.takeBackSave(tx, u, &result) })
		case actAdd, actChange, actRemove:
			return s.redoable(tx, id, func(tx memory.Tx) error { return s.takeBackEdits(tx, u, &result) })
		}
		rest = true
		return nil
	})
	if err == nil && rest {
		return s.undo(ctx, scope, id)
	}
	return result, err
}

// takeBackUnkept takes back the save of a record for which no undo is kept, because an earlier
// version of the program made it.
func (s *Service) takeBackUnkept(tx memory.Tx, id string, result *ForgetResult) error {
	r, err := tx.Record(id)
	if memory.CodeOf(err) == memory.CodeNotFound {
		return memory.Errorf(memory.CodeNotFound, "there is nothing to undo under %q", id).WithAdvice(memory.FindChanges)
	}
	if err != nil {
		return err
	}
	if !r.Live() || r.Supersedes != "" {
		return memory.Errorf(memory.CodeConflict, "how record %s came to be was not kept", id).
			WithHint("save what holds, or forget what does not")
	}
	return s.undoCreated(tx, id, result)
}

// takeBackSave takes back a save; [memory.CodeConflict] if the record that it made was superseded
// since.
func (s *Service) takeBackSave(tx memory.Tx, u memory.Undo, result *ForgetResult) error {
	all, err := readMoved(u)
	if err != nil {
		return err
	}
	if err := standsFree(tx, u.ID, all.of(u.ID).After.SupersededBy); err != nil {
		return err
	}
	r, err := tx.Record(u.ID)
	switch {
	case memory.CodeOf(err) == memory.CodeNotFound && len(all) == 0:
		return memory.Errorf(memory.CodeConflict, "what was saved has been erased since")
	case memory.CodeOf(err) == memory.CodeNotFound: // a repetition, which let a record that was there take the place of another
		return s.takeBack(tx, u.ID, memory.Record{}, result)
	case err != nil:
		return err
	case !u.UndoneAt.IsZero() && !r.ArchivedAt.IsZero():
		return tx.MarkUndone(u.ID, s.clock()) // fails: it was taken back already
	}
	return s.undoCreated(tx, u.ID, result)
}

// takeBackEdits takes back what [edits.keep] has kept.
func (s *Service) takeBackEdits(tx memory.Tx, u memory.Undo, result *ForgetResult) error {
	all, err := readEdits(u)
	if err != nil {
		return err
	}
	for _, id := range all.Created {
		if err := standsFree(tx, id, ""); err != nil {
			return err
		}
	}
	if err := tx.MarkUndone(u.ID, s.clock()); err != nil {
		return err
	}
	for _, id := range slices.Backward(all.Created) {
		r, err := tx.Record(id)
		if memory.CodeOf(err) == memory.CodeNotFound || err == nil && !r.ArchivedAt.IsZero() {
			continue // erased or forgotten since
		}
		if err != nil {
			return err
		}
		r.ArchivedAt, r.ArchiveWhy = s.clock(), whyTakenBack
		if err := tx.UpdateRecord(r); err != nil {
			return err
		}
		result.TakenBack++
	}
	return takeEditsBack(tx, all, result)
}

// takeEditsBack gives records the states that edits have kept, as far as nobody has
// changed them since.
func takeEditsBack(tx memory.Tx, all edits, result *ForgetResult) error {
	for _, one := range slices.Backward(all.Changed) {
		r, err := tx.Record(one.ID)
		if memory.CodeOf(err) == memory.CodeNotFound {
			result.Missing = append(result.Missing, one.ID)
			continue
		}
		if err != nil {
			return err
		}
		if err := tx.UpdateRecord(one.restored(r)); err != nil {
			return err
		}
		result.IDs = append(result.IDs, one.ID)
	}
	return nil
}

// standsFree returns [memory.CodeConflict] if the record with an id was superseded since. by is
// the id of the record that superseded it when it was made, "" for none.
func standsFree(tx memory.Tx, id, by string) error {
	r, err := tx.Record(id)
	if memory.CodeOf(err) == memory.CodeNotFound || err == nil && (r.SupersededBy == "" || r.SupersededBy == by) {
		return nil
	}
	if err != nil {
		return err
	}
	return memory.Errorf(memory.CodeConflict, "record %s was changed again since, by %s", id, r.SupersededBy).
		WithHint("take that back first")
}
