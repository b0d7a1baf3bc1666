package hosts

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/gofrs/flock"

	"mcp-memory/memory"
)

// alone waits until no other process of ours changes files of hosts, and keeps
// them out until free is called. On Unix it locks the home directory, so that
// no lock file is left; Windows locks files only. If the file system has no
// locks, alone goes on without one: a file that another program changes is
// noticed anyway. It returns a [memory.CodeUnavailable] if the other process
// does not end.
func (m Machine) alone(ctx context.Context) (free func() error, err error) {
	lock := flock.New(m.Home, flock.SetFlag(os.O_RDONLY))
	if runtime.GOOS == "windows" {
		lock = flock.New(filepath.Join(os.TempDir(), program+"-install.lock"), flock.SetPermissions(0o600))
	}
	wait, cancel := context.WithTimeout(ctx, 2*commandTime)
	defer cancel()
	_, err = lock.TryLockContext(wait, 10*time.Millisecond)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return nil, memory.Errorf(memory.CodeUnavailable, "another installation is at work").WithHint("try again when it has ended")
	case err != nil:
		return func() error { return nil }, nil
	}
	return lock.Close, nil
}
