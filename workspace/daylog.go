package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"

	"mcp-memory/memory"
)

// DayLogName is the log of the day (UTC) on which a record was made, relative
// to the workspace, with forward slashes.
func (d Dir) DayLogName(r memory.Record) string {
	return "memory/" + r.CreatedAt.UTC().Format(time.DateOnly) + ".md"
}

// AppendDayLog adds one line for a record to the log of its day. The line goes
// out in one write to a file opened for appending, so that lines of several
// processes never mix and a save waits for nothing but an erasure.
// [memory.CodeForbidden] if the file is a link, read-only or no file.
func (d Dir) AppendDayLog(r memory.Record) (err error) {
	if d.in != nil {
		return d.logInRows(d.DayLogName(r), "# "+r.CreatedAt.UTC().Format(time.DateOnly)+"\n\n", dayLine(r))
	}
	t, err := d.grow()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.root.Close()) }()
	name := d.DayLogName(r)
	if _, err := t.writable(name); err != nil {
		return err
	}
	if _, err := t.look(logLock); err != nil {
		return err
	}
	lock, err := d.hold(context.Background(), logLock, (*flock.Flock).TryRLockContext)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	f, err := t.root.(onDisk).OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, filePerm)
	heading := ""
	if err == nil {
		heading = "# " + r.CreatedAt.UTC().Format(time.DateOnly) + "\n\n"
	} else if errors.Is(err, fs.ErrExist) {
		f, err = t.root.(onDisk).OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	}
	if err != nil {
		return fmt.Errorf("open day log: %w", err)
	}
	_, err = f.WriteString(heading + dayLine(r))
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write day log: %w", err)
	}
	return nil
}

// dayLine is one line whatever the content has in it.
func dayLine(r memory.Record) string {
	project := ""
	if r.Project != "" {
		project = " (" + oneLine(r.Project) + ")"
	}
	return fmt.Sprintf("- %s [%s]%s %s <!-- %s -->\n", r.CreatedAt.UTC().Format("15:04:05"), oneLine(r.Category), project,
		oneLine(r.Content), r.ID)
}
