package upkeep

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"mcp-memory/memory"
)

// Files and folders of a data directory.
const (
	Database   = "memory.db"
	Workspaces = "workspaces"
	Config     = "config.yaml"
	// Tokens is an empty file that says that tokens were created. If the database, which knows
	// them, is missing, it keeps the program from letting everybody in.
	Tokens = "tokens.required"

	lockName = "memory.lock"
)

const (
	dirPerm  fs.FileMode = 0o700
	filePerm fs.FileMode = 0o600

	lockWait = 5 * time.Second
	lockPoll = 10 * time.Millisecond
)

// Dir is a data directory in use by this process, until Leave.
type Dir struct {
	path string
	lock *flock.Flock // nil if the medium is read-only or has no locks
}

// Enter takes the shared lock of a data directory, which must exist, and finishes an interrupted
// exchange. It fails with [memory.CodeConflict] if another process holds the directory alone, and
// with [memory.CodeUnavailable] if the database is missing although there are signs of one. With
// create, a missing database is accepted.
func Enter(ctx context.Context, path string, create bool) (*Dir, error) {
	d, err := enter(ctx, path, (*flock.Flock).TryRLockContext)
	if err != nil {
		return nil, err
	}
	if interrupted(path) {
		if err := d.finishExchange(ctx); err != nil {
			return nil, errors.Join(err, d.Leave())
		}
	}
	if err := checkDatabase(path, create); err != nil {
		return nil, errors.Join(err, d.Leave())
	}
	return d, nil
}

// EnterFiles is Enter for a directory whose database is elsewhere. A missing database is no error,
// and exchanges are not finished.
func EnterFiles(ctx context.Context, path string) (*Dir, error) {
	return enter(ctx, path, (*flock.Flock).TryRLockContext)
}

// EnterAlone takes the exclusive lock of a data directory. [memory.CodeConflict] if any other
// process uses it.
func EnterAlone(ctx context.Context, path string) (*Dir, error) {
	ctx, cancel := context.WithTimeout(ctx, lockWait/10)
	defer cancel()
	d, err := enter(ctx, path, (*flock.Flock).TryLockContext)
	if err != nil {
		return nil, err
	}
	if d.lock == nil {
		return nil, memory.Errorf(memory.CodeUnavailable, "the data directory cannot be written").WithHint("check its permissions")
	}
	if interrupted(path) {
		err = exchange(path)
	}
	if err = errors.Join(err, d.sweep()); err != nil {
		return nil, errors.Join(err, d.Leave())
	}
	return d, nil
}

func enter(ctx context.Context, path string, try func(*flock.Flock, context.Context, time.Duration) (bool, error)) (*Dir, error) {
	lock := flock.New(filepath.Join(path, lockName), flock.SetPermissions(filePerm))
	wait, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	held, err := try(lock, wait, lockPoll)
	switch {
	case held && err == nil:
		return &Dir{path, lock}, nil
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return nil, errors.Join(memory.Errorf(memory.CodeConflict, "the data directory is in use by another process").
			WithHint("stop the servers and hosts that use it, or wait until a restore or repair is done"), lock.Close())
	}
	// A read-only medium, or a file system without locks: nobody exchanges files there either.
	return &Dir{path: path}, lock.Close()
}

// Leave releases the lock.
func (d *Dir) Leave() error {
	if d == nil || d.lock == nil {
		return nil
	}
	return d.lock.Close()
}

// finishExchange exchanges the shared lock for an exclusive one, finishes the exchange, and takes
// the shared lock again.
func (d *Dir) finishExchange(ctx context.Context) error {
	if d.lock == nil {
		return memory.Errorf(memory.CodeUnavailable, "a restore was interrupted, and the data directory cannot be written").
			WithHint("check its permissions")
	}
	if err := d.lock.Unlock(); err != nil {
		return err
	}
	alone, err := enter(ctx, d.path, (*flock.Flock).TryLockContext)
	if err != nil {
		return err
	}
	if interrupted(d.path) { // another process may have finished it
		err = exchange(d.path)
	}
	if err := errors.Join(err, alone.Leave()); err != nil {
		return err
	}
	again, err := enter(ctx, d.path, (*flock.Flock).TryRLockContext)
	if err == nil {
		d.lock = again.lock
	}
	return err
}

// checkDatabase refuses to begin a new database where there was one: SQLite would delete the log of
// the old one, and its tokens would be lost.
func checkDatabase(path string, create bool) error {
	info, err := os.Stat(filepath.Join(path, Database))
	if err == nil && info.Size() > 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil // it exists, or opening it will report the error
	}
	sign := signOfDatabase(path)
	if sign == "" {
		return nil
	}
	if create {
		return setLogAside(path)
	}
	what := "missing"
	if err == nil {
		what = "empty"
	}
	return memory.Errorf(memory.CodeUnavailable, "the database is %s, but there is %s of one", what, sign).
		WithHint("put %s back, `mcp-memory restore` a backup, or try `mcp-memory doctor --repair`; --create begins a new, empty one", Database)
}

// CheckThere fails with [memory.CodeNotFound] if a data directory has no database and no signs of
// one. So a command that only reads does not create a database in the wrong place.
func CheckThere(path string) error {
	info, err := os.Stat(filepath.Join(path, Database))
	if err == nil && info.Size() > 0 || absent(err) != nil {
		return nil // opening it will report errors
	}
	if interrupted(path) || signOfDatabase(path) != "" {
		return nil // Enter finishes the exchange or reports what is missing
	}
	return memory.Errorf(memory.CodeNotFound, "there is no memory in %s", path).
		WithHint("--data-dir names another directory; `mcp-memory restore` puts a backup there; the first save, or a server, begins a new one")
}

// signOfDatabase returns what shows that there was a database, "" for nothing.
func signOfDatabase(path string) string {
	if info, err := os.Stat(filepath.Join(path, Database+"-wal")); err == nil && info.Size() > 0 {
		return "the log"
	}
	if _, err := os.Stat(filepath.Join(path, Tokens)); err == nil {
		return "the note of tokens"
	}
	if entries, err := os.ReadDir(filepath.Join(path, Workspaces)); err == nil && len(entries) > 0 {
		return "a workspace"
	}
	return ""
}

// setLogAside renames the log of a missing database, because SQLite would delete it.
func setLogAside(path string) error {
	log := filepath.Join(path, Database+"-wal")
	if info, err := os.Stat(log); err != nil || info.Size() == 0 {
		return nil
	}
	return os.Rename(log, filepath.Join(path, Database+"-wal.lost-"+time.Now().UTC().Format(stamp)))
}

// stamp is the layout of times in file names.
const stamp = "20060102-150405"

// NoteTokens creates the file Tokens.
func NoteTokens(path string) error {
	f, err := os.OpenFile(filepath.Join(path, Tokens), os.O_CREATE|os.O_WRONLY, filePerm)
	if err != nil {
		return memory.Errorf(memory.CodeUnavailable, "the data directory cannot be written").WithCause(err).
			WithHint("check its permissions")
	}
	return errors.Join(f.Sync(), f.Close())
}

// TokensNoted reports whether tokens were ever created for the directory.
func TokensNoted(path string) bool {
	_, err := os.Stat(filepath.Join(path, Tokens))
	return !errors.Is(err, fs.ErrNotExist) // if unsure, yes
}
