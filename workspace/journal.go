package workspace

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// journal is a file that only grows at its end.
type journal struct {
	log
	name string
	size int64
}

// journal opens a file for appending, which it makes if it is missing.
func (t tree) journal(name string) (*journal, error) {
	info, err := t.writable(name)
	if err != nil {
		return nil, err
	}
	opened, err := t.root.open(name, info)
	if err != nil {
		return nil, err
	}
	j := &journal{log: opened, name: name}
	if info != nil {
		j.size = info.Size()
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

// add appends durably and all or nothing.
func (j *journal) add(s string) error {
	err := j.log.add(s, j.size)
	if err == nil {
		j.size += int64(len(s))
	}
	return err
}

// cut takes away what is after size bytes.
func (j *journal) cut(size int64) error {
	err := j.log.cut(size)
	if err == nil {
		j.size = size
	}
	return err
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
