package hosts

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
)

// BackupSuffix is added to the name of a file for the name of its copy.
const BackupSuffix = ".mcp-memory-backup"

// spot is the place of a file. Links of a user's file are followed anywhere.
// Links of a project's file stay within the project, because somebody else may
// have made them.
type spot struct {
	path   string // before links are resolved
	within string // the project's directory, "" for the user's files
}

// file is a host's file as it was read.
type file struct {
	spot
	dir     string // the directory that is opened as a root: the project's, or the file's own
	name    string // of the file in dir, links resolved, with slashes
	text    []byte
	there   bool // the file exists
	mode    fs.FileMode
	changed time.Time
	copy    []byte // the text before the first change
	copied  bool   // there is a copy
}

// readFile reads a file, which may be missing, and its copy. It returns a
// [memory.CodeConflict] if it is not a regular file, is too long, or a link
// leads out of the project.
func readFile(at spot) (*file, error) {
	f := &file{spot: at, mode: 0o600}
	if err := f.resolve(); err != nil {
		return nil, err
	}
	root, err := plainfile.OpenRoot(f.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	} else if err != nil {
		return nil, memory.Errorf(memory.CodeConflict, "its directory cannot be read: %v", errors.Unwrap(err))
	}
	defer root.Close()
	switch info, err := root.Stat(f.name); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil && at.within != "":
		return nil, memory.Errorf(memory.CodeConflict, "a link leads out of the project, or it cannot be read: %v", errors.Unwrap(err))
	case err != nil:
		return nil, memory.Errorf(memory.CodeConflict, "it cannot be read: %v", errors.Unwrap(err))
	case !info.Mode().IsRegular():
		return nil, memory.Errorf(memory.CodeConflict, "it is no file")
	case info.Size() > maxConfig:
		return nil, memory.Errorf(memory.CodeConflict, "it has more than %d MiB", maxConfig>>20)
	default:
		f.there, f.mode, f.changed = true, info.Mode().Perm(), info.ModTime()
		if f.text, err = plainfile.ReadIn(root, f.name, maxConfig); err != nil {
			return nil, memory.Errorf(memory.CodeConflict, "it cannot be read: %v", errors.Unwrap(err))
		}
	}
	if info, err := root.Lstat(f.name + BackupSuffix); err == nil && info.Mode().IsRegular() {
		f.copy, err = plainfile.ReadIn(root, f.name+BackupSuffix, maxConfig)
		f.copied = err == nil
	}
	return f, nil
}

// resolve sets dir and name, following links.
func (f *file) resolve() error {
	target := f.path
	info, err := os.Lstat(f.path)
	link := err == nil && info.Mode()&fs.ModeSymlink != 0
	if link {
		if target, err = filepath.EvalSymlinks(f.path); err != nil {
			return memory.Errorf(memory.CodeConflict, "it is a link to nothing").WithCause(err)
		}
	}
	if f.within == "" {
		f.dir, f.name = filepath.Dir(target), filepath.Base(target)
		return nil
	}
	f.dir = f.within
	if link { // target has no links in it
		if f.dir, err = filepath.EvalSymlinks(f.within); err != nil {
			return memory.Errorf(memory.CodeConflict, "its project cannot be read").WithCause(err)
		}
	}
	name, err := filepath.Rel(f.dir, target)
	if err != nil || !filepath.IsLocal(name) {
		return memory.Errorf(memory.CodeConflict, "it is a link that leads out of the project")
	}
	f.name = filepath.ToSlash(name)
	return nil
}

// saving is how long after its last change an empty file may be one that an
// editor is about to write.
const saving = time.Second

// readSaved is readFile for a file that is to be added to. Many programs save
// by first emptying the file: readSaved waits for the text of a file that has
// just become empty.
func readSaved(at spot) (*file, error) {
	for {
		f, err := readFile(at)
		if err != nil || !f.there || len(f.text) > 0 {
			return f, err
		}
		if age := time.Since(f.changed); age < 0 || age > saving {
			return f, nil
		}
		time.Sleep(saving / 50)
	}
}

// target returns the file's path with links resolved.
func (f *file) target() string { return filepath.Join(f.dir, filepath.FromSlash(f.name)) }

// errChanged is returned if another program changed the file after it was read.
var errChanged = memory.Errorf(memory.CodeConflict, "it has just been changed by another program").WithHint("do the same again")

// write replaces the file's text at once and reads it back. It returns
// [errChanged] if the file no longer has the text that was read, which is then
// left as it is, or if it has another text right after it was written.
func (f *file) write(m Machine, text []byte) (err error) {
	if f.there && f.mode&0o200 == 0 {
		return memory.Errorf(memory.CodeConflict, "it is read-only")
	}
	root, err := f.makeRoot(m)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	done, err := f.replace(root, text)
	if err != nil {
		return memory.Errorf(memory.CodeConflict, "it cannot be written: %v", err)
	}
	if !done {
		return errChanged
	}
	if back, err := plainfile.ReadIn(root, f.name, maxConfig); err != nil || !bytes.Equal(back, text) {
		return errChanged
	}
	f.text, f.there = text, true
	return nil
}

// makeRoot makes the missing directories and opens f.dir.
func (f *file) makeRoot(m Machine) (*os.Root, error) {
	m.noteDirectory(filepath.Dir(f.target()))
	if f.within == "" {
		if err := os.MkdirAll(f.dir, 0o700); err != nil {
			return nil, memory.Errorf(memory.CodeConflict, "its directory cannot be made: %v", errors.Unwrap(err))
		}
	}
	root, err := plainfile.OpenRoot(f.dir)
	if err != nil {
		return nil, memory.Errorf(memory.CodeConflict, "its directory cannot be read: %v", errors.Unwrap(err))
	}
	if err := root.MkdirAll(path.Dir(f.name), 0o700); err != nil {
		return nil, errors.Join(memory.Errorf(memory.CodeConflict, "its directory cannot be made: %v", errors.Unwrap(err)), root.Close())
	}
	return root, nil
}

// replace writes text in place of what was read. done is false if the file has
// changed: then it is left as it is.
func (f *file) replace(root *os.Root, text []byte) (done bool, err error) {
	draft, err := writeDraft(root, f.name, text, f.mode)
	if err != nil {
		return false, err
	}
	defer func() {
		if gone := root.Remove(draft); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}()
	if same, err := f.unchanged(root, f.name); err != nil || !same {
		return false, err
	}
	if !f.there { // unlike a rename, a link never replaces a file that was just made
		if err := root.Link(draft, f.name); err == nil || errors.Is(err, fs.ErrExist) {
			return err == nil, nil
		}
	} else if can, done, err := plainfile.Swap(root, draft, f.name, string(f.text), string(text)); can || err != nil {
		return done, err
	}
	return true, root.Rename(draft, f.name)
}

// unchanged reports whether the file still is as it was read, or still missing.
func (f *file) unchanged(root *os.Root, name string) (bool, error) {
	now, err := plainfile.ReadIn(root, name, maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return !f.there, nil
	}
	return err == nil && f.there && bytes.Equal(now, f.text), err
}

// writeDraft writes a file with a random name beside another and returns its
// name.
func writeDraft(root *os.Root, name string, text []byte, mode fs.FileMode) (draft string, err error) {
	draft = path.Join(path.Dir(name), "."+path.Base(name)+"-"+rand.Text()[:8])
	out, err := root.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", errors.Unwrap(err)
	}
	_, err = out.Write(text)
	if err = errors.Join(err, out.Chmod(mode), out.Sync(), out.Close()); err != nil {
		return "", errors.Join(err, root.Remove(draft))
	}
	return draft, nil
}

// writeWhole writes a file by renaming a draft, so that it never exists half
// written. It replaces what was there.
func writeWhole(root *os.Root, name string, text []byte, mode fs.FileMode) error {
	draft, err := writeDraft(root, name, text, mode)
	if err != nil {
		return err
	}
	if err := root.Rename(draft, name); err != nil {
		return errors.Join(err, root.Remove(draft))
	}
	return nil
}

// keepCopy copies the file beside itself.
func (f *file) keepCopy() error {
	root, err := plainfile.OpenRoot(f.dir)
	if err == nil {
		err = errors.Join(writeWhole(root, f.name+BackupSuffix, f.text, f.mode), root.Close())
	}
	if err != nil {
		return memory.Errorf(memory.CodeConflict, "it cannot be copied to %s: %v", path.Base(f.name)+BackupSuffix, err)
	}
	f.copy, f.copied = f.text, true
	return nil
}

// dropCopy deletes the copy.
func (f *file) dropCopy() error {
	root, err := plainfile.OpenRoot(f.dir)
	if err == nil {
		err = errors.Join(root.Remove(f.name+BackupSuffix), root.Close())
	}
	if err != nil {
		return memory.Errorf(memory.CodeConflict, "its copy cannot be deleted: %v", err)
	}
	f.copy, f.copied = nil, false
	return nil
}

// remove deletes the file, and then the directories above it that an
// installation made and that are empty. It returns [errChanged] if the file no
// longer has the text that was read, and then leaves it.
func (f *file) remove(m Machine) error {
	root, err := plainfile.OpenRoot(f.dir)
	if err == nil {
		err = errors.Join(f.take(root), root.Close())
	}
	if errors.Is(err, errChanged) {
		return err
	} else if err != nil {
		return memory.Errorf(memory.CodeConflict, "it cannot be deleted: %v", errors.Unwrap(err))
	}
	f.text, f.there = nil, false
	m.dropDirectory(filepath.Dir(f.target()))
	return nil
}

// take renames the file, compares its text once more with what was read, and
// deletes it. If it has changed, take gives it its name back.
func (f *file) take(root *os.Root) error {
	away := path.Join(path.Dir(f.name), "."+path.Base(f.name)+"-"+rand.Text()[:8])
	if err := root.Rename(f.name, away); err != nil {
		return err
	}
	if plainfile.Says(root, away, string(f.text)) {
		return root.Remove(away)
	}
	if err := root.Link(away, f.name); err != nil && !errors.Is(err, fs.ErrExist) {
		return errors.Join(err, root.Rename(away, f.name)) // the file system has no links
	}
	return errors.Join(errChanged, root.Remove(away))
}
