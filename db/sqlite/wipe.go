package sqlite

import (
	"context"
	"fmt"
)

// textIndexes are all tables of FTS5, those of the memories first.
var textIndexes = [...]string{"memories_words", "memories_parts", "conversations_words", "conversations_parts"}

// erasedIndexes are the text indexes from which erasing a record removes a document.
var erasedIndexes = textIndexes[:2]

const (
	// automerge is the option of that name of the text indexes, as migration 4 sets it: with so many
	// segments on a level, FTS5 merges them within a write.
	automerge = 8
	// wipingLog is at how many pages of the log the commit of an erasure makes a checkpoint.
	wipingLog = 4000
)

// wipe makes SQLite overwrite what the transaction deletes (PRAGMA secure_delete). That is not
// always on, because merging text indexes frees many pages, which would all have to be written.
//
// It also keeps the write from merging text indexes and from making a checkpoint, which can take 60
// to 110 ms, in which others wait. Indexes are merged when the file is scrubbed, and the log is
// moved by [Store.keepLogShort].
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

// mergeAgain ends a write that has called wipe: it lets later writes of the same transaction merge
// text indexes again. First it makes a savepoint, at which FTS5 writes its changes so far to the
// index, so that these are still written without merging.
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

// setAutomerge sets the option automerge of erasedIndexes, which is stored in the file and rolled
// back with the transaction; 0 switches merging off. With 0 it also switches deletemerge off for
// good: FTS5 would otherwise merge a segment in a write once a tenth of it is deleted.
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

// stopWiping undoes the settings of wipe at the end of the transaction. If that fails, wiping stays
// set.
func (w *writer) stopWiping() {
	w.unmerged = false
	if w.wiping {
		w.wiping = w.script(context.Background(),
			fmt.Sprintf("PRAGMA secure_delete = off; PRAGMA wal_autocheckpoint = %d", w.logged)) != nil
	}
}
