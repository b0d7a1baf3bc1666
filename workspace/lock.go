package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
)

// lockFile is empty and stays: removing it would let two processes lock two
// files of the same name.
const lockFile = ".lock"

// logLock is held shared by those who append to day logs, and exclusively by who takes lines out
// of one: a line that is appended while the file is replaced would be lost. It is another lock
// than lockFile, so that a save waits for such an erasure only.
const logLock = "memory/.lock"

const (
	lockWait = 10 * time.Second     // what a call waits at most, whatever its context allows
	lockPoll = 5 * time.Millisecond // between two attempts
)

// alone makes the workspace if need be and runs work while no other goroutine
// or process does. The lock belongs to an open file, so the operating system
// takes it back from a process that dies. [memory.CodeUnavailable] after
// lockWait; the context's error if that ends first.
func (d Dir) alone(ctx context.Context, work func(tree) error) (err error) {
	if d.in != nil {
		return d.aloneInRows(ctx, work)
	}
	t, err := d.grow()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.root.Close()) }()
	if _, err := t.look(lockFile); err != nil {
		return err
	}
	lock, err := d.hold(ctx, lockFile, (*flock.Flock).TryLockContext)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	return work(t)
}

// whileNobodyLogs runs work while nobody appends to a day log.
func (d Dir) whileNobodyLogs(ctx context.Context, t tree, work func() error) (err error) {
	if d.in != nil { // nobody does
		return work()
	}
	if _, err := t.writable(logLock); err != nil {
		return err
	}
	lock, err := d.hold(ctx, logLock, (*flock.Flock).TryLockContext)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	return work()
}

// hold takes a lock that lies in the workspace. Whoever returns closes it.
func (d Dir) hold(ctx context.Context, name string,
	try func(*flock.Flock, context.Context, time.Duration) (bool, error)) (*flock.Flock, error) {
	lock := flock.New(filepath.Join(d.path, filepath.FromSlash(name)), flock.SetPermissions(filePerm))
	wait, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	held, err := try(lock, wait, lockPoll)
	switch {
	case ctx.Err() != nil:
		return nil, errors.Join(ctx.Err(), lock.Close())
	case errors.Is(err, context.DeadlineExceeded):
		return nil, memory.Errorf(memory.CodeUnavailable, "the workspace is in use").WithHint("try again; another process is writing to it")
	case err != nil || !held:
		return nil, fmt.Errorf("lock workspace: %w", err)
	}
	return lock, nil
}

// grow opens the directory, which it makes if it is missing.
func (d Dir) grow() (tree, error) {
	if err := os.MkdirAll(d.path, dirPerm); err != nil {
		return tree{}, fmt.Errorf("make workspace: %w", err)
	}
	for _, path := range []string{filepath.Dir(d.path), d.path} {
		if d.theirs {
			break
		}
		if info, err := os.Stat(path); err == nil && tooOpen(info, dirPerm) {
			// Best effort: a directory of somebody else cannot be changed, and
			// what is in it is closed by itself.
			_ = os.Chmod(path, info.Mode().Perm()&dirPerm)
		}
	}
	root, err := plainfile.OpenRoot(d.path)
	if err != nil {
		return tree{}, fmt.Errorf("open workspace: %w", err)
	}
	return tree{onDisk{root}}, nil
}

// whileMirroring runs work while nobody else, in this process or another, makes the files and the
// bank say the same. work has to use the Dir that it is given, which has the lock.
func (d Dir) whileMirroring(ctx context.Context, work func(Dir) error) (err error) {
	if d.in != nil {
		return d.mirroringInRows(ctx, work)
	}
	t, err := d.grow()
	if err != nil {
		return err
	}
	_, err = t.look(mirrorLock)
	if err := errors.Join(err, t.root.Close()); err != nil {
		return err
	}
	lock, err := d.hold(ctx, mirrorLock, (*flock.Flock).TryLockContext)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	return work(d)
}
