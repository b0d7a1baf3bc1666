package hosts

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
)

// BackupSuffix is what the copy of a file is called behind its name.
const BackupSuffix = ".mcp-memory-backup"

// file is a host's file as it is now.
type file struct {
	path   string // as the host names it
	target string // where it is, links followed
	text   []byte
	there  bool
	mode   fs.FileMode
	copy   []byte // what it was before the first change
	copied bool   // there is a copy
}

// readFile reads a file, which may be missing, and its copy.
//
// [memory.CodeConflict] for what is no plain file.
func readFile(path string) (*file, error) {
	f := &file{path: path, target: path, mode: 0o600}
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		target, err := filepath.EvalSymlinks(path)
		if err != nil {
			return nil, memory.Errorf(memory.CodeConflict, "it is a link to nothing").WithCause(err)
		}
		f.target = target
	}
	switch info, err := os.Stat(f.target); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, memory.Errorf(memory.CodeConflict, "it cannot be read: %v", errors.Unwrap(err))
	case !info.Mode().IsRegular():
		return nil, memory.Errorf(memory.CodeConflict, "it is no file")
	case info.Size() > maxConfig:
		return nil, memory.Errorf(memory.CodeConflict, "it has more than %d MiB", maxConfig>>20)
	default:
		f.there, f.mode = true, info.Mode().Perm()
		if f.text, err = plainfile.Read(f.target, maxConfig); err != nil {
			return nil, memory.Errorf(memory.CodeConflict, "it cannot be read: %v", errors.Unwrap(err))
		}
	}
	if info, err := os.Lstat(f.target + BackupSuffix); err == nil && info.Mode().IsRegular() {
		var err error
		f.copy, err = plainfile.Read(f.target+BackupSuffix, maxConfig)
		f.copied = err == nil
	}
	return f, nil
}

// write replaces the file at once, and reads it back.
func (f *file) write(m Machine, text []byte) error {
	if f.there && f.mode&0o200 == 0 {
		return memory.Errorf(memory.CodeConflict, "it is read-only")
	}
	now, err := readFile(f.path)
	if err != nil {
		return err
	}
	if now.there != f.there || !bytes.Equal(now.text, f.text) {
		return memory.Errorf(memory.CodeConflict, "it has just been changed by another program").WithHint("do the same again")
	}
	if err := m.makeDirectory(filepath.Dir(f.target)); err != nil {
		return memory.Errorf(memory.CodeConflict, "its directory cannot be made: %v", errors.Unwrap(err))
	}
	if err := writeWhole(f.target, text, f.mode); err != nil {
		return memory.Errorf(memory.CodeConflict, "it cannot be written: %v", err)
	}
	back, err := plainfile.Read(f.target, maxConfig)
	if err != nil || !bytes.Equal(back, text) {
		return memory.Errorf(memory.CodeUnavailable, "it reads otherwise than it was written").WithCause(err)
	}
	f.text, f.there = text, true
	return nil
}

// keepCopy copies the file beside itself.
func (f *file) keepCopy() error {
	if err := writeWhole(f.target+BackupSuffix, f.text, f.mode); err != nil {
		return memory.Errorf(memory.CodeConflict, "it cannot be copied to %s: %v", filepath.Base(f.target)+BackupSuffix, err)
	}
	f.copy, f.copied = f.text, true
	return nil
}

// writeWhole writes a file that is complete as soon as it has its name.
func writeWhole(path string, text []byte, mode fs.FileMode) error {
	out, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return errors.Unwrap(err)
	}
	_, err = out.Write(text)
	if err = errors.Join(err, out.Chmod(mode), out.Sync(), out.Close()); err == nil {
		err = os.Rename(out.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(out.Name()))
	}
	return nil
}

// remove deletes the file, and the directories above it that were made for it and are empty then.
func (f *file) remove(m Machine) error {
	if err := os.Remove(f.target); err != nil {
		return memory.Errorf(memory.CodeConflict, "it cannot be deleted: %v", errors.Unwrap(err))
	}
	f.text, f.there = nil, false
	m.dropDirectory(filepath.Dir(f.target))
	return nil
}
