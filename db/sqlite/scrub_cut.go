package sqlite

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	// cutPages is how many pages the first step gives back, and cutTurn what the next are made to take.
	cutPages = 16
	cutTurn  = 10 * time.Millisecond
	// sparePages is the share of a file's pages, one in so many, that stays free for what is written next, and leastSpare
	// how many do in any case.
	sparePages = 20
	leastSpare = 64
)

// cutStep gives some free pages at the end of the file back, moving others to the front for it, and reports whether
// that is done. A file that was made before there was that, or whose pages SQLite cannot move, stays as long as it is.
func (s *Store) cutStep(ctx context.Context, pass *scrubbing) (done bool, err error) {
	before, err := s.surplus(ctx)
	if err != nil || before <= 0 {
		return true, err
	}
	begun := time.Now()
	err = s.writer.do(ctx, func(w *writer) error {
		begun = time.Now()
		return w.drain(ctx, fmt.Sprintf(`PRAGMA incremental_vacuum(%d)`, min(pass.cut, before)))
	})
	if resultCode(err)&0xff == codeCorrupt {
		// What was damaged and made anew elsewhere has left pages that no list has.
		s.care.log.DebugContext(ctx, "cut the file", "error", err)
		return true, nil
	}
	if err != nil {
		return false, err
	}
	if took := time.Since(begun); took > cutTurn {
		pass.cut = max(pass.cut/2, 1)
	} else if took < cutTurn/2 {
		pass.cut *= 2
	}
	after, err := s.surplus(ctx)
	return after <= 0 || after >= before, err
}

// surplus is how many free pages the file can be cut by.
func (s *Store) surplus(ctx context.Context) (pages int64, err error) {
	const incremental = 2
	var mode, free, count int64
	err = s.read.QueryRowContext(ctx,
		`SELECT auto_vacuum, freelist_count, page_count FROM pragma_auto_vacuum, pragma_freelist_count, pragma_page_count`).Scan(&mode,
		&free, &count)
	if err != nil || mode != incremental {
		return 0, err
	}
	return free - max(count/sparePages, leastSpare), nil
}

// drain runs a statement that is done only once all of its rows were asked for.
func (w *writer) drain(ctx context.Context, query string) (err error) {
	rows, err := w.conn.QueryContext(context.WithoutCancel(ctx), query)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
	}
	return rows.Err()
}
