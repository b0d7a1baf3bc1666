package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime"
	"time"

	"mcp-memory/internal/plainfile"
)

// onDisk is the opened directory of a workspace.
type onDisk struct{ *os.Root }

var _ place = onDisk{}

// shut implements [place].
func (t onDisk) shut(folder string) error {
	if err := t.Mkdir(folder, dirPerm); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make %s: %w", folder, err)
	}
	if f, err := t.Stat(folder); err == nil && tooOpen(f, dirPerm) {
		_ = t.Chmod(folder, f.Mode().Perm()&dirPerm) // best effort, as in grow
	}
	return nil
}

// replace implements [place].
func (t onDisk) replace(name string, old text, content string) (done bool, err error) {
	draft, err := t.draft(name, old, content)
	if err != nil {
		return false, err
	}
	defer func() {
		if !done {
			err = errors.Join(err, t.Remove(draft))
		}
	}()
	switch found, err := (tree{t}).read(name); {
	case err != nil:
		return false, err
	case found.exists != old.exists || found.content != old.content:
		return false, nil
	}
	if !old.exists {
		// Unlike a rename, a link never replaces what has just been made. Where
		// there are no links, the rename has to do.
		err := t.Link(draft, name)
		if errors.Is(err, fs.ErrExist) {
			return false, nil
		} else if err == nil {
			return true, errors.Join(t.Remove(draft), t.syncFolder(name))
		}
	}
	if old.exists {
		switch can, done, err := plainfile.Swap(t.Root, draft, name, old.content, content); {
		case errors.Is(err, plainfile.ErrChanging):
			return false, errChanging(name)
		case done:
			return true, errors.Join(err, t.syncFolder(name))
		case can || err != nil:
			return false, err
		}
	}
	if err := t.rename(draft, name); err != nil {
		return false, fmt.Errorf("replace %s: %w", name, err)
	}
	return true, t.syncFolder(name)
}

// draft writes the coming content of a file beside it. The lock allows one
// draft at a time, so one that is there was left by a crash.
func (t onDisk) draft(name string, old text, content string) (string, error) {
	draft := draftName(name)
	if err := t.Remove(draft); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("remove old draft of %s: %w", name, err)
	}
	perm := filePerm
	if old.exists {
		perm &= old.perm
	}
	f, err := t.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return "", fmt.Errorf("draft %s: %w", name, err)
	}
	_, err = f.WriteString(content)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", errors.Join(fmt.Errorf("draft %s: %w", name, err), t.Remove(draft))
	}
	return draft, nil
}

func draftName(name string) string { return path.Join(path.Dir(name), "."+path.Base(name)+".draft") }

// rename waits a little on Windows, where a file that somebody is reading
// cannot be replaced.
func (t onDisk) rename(from, to string) error {
	err := t.Rename(from, to)
	for wait := time.Millisecond; err != nil && runtime.GOOS == "windows" && wait < time.Second; wait *= 2 {
		time.Sleep(wait)
		err = t.Rename(from, to)
	}
	return err
}

// syncFolder implements [place]. Windows does that by itself and has no such call.
func (t onDisk) syncFolder(name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := t.Open(path.Dir(name))
	if err != nil {
		return fmt.Errorf("open folder of %s: %w", name, err)
	}
	if err := errors.Join(folder.Sync(), folder.Close()); err != nil {
		return fmt.Errorf("sync folder of %s: %w", name, err)
	}
	return nil
}

// put implements [place].
func (t onDisk) put(name, old, content string, perm fs.FileMode) (done bool, err error) {
	draft, err := t.draft(name, text{exists: true, perm: perm}, content)
	if err != nil {
		return false, err
	}
	defer func() {
		if !done {
			err = errors.Join(err, t.Remove(draft))
		}
	}()
	if found, err := t.ReadFile(name); err != nil || string(found) != old {
		return false, err
	}
	if err := t.rename(draft, name); err != nil {
		return false, fmt.Errorf("replace %s: %w", name, err)
	}
	return true, t.syncFolder(name)
}

// keep implements [place].
func (t onDisk) keep(name string, content []byte, durable bool) error {
	draft := draftName(name)
	f, err := t.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, filePerm)
	if err != nil {
		return err
	}
	if _, err = f.Write(content); err == nil && durable {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = t.rename(draft, name)
	}
	if err != nil {
		return errors.Join(err, t.Remove(draft))
	}
	if durable {
		return t.syncFolder(name)
	}
	return nil
}

// open implements [place].
func (t onDisk) open(name string, info fs.FileInfo) (log, error) {
	f, err := t.OpenFile(name, os.O_RDWR|os.O_APPEND|os.O_CREATE, filePerm)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	if info != nil && tooOpen(info, filePerm) {
		if err := f.Chmod(info.Mode().Perm() & filePerm); err != nil {
			return nil, errors.Join(fmt.Errorf("close %s to others: %w", name, err), f.Close())
		}
	}
	return diskLog{f, t, name}, nil
}

// diskLog is a [log] on disk.
type diskLog struct {
	*os.File
	folder onDisk
	name   string
}

// add implements [log].
func (l diskLog) add(s string, size int64) error {
	if _, err := l.WriteString(s); err != nil {
		// A disk that is full takes a part; half an entry helps nobody.
		return errors.Join(fmt.Errorf("write %s: %w", l.name, err), l.cut(size))
	}
	if err := l.Sync(); err != nil {
		return fmt.Errorf("sync %s: %w", l.name, err)
	}
	if size == 0 {
		return l.folder.syncFolder(l.name)
	}
	return nil
}

// cut implements [log].
func (l diskLog) cut(size int64) error {
	// Windows does not let a file that is open for appending be cut.
	f, err := l.folder.OpenFile(l.name, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("open %s: %w", l.name, err)
	}
	if err := errors.Join(f.Truncate(size), f.Close()); err != nil {
		return fmt.Errorf("cut %s: %w", l.name, err)
	}
	return nil
}
