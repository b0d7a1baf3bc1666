package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"mcp-memory/memory"
)

// detach starts this program in a new process that outlives the caller's parent and holds none of
// its pipes. It returns when input is written to the process. ended is closed when the process
// ends.
func detach(args []string, dir string, input io.Reader) (ended <-chan struct{}, err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	child := exec.Command(program, args...)
	child.Dir, child.SysProcAttr = dir, detached()
	in, err := child.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := child.Start(); err != nil {
		return nil, err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = child.Wait() // how it ended does not matter here
	}()
	if _, err = io.Copy(in, input); err == nil {
		err = in.Close()
	}
	return done, err
}

// hookLocks is the directory in the data directory that has the locks of sessions.
const hookLocks = "hooks"

// hookLockWait is how long a hook waits for another one of its session.
const hookLockWait = time.Minute

// lockSession makes the caller the only process that reads a session. One more process may wait for
// the lock. For any further one ok is false, because the waiting one will read everything. It is
// also false if the lock is not free within hookLockWait.
func (p *Program) lockSession(ctx context.Context, session string) (unlock func(), ok bool) {
	dir := filepath.Join(p.settings.get("data_dir"), hookLocks)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return func() {}, true // without a lock, what is read twice is still saved once
	}
	path := filepath.Join(dir, memory.SessionTag(session))
	next := flock.New(path+".next", flock.SetPermissions(0o600))
	if held, err := next.TryLock(); err == nil && !held {
		return nil, false
	}
	defer next.Close()
	ctx, cancel := context.WithTimeout(ctx, hookLockWait)
	defer cancel()
	lock := flock.New(path+".lock", flock.SetPermissions(0o600))
	if held, err := lock.TryLockContext(ctx, 20*time.Millisecond); err == nil && !held || ctx.Err() != nil {
		_ = lock.Close()
		return nil, false
	}
	return func() {
		_ = os.Remove(path + ".next") // a process that waits for these files may read concurrently, which does no harm
		_ = os.Remove(path + ".lock")
		_ = lock.Close()
	}, true
}
