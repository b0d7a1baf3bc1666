package sqlite

import (
	"context"
	"fmt"
)

// textIndexes are all tables of FTS5, those of the memories first.
var textIndexes = [...]string{"memories_words", "memories_parts", "conversations_words", "conversations_parts"}

// erasedIndexes are those that lose a document when a record is erased.
var erasedIndexes = textIndexes[:2]

const (
	// automerge is how many parts of a text index SQLite merges within a write, as migration 4 sets it.
	automerge = 8
	// wipingLog is from how many pages on the commit of an erasure moves the log.
	wipingLog = 4000
)

// wipe has SQLite overwrite what the transaction deletes. That is not always on,
// because merging text indexes frees many pages, which would all be written.
//
// Nor are indexes merged or the log moved in such a write, which would take 60 to 110 ms at times, in
// which others wait. Indexes are merged when the file is scrubbed, and for the log see [Store.keepLogShort].
func (w *writer) wipe(ctx context.Context) error {
	if !w.wiping {
		w.wiping = true
		if err := w.script(ctx, fmt.Sprintf("PRAGMA secure_delete = on; PRAGMA wal_autocheckpoint = %d",
			max(w.logged, wipingLog))); err != nil {
			return err
		}
	}
	if w.unmerged {
		return nil
	}
	w.unmerged = true
	return w.setAutomerge(ctx, 0)
}

// mergeAgain lets indexes be merged by the writes that follow in the transaction, once what this one has changed is in
// them: FTS5 puts it there for a savepoint.
func (w *writer) mergeAgain(ctx context.Context) error {
	if !w.unmerged {
		return nil
	}
	w.unmerged = false
	for _, step := range []string{"SAVEPOINT unmerged", "RELEASE unmerged"} {
		if err := w.exec(ctx, step); err != nil {
			return err
		}
	}
	return w.setAutomerge(ctx, automerge)
}

// setAutomerge sets it in the file; what is rolled back is as if it had not been set. From the first
// erasure on, other writes leave alone what erasures have left in the indexes, which they would merge from
// a tenth of an index on.
func (w *writer) setAutomerge(ctx context.Context, parts int) error {
	for _, index := range erasedIndexes {
		if parts == 0 {
			if err := w.exec(ctx, fmt.Sprintf(`INSERT INTO %[1]s (%[1]s, rank) VALUES ('deletemerge', 0)`, index)); err != nil {
				return err
			}
		}
		if err := w.exec(ctx, fmt.Sprintf(`INSERT INTO %[1]s (%[1]s, rank) VALUES ('automerge', ?)`, index), parts); err != nil {
			return err
		}
	}
	return nil
}

// stopWiping ends it with the transaction.
func (w *writer) stopWiping() {
	w.unmerged = false
	if w.wiping {
		w.wiping = w.script(context.Background(),
			fmt.Sprintf("PRAGMA secure_delete = off; PRAGMA wal_autocheckpoint = %d", w.logged)) != nil
	}
}
