// Package workspace keeps the Markdown files of an agent: what a person reads,
// greps and edits beside the database. The files of one agent lie in
// workspaces/AGENT in the data directory; directories are 0700, files 0600.
package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mcp-memory/memory"
)

// Dir is one agent's workspace.
type Dir struct{ path string }

// Open returns the workspace of an agent below a data directory. Nothing is
// made before something is written.
func Open(dataDir, agent string) Dir {
	return Dir{filepath.Join(dataDir, "workspaces", agent)}
}

// DayLogName is the log of the day (UTC) on which a record was made, relative
// to the workspace, with forward slashes.
func (d Dir) DayLogName(r memory.Record) string {
	return "memory/" + r.CreatedAt.UTC().Format(time.DateOnly) + ".md"
}

// AppendDayLog adds one line for a record to the log of its day. The line goes
// out in one write to a file opened for appending, so that lines of several
// processes never mix.
func (d Dir) AppendDayLog(r memory.Record) error {
	path := filepath.Join(d.path, filepath.FromSlash(d.DayLogName(r)))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make workspace: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	heading := ""
	if err == nil {
		heading = "# " + r.CreatedAt.UTC().Format(time.DateOnly) + "\n\n"
	} else if errors.Is(err, fs.ErrExist) {
		f, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0o600)
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
	content := strings.Join(strings.Fields(r.Content), " ")
	project := ""
	if r.Project != "" {
		project = " (" + r.Project + ")"
	}
	return fmt.Sprintf("- %s [%s]%s %s <!-- %s -->\n", r.CreatedAt.UTC().Format("15:04:05"), r.Category, project, content, r.ID)
}
