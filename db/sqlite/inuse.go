package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"sync"

	"mcp-memory/memory"
)

// filesInUse notices that the database or its log was deleted or replaced while
// this process has it open. SQLite goes on with the file that it has, which
// nobody can open any more; what is committed to that is lost at the end of the process.
type filesInUse struct {
	path string

	mu  sync.Mutex
	was [2]os.FileInfo // nil for one that was not there
}

// suffixes are those of the files, database and log, that have to stay the same.
var suffixes = [...]string{"", "-wal"}

func newFilesInUse(path string) *filesInUse {
	f := &filesInUse{path: path}
	for i, suffix := range suffixes {
		if info, err := os.Stat(path + suffix); err == nil {
			f.was[i] = info
		}
	}
	return f
}

// check returns an error if the name of the database or its log is no longer that of the file which
// this process has open. It takes a microsecond for each file; a nil receiver checks nothing.
func (f *filesInUse) check() error {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, suffix := range suffixes {
		now, err := os.Stat(f.path + suffix)
		switch {
		case errors.Is(err, fs.ErrNotExist) && f.was[i] == nil:
		case err == nil && f.was[i] == nil:
			f.was[i] = now // the log is made by the first write
		case err == nil && os.SameFile(now, f.was[i]):
		case err == nil:
			return exchanged("replaced")
		case errors.Is(err, fs.ErrNotExist):
			return exchanged("deleted")
		default:
			return cannotOpen(err)
		}
	}
	return nil
}

func exchanged(how string) error {
	return memory.Errorf(memory.CodeUnavailable, "the database was %s while it was in use", how).
		WithHint("nothing is saved until this server is restarted; put the file back, or restore a backup, before that")
}
