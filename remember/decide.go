package remember

import "mcp-memory/memory"

// saveIn decides what a draft is (new, a repetition, a correction, or another version of what is
// known) and stores it. Both are done in the caller's transaction, so that no other write comes
// between.
func (s *Service) saveIn(tx memory.Tx, d draft) (SaveResult, error) {
	d, err := s.home(tx, d)
	if err != nil {
		return SaveResult{}, err
	}
	known, err := s.known(tx, d)
	if err != nil || known.answer.Action != "" {
		return known.answer, err
	}
	named, old, same := known.named, known.old, known.same
	switch {
	case same == nil:
	case !d.again && (old == nil || old.ID == same.ID) && same.Contradicts(d.KindDetails):
		// The same words with another outcome are a correction.
		d.KindDetails, old = d.Supplemented(same.KindDetails), same
	case old == nil && d.resumes(*same, named):
		old = same
	default:
		return s.confirm(tx, d, named, old, *same)
	}
	d, v, err := s.judgeBoth(tx, d)
	if err != nil {
		return SaveResult{}, err
	}
	result := SaveResult{ID: d.ID, Action: Created, SearchableBy: d.searchableBy(), Project: d.Project, Whose: d.whose,
		Otherwise: d.otherwise, Mentions: d.Mentions}
	if old == nil && v.repeated != nil {
		return d.duplicate(v.repeated), nil
	}
	if !d.quiet {
		result.Similar = v.similar
	}
	if old == nil {
		err = carryOut(tx, &d, v, &result)
	} else {
		c := decision{tx: tx, d: &d}
		err = c.correct(*old, &result)
	}
	if err == nil && old == nil && result.UndoID == "" && !d.imported {
		err = tx.KeepUndo(memory.Undo{ID: d.ID, Action: actSave, Records: []string{d.ID}, At: d.CreatedAt})
	}
	if err != nil {
		return SaveResult{}, err
	}
	result.Category = d.Category
	return result, tx.InsertRecord(d.Record, d.vector)
}

// standing is what a bank has that concerns a draft.
type standing struct {
	answer SaveResult     // the final result, if it has an action: there is nothing else to do
	named  *memory.Record // the record with the draft's external id, or nil
	old    *memory.Record // the record that the draft corrects because somebody said so, or nil
	same   *memory.Record // the live record with the same content, or nil
}

// known looks up what a bank has that concerns a draft. If the draft may have been saved before
// (d.again), a forgotten record of it is brought back where that is wanted, and one that only the
// undo of a save or import has archived is erased, so that the draft is saved as new.
func (s *Service) known(tx memory.Tx, d draft) (k standing, err error) {
	if k.named, err = s.named(tx, d); err != nil {
		return k, err
	}
	if d.again {
		known, err := s.repeated(tx, d, k.named)
		if err == nil && known != nil && takenBack(*known) {
			if err := tx.EraseRecord(known.ID); err != nil {
				return k, err
			}
			return s.known(tx, d)
		}
		if err != nil || known != nil && (known.ArchivedAt.IsZero() || !d.revive) {
			k.answer = d.duplicate(known)
			return k, err
		}
		if k.answer, err = d.gone(tx, known); err != nil || k.answer.Action != "" {
			return k, err
		}
	}
	if k.old, err = s.corrected(tx, d, k.named); err != nil {
		return k, err
	}
	k.same, err = d.same(tx)
	return k, err
}

// same returns the live record that says what the draft says, or nil. An episode is the same only
// if its time is too, except for a draft that may have been saved before: there the content alone
// tells.
func (d draft) same(tx memory.Tx) (*memory.Record, error) {
	if d.Episode == nil || d.again {
		return tx.RecordByContent(d.Project, d.Kind, d.Content)
	}
	return memory.SameEvent(tx, d.Project, d.Kind, d.Content, d.OccurredAt)
}

// named returns the record that bears the draft's external id, or nil.
func (s *Service) named(tx memory.Tx, d draft) (*memory.Record, error) {
	if d.ExternalID == "" {
		return nil, nil
	}
	return tx.RecordByExternalID(d.ExternalID)
}

// maxChain bounds how many links from one version of a record to the next are followed, lest
// links that form a ring keep the database locked.
const maxChain = 1000

// repeated returns the record that an earlier save of the same draft has made, or nil: of named,
// the record with the draft's external id, and its earlier versions, the one with the draft's
// content and time. It may have been corrected or forgotten since.
func (s *Service) repeated(tx memory.Tx, d draft, named *memory.Record) (*memory.Record, error) {
	for n := 0; named != nil && n < maxChain; n++ {
		if named.OccurredAt.Equal(d.OccurredAt) && memory.SameContent(named.Content) == memory.SameContent(d.Content) {
			return named, nil
		}
		if named.Supersedes == "" {
			break
		}
		before, err := tx.Record(named.Supersedes)
		if memory.CodeOf(err) == memory.CodeNotFound {
			break // erased
		}
		if err != nil {
			return nil, err
		}
		named = &before
	}
	return nil, nil
}

// corrected returns the record that the draft takes the place of because somebody said so, or
// nil: the one that it names in Supersedes, unless its successor says the same as the draft; else
// the one with its external id, if that is live and says something else; else, if none has that
// id, the one that it follows. [memory.CodeConflict] if the named one was superseded already by
// another content; [memory.CodeForbidden] if it is a soul entry, and the draft is none.
func (s *Service) corrected(tx memory.Tx, d draft, named *memory.Record) (*memory.Record, error) {
	if d.Supersedes == "" {
		if named == nil {
			return s.followed(tx, d)
		}
		if !named.Live() || memory.SameContent(named.Content) == memory.SameContent(d.Content) {
			return nil, nil
		}
		return named, nil
	}
	old, err := tx.Record(d.Supersedes)
	if err != nil {
		return nil, err
	}
	if by, err := tx.Record(old.SupersededBy); err == nil && by.Live() && by.Project == d.Project &&
		memory.SameContent(by.Content) == memory.SameContent(d.Content) {
		return nil, nil // it has taken that place already
	}
	if old.SupersededBy != "" {
		return nil, memory.Errorf(memory.CodeConflict, "record %s was already superseded by %s", old.ID, old.SupersededBy).
			WithHint("supersede that one instead")
	}
	if old.Kind == memory.KindSoul && d.Kind != memory.KindSoul {
		return nil, errSoul(old.ID)
	}
	return &old, nil
}

// followed returns the record whose external id is in d.follows, if it is live, of the same
// project and kind, and says something else; otherwise nil.
func (s *Service) followed(tx memory.Tx, d draft) (*memory.Record, error) {
	if d.follows == "" {
		return nil, nil
	}
	old, err := tx.RecordByExternalID(d.follows)
	if err != nil || old == nil || !old.Live() || old.Project != d.Project || old.Kind != d.Kind ||
		memory.SameContent(old.Content) == memory.SameContent(d.Content) {
		return nil, err
	}
	return old, nil
}

// confirm saves a draft that only repeats the live record same: it counts the repetition and adds
// the details that it brings. If the draft corrects another record, old, same takes the place of
// that. A repetition under the same external id says nothing new and is not counted, nor is one
// without an external id that may have been saved before (d.again).
func (s *Service) confirm(tx memory.Tx, d draft, named, old *memory.Record, same memory.Record) (SaveResult, error) {
	result := d.duplicate(&same)
	counts := d.ExternalID != "" || !d.again
	if d.ExternalID != "" {
		if named != nil && named.ID == same.ID {
			counts = false
		} else if err := tx.NameRecord(d.ExternalID, same.ID); err != nil {
			return result, err
		}
	}
	corrects := old != nil && old.ID != same.ID
	if corrects {
		if err := d.yield(tx, *old, &same, &result); err != nil {
			return result, err
		}
	}
	if !counts && !corrects {
		return result, nil
	}
	if counts {
		same = d.supplement(same)
		result.Category = same.Category
	}
	if corrects || d.again {
		return result, tx.UpdateRecord(same)
	}
	var made edits
	if err := made.update(tx, same); err != nil {
		return result, err
	}
	return result, made.keep(tx, s.ids, d.CreatedAt)
}

// yield lets the record same, which says already what the draft says, take the place of old,
// which the draft corrects. How to undo that is kept; for an import the result has its id.
func (d draft) yield(tx memory.Tx, old memory.Record, same *memory.Record, result *SaveResult) error {
	successor, before := d.Record, placeOf(*same)
	successor.ID = same.ID
	c := decision{tx: tx, d: &d}
	if err := c.move(old, old.SupersededWith(&successor)); err != nil {
		return err
	}
	if same.Supersedes == "" {
		same.Supersedes = old.ID
	}
	result.replaced = old.ID
	if d.again {
		result.UndoID = d.ID
	} else {
		result.Superseded = []string{old.ID}
	}
	c.moved = append(c.moved, moved{same.ID, before, placeOf(*same)})
	return c.keep(actCorrect)
}

// duplicate returns the result for a draft that the record known says already; the zero result
// for nil.
func (d draft) duplicate(known *memory.Record) SaveResult {
	if known == nil {
		return SaveResult{}
	}
	return SaveResult{ID: known.ID, Action: Duplicate, Category: known.Category, SearchableBy: d.searchableBy(), Project: known.Project}
}
