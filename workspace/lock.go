package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"mcp-memory/memory"
)

// lockFile is empty and stays: removing it would let two processes lock two
// files of the same name.
const lockFile = ".lock"

const (
	lockWait = 10 * time.Second     // what a call waits at most, whatever its context allows
	lockPoll = 5 * time.Millisecond // between two attempts
)

// alone makes the workspace if need be and runs work while no other goroutine
// or process does. The lock belongs to an open file, so the operating system
// takes it back from a process that dies. [memory.CodeUnavailable] after
// lockWait; the context's error if that ends first.
func (d Dir) alone(ctx context.Context, work func(tree) error) (err error) {
	t, err := d.grow()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.root.Close()) }()
	if _, err := t.look(lockFile); err != nil {
		return err
	}
	lock := flock.New(filepath.Join(d.path, lockFile), flock.SetPermissions(filePerm))
	wait, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	held, err := lock.TryLockContext(wait, lockPoll)
	switch {
	case ctx.Err() != nil:
		return errors.Join(ctx.Err(), lock.Close())
	case errors.Is(err, context.DeadlineExceeded):
		return memory.Errorf(memory.CodeUnavailable, "the workspace is in use").WithHint("try again; another process is writing to it")
	case err != nil || !held:
		return fmt.Errorf("lock workspace: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	return work(t)
}

// grow opens the directory, which it makes if it is missing.
func (d Dir) grow() (tree, error) {
	if err := os.MkdirAll(d.path, dirPerm); err != nil {
		return tree{}, fmt.Errorf("make workspace: %w", err)
	}
	for _, path := range []string{filepath.Dir(d.path), d.path} {
		if info, err := os.Stat(path); err == nil && tooOpen(info, dirPerm) {
			// Best effort: a directory of somebody else cannot be changed, and
			// what is in it is closed by itself.
			_ = os.Chmod(path, info.Mode().Perm()&dirPerm)
		}
	}
	root, err := os.OpenRoot(d.path)
	if err != nil {
		return tree{}, fmt.Errorf("open workspace: %w", err)
	}
	return tree{root}, nil
}
