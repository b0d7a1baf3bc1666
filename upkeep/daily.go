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

// Daily makes a backup each day in a directory.
type Daily struct {
	Backup BackupOptions
	Into   string // directory for backups; made if missing
	Keep   int    // how many backups are kept, at least 1
	Store  interface {
		memory.Writer
		Agents(ctx context.Context) ([]string, error)
	}
	IDs    *memory.IDs
	Holder string                   // name of this process, see [job.Options]
	Gone   func(holder string) bool // reports whether a process has certainly ended, see [job.Options]
	// Busy returns the time spent in writes so far. While it grows, a backup waits, up to patience.
	Busy func() time.Duration
	Log  *slog.Logger
}

const (
	day       = 24 * time.Hour
	dailyLook = 10 * time.Minute
	quiet     = 5 * time.Second // how long nobody may have written before a backup begins
	patience  = time.Hour
)

// Run makes a backup whenever the newest is a day old, until ctx ends. A failure is logged and
// retried at the next look.
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

// idle waits until nobody has written for a while, at most for patience. It returns false if ctx
// ends.
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

// Once makes a backup if it is due and no other process is making it. It returns the backup's name,
// or "".
func (d Daily) Once(ctx context.Context) (name string, err error) {
	if err := os.MkdirAll(d.Into, dirPerm); err != nil {
		return "", cannotWrite(d.Into, err)
	}
	lease, err := d.lease(ctx)
	if lease == nil || err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, lease.Drop(context.WithoutCancel(ctx))) }()
	due, err := d.due() // another process may have made it since
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

// lease takes the lease for making a backup. It returns nil if another process has it or if there
// are no banks. Leases belong to banks, so all processes use the first agent's.
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
