package sqlite

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	// cutPages is how many pages the first step gives back. Later steps take more or fewer, so that
	// each takes about cutTurn.
	cutPages = 16
	cutTurn  = 10 * time.Millisecond
	// 1/sparePages of a file's pages, and at least leastSpare, stay free for what is written next.
	sparePages = 20
	leastSpare = 64
)

// cutStep shortens the file by some free pages, for which SQLite moves used pages from its end to
// free ones, and reports whether there is nothing more to do. A file without auto_vacuum =
// incremental (see shrinks), or whose pages SQLite cannot move, keeps its length.
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
		// Rebuilding damaged indexes (makeAnew) leaves pages that no list has.
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

// surplus returns by how many free pages the file can be cut; 0 or less for none.
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

// drain runs a statement to its last row: incremental_vacuum frees one page for each row asked for.
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
