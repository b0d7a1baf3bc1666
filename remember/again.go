package remember

import (
	"time"

	"mcp-memory/memory"
)

// gone answers for a draft that says what was forgotten, or erased, after it
// was said: an import of an old file does not bring it back unless that is
// wanted. known is the record that bears its name, or nil. A result without an
// action is no answer.
func (d draft) gone(tx memory.Tx, known *memory.Record) (SaveResult, error) {
	result, err := d.goneHere(tx, known)
	if err != nil || result.Action != "" || known != nil || d.whose == Chosen {
		return result, err
	}
	return d.moved().goneHere(tx, nil) // it may have been kept, and forgotten, as the other's
}

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

// saidBefore reports whether a draft is of before a moment, as far as is known:
// what is said anew later is news.
func (d draft) saidBefore(moment time.Time) bool { return !d.OccurredAt.After(moment) }

// takenBack reports whether nobody but the undo of an import has set a record
// aside: imported again it is as new.
func takenBack(r memory.Record) bool {
	return !r.ArchivedAt.IsZero() && (r.ArchiveWhy == whyTakenBack || r.ArchiveWhy == whyImportTakenBack) && r.SupersededBy == ""
}
