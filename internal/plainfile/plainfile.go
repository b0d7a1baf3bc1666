// Package plainfile opens files that somebody else may have put there, such as the author of a
// cloned repository: plain ones, by a link too, of a bounded size. A device or a pipe is
// refused before it is opened, so that it neither blocks nor never ends.
package plainfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrNotPlain is what is no file, such as a directory, a pipe or a device.
var ErrNotPlain = errors.New("it is no plain file")

// Open opens a plain file for reading. Errors are those of [os.Open], and [ErrNotPlain].
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrNotPlain}
	}
	return os.Open(path)
}

// Read returns what a plain file of at most so many bytes has. Errors are those of [Open], and
// one that says the limit.
func Read(path string, most int64) (content []byte, err error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if content, err = io.ReadAll(io.LimitReader(f, most+1)); err == nil && int64(len(content)) > most {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("it has more than %d bytes", most)}
	}
	return content, err
}
