// Package workspace keeps the Markdown files of an agent: what a person reads,
// greps and edits beside the database. The files of one agent lie in
// workspaces/AGENT in the data directory, with letters of the name that some
// file systems take for others, such as capitals, as %XX; directories are 0700,
// files 0600.
//
// Where several servers have one database, the files are in it: [Database]. Then every change is
// a transaction that locks the agent's files. A person edits a copy of them in a folder, which
// `mcp-memory workspace sync` ([Sync]) makes the same as the workspace, both ways.
//
// On disk, two kinds of writers share these files. Processes of this program never
// interleave: every change is made under a lock of the operating system, which
// ends with its holder; those that append to day logs share a lock. A person's editor knows
// nothing of that lock. Therefore a file is read, merged, written beside the
// old one and put in its place only if the old one still is what was read;
// otherwise the merge starts again from what the person saved. On Linux the two are
// exchanged, and go back if what comes out is not what was read; elsewhere some
// microseconds lie between the comparison and the rename, which no lock could close.
//
// What is ours in a file is marked by a comment with the id of its record;
// everything else is the person's and stays byte for byte. A line of ours that
// somebody reworded is the person's too.
//
// Nothing outside the directory is touched: a file or folder in it that is a
// symbolic link is refused with [memory.CodeForbidden], because following it
// would change something far away and replacing it would break what the person
// set up. To keep the files elsewhere, link the agent's whole directory. A file
// without write permission is refused in the same way: that is how a person
// says hands off.
package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Dir is one agent's workspace. Copies are the same workspace; safe for
// concurrent use.
type Dir struct {
	path   string    // of the directory; in a [Database] a unique name, as a key for caches
	in     *Database // nil for a directory
	agent  string    // in a database: the agent whose files these are
	theirs bool      // a person's own folder: its permissions are left alone
	holder string    // in a database: holder of the lock of whileMirroring that this copy has, "" for none
}

// Open returns the workspace of an agent below a data directory. Nothing is
// made before something is written.
func Open(dataDir, agent string) Dir {
	base := filepath.Join(dataDir, "workspaces")
	return Dir{path: filepath.Join(base, folderOf(base, agent))}
}

// Path is the directory, which may not be there yet; "" for files of a database.
func (d Dir) Path() string {
	if d.in != nil {
		return ""
	}
	return d.path
}

// Exists reports whether there is a workspace.
func (d Dir) Exists(ctx context.Context) bool {
	if d.in != nil {
		version, err := d.in.store.FilesVersion(ctx, d.agent)
		return err == nil && version != 0
	}
	info, err := os.Stat(d.path)
	return err == nil && info.IsDir()
}

// MemoryFile is the file that mirrors what is durable.
const MemoryFile = "MEMORY.md"

// The other files that a person finds in every workspace.
const (
	agentsFile = "AGENTS.md"
	userFile   = "USER.md"
	ignoreFile = ".gitignore"
)

// Ensure makes those of AGENTS.md, SOUL.md, USER.md, MEMORY.md, HEARTBEAT.md and
// .gitignore that are missing, each with a few lines that say what it is for. A file that
// is there is never touched. Errors are those of [Dir.MergeMemory].
func (d Dir) Ensure(ctx context.Context) error {
	return d.alone(ctx, func(t tree) error {
		for _, b := range beginnings {
			if _, err := t.root.Lstat(b.name); !errors.Is(err, fs.ErrNotExist) {
				if err != nil {
					return fmt.Errorf("look at %s: %w", b.name, err)
				}
				continue // also a link or a folder, which other calls refuse
			}
			if _, err := t.root.replace(b.name, text{}, b.text); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
}

// Beginning is what a standard file says before anybody wrote in it, "" for any
// other. Names are relative to the workspace.
func Beginning(name string) string { return beginningOf(name) }
