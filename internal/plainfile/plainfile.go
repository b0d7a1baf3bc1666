// Package plainfile opens files that somebody else may have made, such as the author of a cloned
// repository. It opens only regular files, limits the size of what is read whole, and below an
// [os.Root] follows no link out of it. So a device or a pipe can neither block nor deliver endless
// data. It also replaces a file without losing what another program saves meanwhile.
package plainfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// ErrNotPlain is the error for what is no regular file, such as a directory, a pipe or a device.
var ErrNotPlain = errors.New("it is no plain file")

// Open opens a regular file for reading. Errors are those of [os.Open], and [ErrNotPlain].
func Open(path string) (*os.File, error) {
	return open(path, os.Stat, os.OpenFile)
}

// OpenIn is [Open] for a file below root; name has slashes.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	return open(filepath.FromSlash(name), root.Stat, root.OpenFile)
}

// open checks the kind of the file before it opens it, since opening a device may already have an
// effect, and again afterwards, since it may have been replaced. O_NONBLOCK keeps it from waiting
// for the other end of a pipe.
func open(path string, stat func(string) (fs.FileInfo, error), open func(string, int, fs.FileMode) (*os.File, error)) (*os.File, error) {
	info, err := stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrNotPlain}
	}
	f, err := open(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrNotPlain}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Read returns the content of a regular file of at most `most` bytes. Errors are those of [Open],
// and [ErrTooLarge].
func Read(path string, most int64) ([]byte, error) {
	f, err := Open(path)
	return readAll(f, err, most)
}

// ReadIn is [Read] for a file below root; name has slashes.
func ReadIn(root *os.Root, name string, most int64) ([]byte, error) {
	f, err := OpenIn(root, name)
	return readAll(f, err, most)
}

// ReadBelow is [ReadIn] for a file below the directory dir.
func ReadBelow(dir, name string, most int64) (content []byte, err error) {
	root, err := OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return ReadIn(root, name, most)
}

// OpenRoot is [os.OpenRoot], but does not block if there is a pipe in place of the directory.
func OpenRoot(dir string) (*os.Root, error) {
	if info, err := os.Stat(dir); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: syscall.ENOTDIR}
	}
	return os.OpenRoot(dir)
}

// ErrTooLarge is the error for a file with more bytes than are allowed.
var ErrTooLarge = errors.New("it is too large")

func readAll(f *os.File, err error, most int64) (content []byte, _ error) {
	if err != nil {
		return nil, err
	}
	content, err = io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(content)) > most {
		content, err = nil, &fs.PathError{Op: "read", Path: f.Name(), Err: fmt.Errorf("%w: more than %d bytes", ErrTooLarge, most)}
	}
	return content, errors.Join(err, f.Close())
}
