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

// detach starts this program again, so that it outlives whoever started this
// process and holds nothing that it waits for, and returns when it has been given its input. ended is
// closed at its end.
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
		_ = child.Wait() // how it ended is nobody's concern here
	}()
	if _, err = io.Copy(in, input); err == nil {
		err = in.Close()
	}
	return done, err
}

// hookLocks is the directory, in the data directory, of the locks of sessions that
// are being read.
const hookLocks = "hooks"

// lockWait is how long a hook waits for another one of its session.
const hookLockWait = time.Minute

// lockSession makes the caller the only one that reads a session. One more may wait
// for that; who comes then need not.
func (p *Program) lockSession(ctx context.Context, session string) (unlock func(), ok bool) {
	dir := filepath.Join(p.settings.get("data_dir"), hookLocks)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return func() {}, true // nobody can lock there: what is read twice is kept once
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
		_ = os.Remove(path + ".next") // who still waits for these files reads beside somebody else, which is no harm
		_ = os.Remove(path + ".lock")
		_ = lock.Close()
	}, true
}
