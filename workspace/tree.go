package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"strings"
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

// tree is an opened workspace. Names are relative to it with forward slashes; no name
// leads out of it.
type tree struct{ root place }

// place is where the files of a workspace are: a folder on disk ([onDisk]), or a database
// ([inRows]). Its methods are those of [os.Root], unless a comment says what they do.
type place interface {
	Lstat(name string) (fs.FileInfo, error)
	ReadFile(name string) ([]byte, error)
	Remove(name string) error
	Mkdir(name string, perm fs.FileMode) error
	MkdirAll(name string, perm fs.FileMode) error
	FS() fs.FS
	Close() error
	// shut makes a folder if it is missing, and closes it to other users.
	shut(folder string) error
	// replace replaces a file if it is still as old, which may be no file, and reports whether it
	// was. Even after a crash the file has all of one content or all of the other.
	replace(name string, old text, content string) (done bool, err error)
	// put is replace for a file of any encoding that is there.
	put(name, old, content string, perm fs.FileMode) (done bool, err error)
	// keep makes or replaces a file whatever it says; durable also against a loss of power.
	keep(name string, content []byte, durable bool) error
	// open opens a file for appending, which it makes if it is missing; info is what is
	// known of it, nil for nothing.
	open(name string, info fs.FileInfo) (log, error)
	// syncFolder makes durable that a file of a folder is there, or gone.
	syncFolder(name string) error
}

// log is a file of which only the end is read and written.
type log interface {
	ReadAt(b []byte, at int64) (int, error)
	// add appends durably to a file of that size, all or nothing as far as the process lives.
	add(s string, size int64) error
	// cut takes away what is after size bytes.
	cut(size int64) error
	Close() error
}

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

// look returns the information on a file, nil if it is not there; [memory.CodeForbidden] if it is
// no plain file, or its folder no plain folder, such as a link.
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
	return info, t.root.shut(folder)
}

// closed returns [memory.CodeForbidden] if a person has made a file read-only; nil for no file.
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
		return text{}, memory.Errorf(memory.CodeTooLarge, "%s in the workspace is %d bytes, at most %d are read", name,
			info.Size(), maxText).
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

// edit replaces a file by what change makes of it. If somebody else changes the file meanwhile,
// change is called again with that; [memory.CodeConflict] after maxMerges attempts.
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
		if done, err := t.root.replace(name, old, content); done || err != nil {
			return err
		}
	}
	return errChanging(name)
}

func errChanging(name string) error {
	return memory.Errorf(memory.CodeConflict, "%s in the workspace changes all the time", name).
		WithHint("try again when nobody else is writing to it")
}

// lineEnd returns how most lines of a text end: "\r\n" or "\n".
func lineEnd(content string) string {
	if crlf := strings.Count(content, "\r\n"); 2*crlf > strings.Count(content, "\n") {
		return "\r\n"
	}
	return "\n"
}
