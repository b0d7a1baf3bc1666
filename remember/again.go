package remember

import (
	"time"

	"mcp-memory/memory"
)

// gone returns the result for a draft whose content was forgotten or erased after it was said: an
// import of an old file does not bring it back (Forgotten) unless that is wanted (Revived). known
// is the archived record that an earlier save of the draft made, or nil. A result without an
// action is no answer: saving the draft goes on.
func (d draft) gone(tx memory.Tx, known *memory.Record) (SaveResult, error) {
	result, err := d.goneHere(tx, known)
	if err != nil || result.Action != "" || known != nil || d.whose == Chosen {
		return result, err
	}
	return d.moved().goneHere(tx, nil) // it may have been kept, and forgotten, as the other's
}

// goneHere is gone for the project that the draft has, and for no other.
func (d draft) goneHere(tx memory.Tx, known *memory.Record) (SaveResult, error) {
	live, err := d.same(tx)
	if err != nil || live != nil {
		return SaveResult{}, err
	}
	archived := known
	if archived == nil {
		if archived, err = tx.ArchivedByContent(d.Project, d.Kind, d.Content); err != nil {
			return SaveResult{}, err
		}
	}
	if archived != nil && (known != nil || d.saidBefore(archived.ArchivedAt)) {
		result := d.duplicate(archived)
		if takenBack(*archived) {
			return SaveResult{}, tx.EraseRecord(archived.ID)
		}
		if result.Action = Forgotten; d.revive {
			result.Action, result.wasArchived = Revived, wasArchived{archived.ID, archived.ArchivedAt, archived.ArchiveWhy}
			archived.ArchivedAt, archived.ArchiveWhy = time.Time{}, ""
			return result, tx.UpdateRecord(*archived)
		}
		return result, nil
	}
	at, err := tx.Erased(d.Project, d.Kind, d.Content)
	if err != nil || at.IsZero() || d.revive || !d.saidBefore(at) {
		return SaveResult{}, err
	}
	return SaveResult{Action: Forgotten, Category: d.Category}, nil
}

// saidBefore reports whether a draft was not said after a moment, or does not tell: what is said
// anew later is news.
func (d draft) saidBefore(moment time.Time) bool { return !d.OccurredAt.After(moment) }

// takenBack reports whether a record is archived only because the save or import that made it was
// undone, and nobody forgot or replaced it: imported again it counts as new.
func takenBack(r memory.Record) bool {
	return !r.ArchivedAt.IsZero() && (r.ArchiveWhy == whyTakenBack || r.ArchiveWhy == whyImportTakenBack) && r.SupersededBy == ""
}
