package workspace

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"mcp-memory/memory"
)

// Piece is a file or folder that makes up a workspace.
type Piece struct {
	Name   string // with forward slashes
	Folder bool
	Size   int64 // bytes
	// Version differs between two contents, in a database; 0 on disk.
	Version int64
}

// ours are the hidden names that belong to a workspace; all others are of other programs, or
// of this machine.
var ours = []string{ignoreFile, baseFile, changesFolder}

// Pieces lists all that makes up a workspace, in order of names, and what is left out:
// links, what is no file, and files over [memory.MaxFileBytes]. Hidden names of other
// programs, such as .git, are neither. Errors are those of [Dir.List].
func (d Dir) Pieces(ctx context.Context) (list []Piece, left []string, err error) {
	t, there, err := d.peek(ctx)
	if err != nil || !there {
		return nil, nil, err
	}
	defer t.root.Close()
	err = fs.WalkDir(t.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrNotExist): // gone meanwhile
			return nil
		case err != nil:
			return err
		case name == ".":
			return nil
		case strings.HasPrefix(entry.Name(), ".") && !slices.Contains(ours, name):
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir() && memory.CheckFileName(name) == nil:
			list = append(list, Piece{Name: name, Folder: true})
			return nil
		}
		info, err := entry.Info()
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case !info.Mode().IsRegular(), info.Size() > memory.MaxFileBytes, memory.CheckFileName(name) != nil:
			left = append(left, name)
		default:
			version, _ := info.Sys().(int64)
			list = append(list, Piece{Name: name, Size: info.Size(), Version: version})
		}
		return nil
	})
	slices.SortFunc(list, func(a, b Piece) int { return strings.Compare(a.Name, b.Name) })
	return list, left, err
}

// Raw returns what a file says, whatever its encoding; nil if it is not there.
func (d Dir) Raw(ctx context.Context, name string) ([]byte, error) {
	if err := memory.CheckFileName(name); err != nil {
		return nil, err
	}
	t, there, err := d.peek(ctx)
	if err != nil || !there {
		return nil, err
	}
	defer t.root.Close()
	return t.raw(name)
}

func (t tree) raw(name string) ([]byte, error) {
	info, err := t.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	content, err := t.root.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && content == nil {
		content = []byte{}
	}
	return content, err
}

// Swap replaces the content of a file if it is still old, and reports whether it was. Nil is no
// file: a nil old makes the file, a nil now removes it. Errors are those of [Dir.MergeMemory].
func (d Dir) Swap(ctx context.Context, name string, old, now []byte) (done bool, err error) {
	if err := memory.CheckFileName(name); err != nil {
		return false, err
	}
	err = d.alone(ctx, func(t tree) error {
		done = false
		info, err := t.root.Lstat(name)
		if err == nil && !info.Mode().IsRegular() {
			return memory.Errorf(memory.CodeForbidden, "%s is a link or a folder", name)
		} else if err == nil {
			err = closed(name, info)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		found, err := t.raw(name)
		if err != nil || (found == nil) != (old == nil) || !bytes.Equal(found, old) {
			return err
		}
		switch {
		case now == nil && old == nil:
			done = true
		case now == nil:
			done, err = true, t.root.Remove(name)
		case old == nil:
			if err = t.root.MkdirAll(path.Dir(name), dirPerm); err == nil {
				done, err = true, t.root.keep(name, now, true)
			}
		default:
			done, err = t.root.put(name, string(old), string(now), info.Mode().Perm())
		}
		return err
	})
	return done, err
}

// Carried says what came of [Carry]. Sums are of the names and contents of all files, and the same
// on both sides once all is carried.
type Carried struct {
	Files   int      `json:"files"`
	Bytes   int64    `json:"bytes"`
	Written int      `json:"written"` // files, in this run
	SumFrom string   `json:"sum_from"`
	SumTo   string   `json:"sum_to"`
	Left    []string `json:"left,omitempty"` // links and what is no file
}

// copiedFile holds what an earlier [Carry] wrote, by names.
const copiedFile = ".copied.json"

// Carry copies a workspace to another one, which is then the same; it may be repeated. Files that
// the other has already must be copies of an earlier run or the same: [memory.CodeConflict] for a
// file that says something else, and then nothing is written.
func Carry(ctx context.Context, from, to Dir) (r Carried, err error) {
	list, left, err := from.Pieces(ctx)
	if err != nil {
		return r, err
	}
	r.Left = left
	earlier, err := to.earlier(ctx)
	if err != nil {
		return r, err
	}
	there, _, err := to.Pieces(ctx)
	if err != nil {
		return r, err
	}
	want, differ := map[string]string{}, map[string][]byte{} // sums; what the other side has
	for _, p := range list {
		if p.Folder {
			continue
		}
		content, err := from.Raw(ctx, p.Name)
		if err != nil {
			return r, err
		}
		want[p.Name] = sumOfBytes(content)
		r.Files, r.Bytes = r.Files+1, r.Bytes+int64(len(content))
	}
	for _, p := range there {
		if p.Folder {
			continue
		}
		content, err := to.Raw(ctx, p.Name)
		if err != nil {
			return r, err
		}
		sum := sumOfBytes(content)
		if sum != want[p.Name] && !slices.Contains(earlier[p.Name], sum) {
			return r, memory.Errorf(memory.CodeConflict, "%s says something else on the other side already", p.Name).
				WithHint("move it away there, or carry only what is missing by hand")
		}
		differ[p.Name] = content
	}
	if err := r.write(ctx, from, to, list, want, differ, earlier); err != nil {
		return r, err
	}
	if r.SumFrom, err = from.sum(ctx); err != nil {
		return r, err
	}
	r.SumTo, err = to.sum(ctx)
	return r, err
}

// write makes the other side the same; there has the contents of the files on that side. Before,
// it notes the sums of what it is about to write (want), so that a run that is cut short can be
// repeated.
func (r *Carried) write(ctx context.Context, from, to Dir, list []Piece, want map[string]string, there map[string][]byte,
	earlier map[string][]string) error {
	if len(list) == 0 && len(there) == 0 {
		return nil
	}
	said := map[string][]string{}
	for name, sum := range want {
		said[name] = []string{sum}
	}
	both := maps.Clone(said)
	for name, sums := range earlier {
		both[name] = append(slices.Clone(both[name]), sums...)
	}
	if err := to.note(ctx, both); err != nil {
		return err
	}
	put := func(name string, content []byte) error {
		old := there[name]
		if old != nil && content != nil && bytes.Equal(old, content) {
			return nil
		}
		done, err := to.Swap(ctx, name, old, content)
		if err == nil && !done {
			err = errChanging(name)
		}
		r.Written++
		return err
	}
	for _, p := range list {
		if p.Folder {
			if err := to.alone(ctx, func(t tree) error { return t.root.MkdirAll(p.Name, dirPerm) }); err != nil {
				return err
			}
			continue
		}
		content, err := from.Raw(ctx, p.Name)
		if err == nil && content != nil {
			err = put(p.Name, content)
		}
		if err != nil {
			return fmt.Errorf("carry %s: %w", p.Name, err)
		}
	}
	for name := range there { // of an earlier run, and gone since
		if want[name] == "" {
			if err := put(name, nil); err != nil {
				return err
			}
		}
	}
	return to.note(ctx, said)
}

// earlier returns by name the sums of what earlier runs wrote, or were about to write.
func (d Dir) earlier(ctx context.Context) (sums map[string][]string, err error) {
	data, err := d.Raw(ctx, copiedFile)
	if err == nil && data != nil {
		_ = json.Unmarshal(data, &sums) // one that is damaged knows nothing
	}
	return sums, err
}

func (d Dir) note(ctx context.Context, sums map[string][]string) error {
	data, err := json.Marshal(sums)
	if err != nil {
		return err
	}
	return d.alone(ctx, func(t tree) error { return t.root.keep(copiedFile, data, true) })
}

func sumOfBytes(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// sum returns one sum of the names and contents of all files.
func (d Dir) sum(ctx context.Context) (string, error) {
	list, _, err := d.Pieces(ctx)
	if err != nil {
		return "", err
	}
	all := sha256.New()
	for _, p := range list {
		if p.Folder {
			continue
		}
		content, err := d.Raw(ctx, p.Name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(all, "%q %d %s\n", p.Name, len(content), sumOfBytes(content))
	}
	return hex.EncodeToString(all.Sum(nil)), nil
}
