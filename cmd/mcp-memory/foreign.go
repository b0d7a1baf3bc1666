package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"mcp-memory/internal/plainfile"
)

// maxForeign is how many bytes [readForeign] reads of a file.
const maxForeign = 64 << 10

// maxOwn is the size in bytes up to which the program reads files of its own, such as config.yaml.
// A larger one is an error.
const maxOwn = 16 << 20

// errForeign means that a file is one that [readForeign] does not read.
var errForeign = errors.New("not a plain file in its directory")

// readForeign reads a file below a directory that strangers may have made, such as a cloned
// repository. It reads only regular files, and follows no link out of the directory. The name has
// forward slashes. It returns at most [maxForeign] bytes, and whether there are more. Errors are
// [fs.ErrNotExist], [fs.ErrPermission], and [errForeign] for anything else that is there.
func readForeign(dir, name string) (text []byte, more bool, err error) {
	if !isDir(dir) {
		return nil, false, fs.ErrNotExist
	}
	root, err := plainfile.OpenRoot(dir)
	if err != nil {
		return nil, false, errForeign
	}
	defer root.Close()
	f, err := plainfile.OpenIn(root, name)
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
