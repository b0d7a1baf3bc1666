package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// maxForeign is how much is read of a file that [readForeign] reads, in bytes.
const maxForeign = 64 << 10

// errForeign is a file that [readForeign] does not read.
var errForeign = errors.New("not a plain file in its directory")

// readForeign reads a file below a directory that strangers may have made, such
// as a cloned repository: only a regular file, and none to which a link leads
// out of the directory. The name has forward slashes. It returns at most
// [maxForeign] bytes, and whether there are more. Opening waits for nobody,
// unlike that of a pipe would. Errors are [fs.ErrNotExist], [fs.ErrPermission],
// and [errForeign] for anything else that is there.
func readForeign(dir, name string) (text []byte, more bool, err error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, false, fs.ErrNotExist // opening a pipe as a directory would wait
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, false, errForeign
	}
	defer root.Close()
	f, err := root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !isLink(filepath.Join(dir, name)):
		return nil, false, fs.ErrNotExist
	case errors.Is(err, syscall.ENOTDIR):
		return nil, false, fs.ErrNotExist
	case errors.Is(err, fs.ErrPermission):
		return nil, false, fs.ErrPermission
	case err != nil:
		return nil, false, errForeign
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, false, errForeign
	}
	text, err = io.ReadAll(io.LimitReader(f, maxForeign+1))
	if err != nil {
		return nil, false, errForeign
	}
	if len(text) > maxForeign {
		return text[:maxForeign], true, nil
	}
	return text, false, nil
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}
