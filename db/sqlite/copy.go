package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"mcp-memory/memory"
)

// CopyTo implements [memory.Caretaker] by VACUUM INTO, which reads in one transaction, so that
// others go on writing, and does not copy what was deleted.
func (s *Store) CopyTo(ctx context.Context, path string, progress func(done, total int64)) error {
	return explain(copyInto(ctx, s.path, path, progress))
}

// copyInto writes a copy of the database at one path to another, and removes
// what is there of it if that fails.
func copyInto(ctx context.Context, from, to string, progress func(done, total int64)) (err error) {
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // SQLite would use the umask's mode
	switch {
	case errors.Is(err, fs.ErrExist):
		return memory.Errorf(memory.CodeConflict, "%s exists", to).WithHint("choose another name")
	case err != nil:
		return memory.Errorf(memory.CodeUnavailable, "%s cannot be written", to).WithCause(err).WithHint("check its directory")
	}
	f.Close()
	defer func() {
		if err != nil {
			err = errors.Join(err, removeAll(to, to+"-journal"))
		}
	}()
	db, err := openToRead(ctx, from, copyBusy, existing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var total, shrinking int64
	err = db.QueryRowContext(ctx,
		`SELECT page_count * page_size, auto_vacuum FROM pragma_page_count, pragma_page_size, pragma_auto_vacuum`).Scan(&total, &shrinking)
	if err != nil {
		return err
	}
	if progress != nil {
		defer watchSize(to, total, progress)()
	}
	if shrinking == 0 { // auto_vacuum is off in an older file: this makes the copy one that can be cut
		if _, err := db.ExecContext(context.WithoutCancel(ctx), shrinks); err != nil {
			return err
		}
	}
	// Without cancellation: one of the drivers keeps a statement open for a context that can
	// end, and VACUUM fails while any other statement is open.
	if _, err := db.ExecContext(context.WithoutCancel(ctx), `VACUUM INTO ?`, to); err != nil {
		return err
	}
	return syncFile(to)
}

// removeAll removes files, of which some may not be there.
func removeAll(names ...string) (err error) {
	for _, name := range names {
		if failed := os.Remove(name); !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return err
}

// copyBusy is how long a copy waits for a lock. Reading hardly ever needs one.
const copyBusy = 20 * time.Second

// watchSize calls progress with the size of a growing file every 100 ms, until stop is called.
func watchSize(path string, total int64, progress func(done, total int64)) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	tick := time.NewTicker(100 * time.Millisecond)
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				if info, err := os.Stat(path); err == nil {
					progress(min(info.Size(), total), total)
				}
			}
		}
	}()
	return func() { tick.Stop(); close(done); <-ended }
}

// syncFile makes a file durable by fsync, which SQLite does not do for what VACUUM INTO writes.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
