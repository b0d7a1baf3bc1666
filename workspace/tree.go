package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"

	"mcp-memory/memory"
)

const (
	dirPerm  fs.FileMode = 0o700
	filePerm fs.FileMode = 0o600
)

// maxText bounds a file that is read whole, in bytes: far more than a person
// writes, little enough to hold it a few times.
const maxText = 1 << 20

// maxMerges is how often a merge is done on a file that keeps changing.
const maxMerges = 5

// tree is the opened directory of a workspace. Names are relative to it with
// forward slashes; no name leads out of it.
type tree struct{ root *os.Root }

// text is a file as it was read.
type text struct {
	content string
	exists  bool
	perm    fs.FileMode
}

// tooOpen reports whether others than the owner are let in. Windows answers
// that by access lists, which a new file takes from its directory.
func tooOpen(info fs.FileInfo, want fs.FileMode) bool {
	return runtime.GOOS != "windows" && info.Mode().Perm()&^want != 0
}

// look returns what is known of a file, nil if it is not there, and
// [memory.CodeForbidden] if it or its folder is something else.
func (t tree) look(name string) (fs.FileInfo, error) {
	if folder := path.Dir(name); folder != "." {
		info, err := t.root.Lstat(folder)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		} else if err != nil {
			return nil, fmt.Errorf("look at %s: %w", folder, err)
		}
		if !info.IsDir() {
			return nil, memory.Errorf(memory.CodeForbidden, "%s in the workspace is not a plain folder", folder).
				WithHint("move it away; to keep the files elsewhere, link the agent's whole directory")
		}
	}
	info, err := t.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("look at %s: %w", name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, memory.Errorf(memory.CodeForbidden, "%s in the workspace is not a plain file", name).
			WithHint("put a file in its place; to keep the files elsewhere, link the agent's whole directory")
	}
	return info, nil
}

// writable is look for a file that is about to change; it also makes the
// file's folder.
func (t tree) writable(name string) (fs.FileInfo, error) {
	info, err := t.look(name)
	if err != nil {
		return nil, err
	}
	if err := closed(name, info); err != nil {
		return nil, err
	}
	folder := path.Dir(name)
	if folder == "." {
		return info, nil
	}
	if err := t.root.Mkdir(folder, dirPerm); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("make %s: %w", folder, err)
	}
	if f, err := t.root.Stat(folder); err == nil && tooOpen(f, dirPerm) {
		_ = t.root.Chmod(folder, f.Mode().Perm()&dirPerm) // best effort, as in grow
	}
	return info, nil
}

// closed is [memory.CodeForbidden] if a person has closed a file to changes.
func closed(name string, info fs.FileInfo) error {
	if info == nil || info.Mode().Perm()&0o200 != 0 {
		return nil
	}
	return memory.Errorf(memory.CodeForbidden, "%s in the workspace is read-only", name).
		WithHint("make it writable if mcp-memory may change it")
}

// read returns a whole file; one that is not there is empty.
func (t tree) read(name string) (text, error) {
	info, err := t.look(name)
	if err != nil || info == nil {
		return text{}, err
	}
	if info.Size() > maxText {
		return text{}, memory.Errorf(memory.CodeTooLarge, "%s in the workspace is %d bytes, at most %d are read", name, info.Size(), maxText).
			WithHint("move what is not needed in every session to another file")
	}
	content, err := t.root.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) { // an editor is putting its own in place
		return text{}, nil
	} else if err != nil {
		return text{}, fmt.Errorf("read %s: %w", name, err)
	}
	if !utf8.Valid(content) || bytes.IndexByte(content, 0) >= 0 {
		return text{}, memory.Errorf(memory.CodeInvalidArgument, "%s in the workspace is not text in UTF-8", name).
			WithHint("save it as UTF-8")
	}
	return text{string(content), true, info.Mode().Perm()}, nil
}

// edit replaces a file by what change makes of it. If somebody else changed it
// meanwhile, change is asked again; [memory.CodeConflict] if that never ends.
func (t tree) edit(ctx context.Context, name string, change func(old text) (string, error)) error {
	if _, err := t.writable(name); err != nil {
		return err
	}
	for range maxMerges {
		if err := ctx.Err(); err != nil {
			return err
		}
		old, err := t.read(name)
		if err != nil {
			return err
		}
		content, err := change(old)
		if err != nil || content == old.content && (old.exists || content == "") {
			return err
		}
		if done, err := t.replace(name, old, content); done || err != nil {
			return err
		}
	}
	return errChanging(name)
}

func errChanging(name string) error {
	return memory.Errorf(memory.CodeConflict, "%s in the workspace changes all the time", name).
		WithHint("try again when nobody else is writing to it")
}

// replace puts content in the place of old and reports whether old was still
// there. What is found afterwards, even after a crash, is all of one or all of
// the other.
func (t tree) replace(name string, old text, content string) (done bool, err error) {
	draft, err := t.draft(name, old, content)
	if err != nil {
		return false, err
	}
	defer func() {
		if !done {
			err = errors.Join(err, t.root.Remove(draft))
		}
	}()
	switch found, err := t.read(name); {
	case err != nil:
		return false, err
	case found.exists != old.exists || found.content != old.content:
		return false, nil
	}
	if !old.exists {
		// Unlike a rename, a link never replaces what has just been made. Where
		// there are no links, the rename has to do.
		err := t.root.Link(draft, name)
		if errors.Is(err, fs.ErrExist) {
			return false, nil
		} else if err == nil {
			return true, errors.Join(t.root.Remove(draft), t.syncFolder(name))
		}
	}
	if old.exists {
		if can, done, err := t.swap(draft, name, old.content, content); can || err != nil {
			return done, err
		}
	}
	if err := t.rename(draft, name); err != nil {
		return false, fmt.Errorf("replace %s: %w", name, err)
	}
	return true, t.syncFolder(name)
}

// maxSwaps is how often a file is put back that somebody keeps saving meanwhile.
const maxSwaps = 100

// swap puts a draft in the place of a file where the system can exchange the two: then
// what was there is in hand, and goes back if it is not what was read. So no save of a
// person is lost, however close it comes.
func (t tree) swap(draft, name, old, content string) (can, done bool, err error) {
	can, err = t.exchange(draft, name)
	if !can || errors.Is(err, fs.ErrNotExist) { // somebody takes it away
		return can, false, nil
	}
	if err != nil {
		return true, false, fmt.Errorf("replace %s: %w", name, err)
	}
	there, err := t.root.ReadFile(draft)
	if err == nil && string(there) == old {
		return true, true, errors.Join(t.root.Remove(draft), t.syncFolder(name))
	}
	for range maxSwaps { // what somebody saved meanwhile comes out by the exchange back, and goes in again
		if _, err := t.exchange(draft, name); err != nil {
			return true, false, fmt.Errorf("put %s back: %w", name, err)
		}
		if there, err := t.root.ReadFile(draft); err != nil || string(there) == content {
			return true, false, err
		}
	}
	return true, false, errChanging(name)
}

// draft writes the coming content of a file beside it. The lock allows one
// draft at a time, so one that is there was left by a crash.
func (t tree) draft(name string, old text, content string) (string, error) {
	draft := draftName(name)
	if err := t.root.Remove(draft); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("remove old draft of %s: %w", name, err)
	}
	perm := filePerm
	if old.exists {
		perm &= old.perm
	}
	f, err := t.root.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return "", fmt.Errorf("draft %s: %w", name, err)
	}
	_, err = f.WriteString(content)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", errors.Join(fmt.Errorf("draft %s: %w", name, err), t.root.Remove(draft))
	}
	return draft, nil
}

func draftName(name string) string { return path.Join(path.Dir(name), "."+path.Base(name)+".draft") }

// rename waits a little on Windows, where a file that somebody is reading
// cannot be replaced.
func (t tree) rename(from, to string) error {
	err := t.root.Rename(from, to)
	for wait := time.Millisecond; err != nil && runtime.GOOS == "windows" && wait < time.Second; wait *= 2 {
		time.Sleep(wait)
		err = t.root.Rename(from, to)
	}
	return err
}

// syncFolder makes a rename durable. Windows does that by itself and has no
// such call.
func (t tree) syncFolder(name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := t.root.Open(path.Dir(name))
	if err != nil {
		return fmt.Errorf("open folder of %s: %w", name, err)
	}
	if err := errors.Join(folder.Sync(), folder.Close()); err != nil {
		return fmt.Errorf("sync folder of %s: %w", name, err)
	}
	return nil
}

// lineEnd is how most lines of a file end.
func lineEnd(content string) string {
	if crlf := strings.Count(content, "\r\n"); 2*crlf > strings.Count(content, "\n") {
		return "\r\n"
	}
	return "\n"
}
