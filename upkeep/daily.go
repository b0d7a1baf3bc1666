package upkeep

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"mcp-memory/internal/job"
	"mcp-memory/memory"
)

// Daily makes a backup a day into a directory.
type Daily struct {
	Backup BackupOptions
	Into   string // made if it is missing
	Keep   int    // how many are kept, from 1
	Store  interface {
		memory.Writer
		Agents(ctx context.Context) ([]string, error)
	}
	IDs    *memory.IDs
	Holder string                   // names the process, see [job.Options]
	Gone   func(holder string) bool // as above
	// Busy is the time that has been spent in writes so far: while it grows, a
	// backup waits, but not longer than an hour.
	Busy func() time.Duration
	Log  *slog.Logger
}

const (
	day       = 24 * time.Hour
	dailyLook = 10 * time.Minute
	quiet     = 5 * time.Second // for so long nobody has written
	patience  = time.Hour
)

// Run makes a backup whenever the newest is a day old, until ctx ends. A failure
// is logged and tried again later.
func (d Daily) Run(ctx context.Context) {
	for wait := time.Minute; ; wait = dailyLook {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		if due, err := d.due(); err == nil && !due {
			continue
		}
		if !d.idle(ctx) {
			return
		}
		if _, err := d.Once(ctx); err != nil && ctx.Err() == nil {
			d.Log.ErrorContext(ctx, "daily backup", "error", err)
		}
	}
}

func (d Daily) due() (bool, error) {
	last, err := LastBackup(d.Into)
	return d.Backup.Clock().Sub(last) >= day, err
}

// idle waits until nobody has written for a while. It reports false when ctx ends.
func (d Daily) idle(ctx context.Context) bool {
	for begun := time.Now(); ; {
		before := d.Busy()
		select {
		case <-ctx.Done():
			return false
		case <-time.After(quiet):
		}
		if d.Busy() == before || time.Since(begun) > patience {
			return true
		}
	}
}

// Once makes a backup if it is due and no other process makes it, and returns its
// name, or "".
func (d Daily) Once(ctx context.Context) (name string, err error) {
	if err := os.MkdirAll(d.Into, dirPerm); err != nil {
		return "", cannotWrite(d.Into, err)
	}
	lease, err := d.lease(ctx)
	if lease == nil || err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, lease.Drop(context.WithoutCancel(ctx))) }()
	due, err := d.due() // another process may have made it meanwhile
	if !due || err != nil {
		return "", err
	}
	ctx, stop := lease.Keep(ctx, job.Beat)
	defer stop()
	name = filepath.Join(d.Into, BackupName(d.Backup.Clock()))
	if _, err := Backup(ctx, name, d.Backup); err != nil {
		return "", err
	}
	_, err = Rotate(d.Into, d.Keep)
	return name, err
}

// lease takes the right to make a backup, nil if another process has it or there
// is nothing to back up. Leases belong to banks: all processes take that of the first.
func (d Daily) lease(ctx context.Context) (*job.Lease, error) {
	agents, err := d.Store.Agents(ctx)
	if err != nil || len(agents) == 0 {
		return nil, err
	}
	const subject = "daily"
	agent := slices.Min(agents)
	w := job.New(job.Options{Store: d.Store, Kind: "backup", Clock: d.Backup.Clock, IDs: d.IDs, Holder: d.Holder, Gone: d.Gone})
	l, err := w.Take(ctx, agent, subject)
	if l == nil && err == nil {
		j, failed := w.Draft(agent, subject, "begun", nil)
		if failed != nil {
			return nil, failed
		}
		l, err = w.Start(ctx, j)
	}
	if errors.Is(err, job.ErrBusy) {
		return nil, nil
	}
	return l, err
}
