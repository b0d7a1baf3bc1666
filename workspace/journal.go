package workspace

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// journal is a file that only grows at its end.
type journal struct {
	*os.File
	tree tree
	name string
	size int64
}

// journal opens a file for appending, which it makes if it is missing.
func (t tree) journal(name string) (*journal, error) {
	info, err := t.writable(name)
	if err != nil {
		return nil, err
	}
	f, err := t.root.OpenFile(name, os.O_RDWR|os.O_APPEND|os.O_CREATE, filePerm)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	j := &journal{File: f, tree: t, name: name}
	if info == nil {
		return j, nil
	}
	j.size = info.Size()
	if tooOpen(info, filePerm) {
		if err := f.Chmod(info.Mode().Perm() & filePerm); err != nil {
			return nil, errors.Join(fmt.Errorf("close %s to others: %w", name, err), f.Close())
		}
	}
	return j, nil
}

// tail returns at most n bytes from the end.
func (j *journal) tail(n int64) (string, error) {
	n = min(n, j.size)
	b := make([]byte, n)
	if _, err := j.ReadAt(b, j.size-n); err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read %s: %w", j.name, err)
	}
	return string(b), nil
}

// add appends durably and all or nothing, as far as the process lives.
func (j *journal) add(s string) error {
	_, err := j.WriteString(s)
	if err != nil {
		// A disk that is full takes a part; half an entry helps nobody.
		return errors.Join(fmt.Errorf("write %s: %w", j.name, err), j.cut(j.size))
	}
	if err := j.Sync(); err != nil {
		return fmt.Errorf("sync %s: %w", j.name, err)
	}
	fresh := j.size == 0
	j.size += int64(len(s))
	if fresh {
		return j.tree.syncFolder(j.name)
	}
	return nil
}

// cut takes away what is after size bytes.
func (j *journal) cut(size int64) error {
	// Windows does not let a file that is open for appending be cut.
	f, err := j.tree.root.OpenFile(j.name, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("open %s: %w", j.name, err)
	}
	if err := errors.Join(f.Truncate(size), f.Close()); err != nil {
		return fmt.Errorf("cut %s: %w", j.name, err)
	}
	j.size = size
	return nil
}

// logTail is how far back an entry is looked for before it is written, in
// bytes: thousands of entries, and a retry follows at once.
const logTail = 1 << 20

// log appends an entry to a journal of Markdown unless the marker of its id is
// there already. The marker comes last in an entry: one that was torn by a
// crash lacks it and is written again.
func (t tree) log(name, title, id, entry string) (err error) {
	j, err := t.journal(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	tail, err := j.tail(logTail)
	if err != nil || strings.Contains(tail, "<!-- "+id+" ") {
		return err
	}
	switch {
	case j.size == 0:
		entry = "# " + title + "\n\n" + entry
	case strings.HasSuffix(tail, "\n"):
		entry = "\n" + entry
	default:
		entry = "\n\n" + entry
	}
	return j.add(strings.ReplaceAll(entry, "\n", lineEnd(tail)))
}
