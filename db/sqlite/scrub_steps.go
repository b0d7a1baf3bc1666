package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/db/sqlite/pages"
	"mcp-memory/memory"
)

// How much one step of scrubbing does. Other writes wait for a step, not for all of it.
const (
	mergePages = 12  // pages of a text index that are merged in a step
	readPages  = 128 // pages that are read in a step
	clearPages = 16  // pages that are written in one transaction
	stepRest   = 2   // rest after a step if others write, as a multiple of the time that it took
)

// scrubbing is the state of a pass over the file, which can be interrupted and then goes on.
type scrubbing struct {
	pending []pendingScrub // the erasures that it is for, as read at its beginning
	indexes []string       // text indexes that are still to be merged
	begun   bool           // whether merging the first of them has begun
	next    int64          // next page to clear, 0 after the last
	cut     int64          // how many pages the next step of cutting gives back
}

// scrubSteps scrubs the file step by step until nothing is pending, or ctx ends.
func (s *Store) scrubSteps(ctx context.Context) error {
	select { // one at a time
	case s.care.scrub <- struct{}{}:
	case <-ctx.Done():
		return stillScrubbing(ctx.Err())
	}
	defer func() { <-s.care.scrub }()
	for {
		pass := s.care.pass
		if pass == nil {
			pending, err := queryAll(ctx, s.read, scanPendingScrub, `SELECT agent, value FROM bank_state WHERE key = ?`, scrubKey)
			if err != nil || len(pending) == 0 {
				return explain(err)
			}
			pass = &scrubbing{pending: pending, indexes: textIndexes[:], next: 1, cut: cutPages}
			s.care.pass = pass
		}
		for done := false; !done; {
			if err := ctx.Err(); err != nil {
				return stillScrubbing(err)
			}
			begun := time.Now()
			var err error
			if done, err = s.scrubStep(ctx, pass); err != nil {
				return explain(err)
			}
			if time.Since(time.Unix(0, s.care.lastSave.Load())) < time.Second {
				pause(ctx, stepRest*time.Since(begun))
			}
		}
		// moveLog first, as others can write meanwhile: they wait only while truncateLog moves the
		// rest.
		if err := errors.Join(s.moveLog(ctx), s.truncateLog(ctx), dropCopies(s.path)); err != nil {
			return explain(err)
		}
		err := s.writer.do(ctx, func(w *writer) error {
			for _, p := range pass.pending { // the count differs if more was erased meanwhile
				if err := w.exec(ctx, `DELETE FROM bank_state WHERE agent = ? AND key = ? AND value = ?`, p.agent, scrubKey,
					p.value); err != nil {
					return err
				}
			}
			return nil
		})
		if s.care.pass = nil; err != nil {
			return explain(err)
		}
	}
}

func stillScrubbing(cause error) error {
	return memory.Errorf(memory.CodeUnavailable, "what was erased is still being taken out of the files").WithCause(cause).
		WithHint("it goes on in the background, and at the latest when the program ends")
}

// scrubStep does the next step of a pass, and reports whether that was the last.
func (s *Store) scrubStep(ctx context.Context, pass *scrubbing) (done bool, err error) {
	if len(pass.indexes) > 0 {
		more, err := s.mergeStep(ctx, pass.indexes[0], !pass.begun)
		if err != nil {
			return false, err
		}
		if pass.begun = true; !more {
			pass.indexes, pass.begun = pass.indexes[1:], false
		}
		return false, nil
	}
	if pass.next > 0 {
		pass.next, err = s.clearStep(ctx, pass.next)
		return false, err
	}
	return s.cutStep(ctx, pass)
}

// mergeStep merges some pages of a text index, which leaves out deleted terms, and
// reports whether there is more to do.
func (s *Store) mergeStep(ctx context.Context, index string, first bool) (more bool, err error) {
	pages := mergePages
	if first {
		pages = -mergePages // a negative number begins a merge of all segments into one
	}
	err = s.writer.do(ctx, func(w *writer) error {
		var before, after int
		if err := w.QueryRowContext(ctx, `SELECT total_changes()`).Scan(&before); err != nil {
			return err
		}
		if err := w.exec(ctx, fmt.Sprintf(`INSERT INTO %[1]s (%[1]s, rank) VALUES ('merge', ?)`, index), pages); err != nil {
			return err
		}
		err := w.QueryRowContext(ctx, `SELECT total_changes()`).Scan(&after)
		more = after-before >= 2
		return err
	})
	return more || first, err
}

// clearStep overwrites with zeros what the readPages pages from page from on do not use, and returns
// the page to go on with, 0 after the last. It reads the pages without the writer's lock, which it
// takes only to write those on which there is something to clear.
func (s *Store) clearStep(ctx context.Context, from int64) (next int64, err error) {
	var count, size int64
	if err := s.read.QueryRowContext(ctx, `SELECT page_count, page_size FROM pragma_page_count, pragma_page_size`).
		Scan(&count, &size); err != nil {
		return from, err
	}
	if from > count {
		return 0, nil
	}
	free, err := freePages(ctx, s.read)
	if err != nil {
		return from, err
	}
	first, err := readOne(ctx, s.read, 1)
	if err != nil {
		return from, err
	}
	dirty, err := dirtyPages(ctx, s.read, first, free, from, from+readPages)
	if err != nil {
		return from, err
	}
	if len(dirty) > 0 {
		// Otherwise a save would have to move the log once it is large, and take longer.
		defer func() { err = errors.Join(err, s.moveLog(ctx)) }()
	}
	for len(dirty) > 0 {
		some := dirty[:min(len(dirty), clearPages)]
		dirty = dirty[len(some):]
		if err := s.writer.do(ctx, func(w *writer) error { return clearDirty(ctx, w, some) }); err != nil {
			return from, err
		}
	}
	return from + readPages, nil
}

// clearDirty clears pages in a transaction. It reads them anew, as they may have changed since
// dirtyPages has read them.
func clearDirty(ctx context.Context, w *writer, numbers []int64) error {
	free, err := freePages(ctx, w)
	if err != nil {
		return err
	}
	first, err := readOne(ctx, w, 1)
	if err != nil {
		return err
	}
	for _, n := range numbers {
		page, err := readOne(ctx, w, n)
		if err != nil {
			return err
		}
		if clearPage(n, page, first, free) {
			if err := w.exec(ctx, `UPDATE sqlite_dbpage SET data = ? WHERE pgno = ?`, page, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// dirtyPages returns the pages in [from, to) on which there is something to clear. first is page 1.
func dirtyPages(ctx context.Context, q queryer, first []byte, free map[int64]bool, from, to int64) (dirty []int64, err error) {
	err = queryEach(ctx, q, func(row rows.Row) error {
		var n int64
		var page []byte
		if err := row.Scan(&n, &page); err != nil {
			return err
		}
		if clearPage(n, page, first, free) {
			dirty = append(dirty, n)
		}
		return nil
	}, `SELECT pgno, data FROM sqlite_dbpage WHERE pgno >= ? AND pgno < ?`, from, to)
	return dirty, err
}

func readOne(ctx context.Context, q queryer, n int64) (page []byte, err error) {
	err = q.QueryRowContext(ctx, `SELECT data FROM sqlite_dbpage WHERE pgno = ?`, n).Scan(&page)
	return page, err
}

// clearPage overwrites in page, the content of page n, what is not in use: all of a free page, the
// gaps of another. It reports whether that has changed anything. first is page 1.
func clearPage(n int64, page, first []byte, free map[int64]bool) bool {
	if pages.IsMap(first, n) {
		return false
	}
	if free[n] {
		return pages.Clear(page)
	}
	return pages.ClearGaps(page, n == 1, 0)
}

// freePages returns the leaf pages of the freelist, which hold nothing; its trunk pages, which list
// them, are not among them. It is [memory.ErrDamaged] for a broken list.
func freePages(ctx context.Context, q queryer) (map[int64]bool, error) {
	free := map[int64]bool{}
	first, err := readOne(ctx, q, 1)
	if err != nil {
		return nil, err
	}
	seen := map[uint32]bool{}
	for trunk := binary.BigEndian.Uint32(first[32:]); trunk != 0 && !seen[trunk]; {
		seen[trunk] = true
		page, err := readOne(ctx, q, int64(trunk))
		if errors.Is(err, sql.ErrNoRows) {
			return nil, memory.ErrDamaged
		}
		if err != nil {
			return nil, err
		}
		leaves := int(binary.BigEndian.Uint32(page[4:]))
		if leaves > len(page)/4-2 {
			return nil, memory.ErrDamaged
		}
		for i := range leaves {
			free[int64(binary.BigEndian.Uint32(page[8+4*i:]))] = true
		}
		trunk = binary.BigEndian.Uint32(page)
	}
	return free, nil
}

// logBusy is how long truncating the log waits for readers, and so how long writers may wait for it.
const logBusy = 50 * time.Millisecond

// truncateLog moves the write-ahead log into the file and truncates it; it waits for readers, and
// writers for it.
func (s *Store) truncateLog(ctx context.Context) (err error) {
	db, err := OpenDriver(dsn(s.path, logBusy, existing))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	return emptyLog(ctx, db)
}

// moveLog moves as much of the write-ahead log into the file as it can without making others wait (a
// passive checkpoint).
func (s *Store) moveLog(ctx context.Context) (err error) {
	db, err := OpenDriver(dsn(s.path, logBusy, existing))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var busy, pages, moved int
	return db.QueryRowContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`).Scan(&busy, &pages, &moved)
}

// erasuresLogged is after how many writes that erase something the log is moved. Each writes one to
// two hundred pages, and at 1,000 pages a commit would move the log itself and take longer.
const erasuresLogged = 2

// keepLogShort counts a write that has erased something, and at every second one moves the log. If
// that fails, a later commit moves it.
func (s *Store) keepLogShort(ctx context.Context) {
	if s.care.erasures.Add(1)%erasuresLogged != 0 {
		return
	}
	if err := s.moveLog(context.WithoutCancel(ctx)); err != nil {
		s.care.log.DebugContext(ctx, "move the log of an erasure", "error", err)
	}
}

// stepwise reports whether the file can be scrubbed in steps: SQLite has the table sqlite_dbpage,
// which reads and writes pages, and the file is not too large.
func (s *Store) stepwise(ctx context.Context) bool {
	var count int64
	err := s.read.QueryRowContext(ctx,
		`SELECT page_count FROM pragma_page_count WHERE EXISTS (SELECT 1 FROM pragma_module_list WHERE name = 'sqlite_dbpage')`).Scan(&count)
	return err == nil && count < pages.MaxCount
}
