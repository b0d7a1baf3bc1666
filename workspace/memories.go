package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"mcp-memory/memory"
)

// MemoriesFolder is the folder that an agent keeps by itself, as the memory tool of
// model APIs has it. No file in it mirrors a bank.
const MemoriesFolder = "memories"

// Bounds of [Memories].
const (
	maxMemoryFiles = 1000 // files and folders
	maxMemoryDepth = 8    // parts of a name
)

// Memories is the folder memories of a workspace. Names are relative to it with forward
// slashes, "" is the folder itself. Every change is kept as a [Change], which can be taken
// back. Safe for any number of processes: see the package document.
//
// Errors of all methods, beside those of the operating system: [memory.CodeInvalidArgument]
// for a name that is none and for what is not text, [memory.CodeNotFound],
// [memory.CodeConflict] for what is there already or changes all the time,
// [memory.CodeForbidden] for links, hidden names and what a person closed,
// [memory.CodeTooLarge], and [memory.CodeUnavailable] if another process holds the lock.
type Memories struct{ dir Dir }

// Memories returns the folder, which may not be there yet.
func (d Dir) Memories() Memories { return Memories{d} }

// Entry is a file or folder.
type Entry struct {
	Name   string // relative to the folder that was asked about
	Folder bool
	Size   int64 // bytes; of a folder those of all files below
}

// Look returns the text of a file, or what is in a folder: everything that is not hidden, at
// any depth, by name. A folder that was never written to is empty.
func (m Memories) Look(ctx context.Context, name string) (text string, list []Entry, folder bool, err error) {
	if err := checkMemory(name); err != nil {
		return "", nil, false, err
	}
	t, there, err := m.dir.peek(ctx)
	if err != nil {
		return "", nil, false, err
	}
	if !there {
		return "", nil, name == "", missing(name)
	}
	defer t.root.Close()
	info, err := t.memory(name)
	switch {
	case err != nil:
		return "", nil, false, err
	case info == nil:
		return "", nil, name == "", missing(name)
	case info.IsDir():
		list, err = t.below(ctx, name)
		return "", list, true, err
	}
	found, err := t.read(stored(name))
	if err == nil && !found.exists {
		err = missing(name)
	}
	return found.content, nil, false, err
}

// missing is the error of what is not there, nil for the folder itself: it is made when
// something is put there.
func missing(name string) error {
	if name == "" {
		return nil
	}
	return memory.Errorf(memory.CodeNotFound, "there is no %s", name)
}

// Create makes a file, and the folders above it.
func (m Memories) Create(ctx context.Context, name, text string) error {
	return m.change(ctx, "create", name, "", func(t tree) ([]step, error) {
		info, err := t.memory(name)
		if err == nil && info != nil {
			err = memory.Errorf(memory.CodeConflict, "%s is there already", name)
		}
		if err == nil {
			err = t.roomFor(ctx, 1)
		}
		return []step{{Name: name, after: &text}}, err
	})
}

// Edit makes of a file's text what change makes of it, whose errors it returns.
func (m Memories) Edit(ctx context.Context, command, name string, change func(old string) (string, error)) error {
	return m.change(ctx, command, name, "", func(t tree) ([]step, error) {
		info, err := t.memory(name)
		if err != nil {
			return nil, err
		}
		if info == nil || info.IsDir() {
			return nil, memory.Errorf(memory.CodeNotFound, "there is no file %s", name)
		}
		old, err := t.read(stored(name))
		if err != nil {
			return nil, err
		}
		text, err := change(old.content)
		return []step{{Name: name, Before: &old.content, after: &text}}, err
	})
}

// Delete removes a file, or a folder with all that is in it.
func (m Memories) Delete(ctx context.Context, name string) error {
	return m.change(ctx, "delete", name, "", func(t tree) ([]step, error) { return t.away(ctx, name, "") })
}

// Rename gives a file or folder another name, and makes the folders above it.
func (m Memories) Rename(ctx context.Context, name, to string) error {
	return m.change(ctx, "rename", name, to, func(t tree) ([]step, error) {
		if err := checkMemory(to); err != nil {
			return nil, err
		}
		if to == "" || strings.HasPrefix(to+"/", name+"/") {
			return nil, memory.Errorf(memory.CodeConflict, "%s is there already, or inside of what moves", to)
		}
		if info, err := t.memory(to); err != nil {
			return nil, err
		} else if info != nil {
			return nil, memory.Errorf(memory.CodeConflict, "%s is there already", to)
		}
		return t.away(ctx, name, to)
	})
}

// away are the steps that take a file or folder away, to another name unless that is "".
func (t tree) away(ctx context.Context, name, to string) ([]step, error) {
	info, err := t.memory(name)
	if err != nil {
		return nil, err
	}
	if info == nil {
		return nil, memory.Errorf(memory.CodeNotFound, "there is no %s", name)
	}
	list := []Entry{{Size: info.Size()}}
	if info.IsDir() {
		if list, err = t.everything(ctx, name); err != nil {
			return nil, err
		}
	}
	var steps, folders []step
	size := int64(0)
	for _, one := range list {
		if one.Folder {
			folders = append(folders, step{Name: path.Join(name, one.Name), Folder: true})
			continue
		}
		if size += one.Size; size > maxChangeBytes/4 {
			return nil, memory.Errorf(memory.CodeTooLarge, "%s is too large to be kept for an undo", name).
				WithHint("take what is in it away bit by bit")
		}
		old, err := t.read(stored(path.Join(name, one.Name)))
		if err != nil { // what cannot be kept is not taken away
			return nil, err
		}
		if to != "" {
			steps = append(steps, step{Name: path.Join(to, one.Name), after: &old.content})
		}
		steps = append(steps, step{Name: path.Join(name, one.Name), Before: &old.content})
	}
	if info.IsDir() && to != "" {
		steps = append(steps, step{Name: to, Folder: true, Make: true})
	}
	slices.Reverse(folders) // the deepest first
	steps = append(steps, folders...)
	if info.IsDir() {
		steps = append(steps, step{Name: name, Folder: true})
	}
	return steps, nil
}

// stored is the name of a memory in the workspace.
func stored(name string) string { return path.Join(MemoriesFolder, name) }

// checkMemory lets names through that mean one place in the folder on every system.
func checkMemory(name string) error {
	if name == "" {
		return nil
	}
	if err := checkName(name); err != nil {
		if memory.CodeOf(err) == memory.CodeNotFound {
			return memory.Errorf(memory.CodeForbidden, "%s is hidden, names must not begin with a dot", name)
		}
		return err
	}
	if err := memory.CheckLine("path", name, maxMemoryDepth*maxNameBytes); err != nil { // a list of files has one on each line
		return err
	}
	for part := range strings.SplitSeq(name, "/") {
		if len(part) > maxNameBytes || part == "node_modules" {
			return memory.Errorf(memory.CodeInvalidArgument, "%q cannot be the name of a memory", part)
		}
	}
	if strings.Count(name, "/") >= maxMemoryDepth {
		return memory.Errorf(memory.CodeInvalidArgument, "%s is deeper than %d folders", name, maxMemoryDepth)
	}
	return nil
}

// memory returns what is known of a file or folder among the memories, nil if it is not
// there; no link is followed on the way.
func (t tree) memory(name string) (fs.FileInfo, error) {
	full := stored(name)
	for i := range len(full) + 1 {
		if i < len(full) && full[i] != '/' {
			continue
		}
		info, err := t.root.Lstat(full[:i])
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		} else if err != nil {
			return nil, fmt.Errorf("look at %s: %w", full[:i], err)
		}
		switch {
		case i == len(full) && (info.IsDir() || info.Mode().IsRegular()):
			return info, nil
		case !info.IsDir() && info.Mode().IsRegular():
			return nil, memory.Errorf(memory.CodeNotFound, "%s is a file, and no folder", strings.TrimPrefix(full[:i], MemoriesFolder+"/"))
		case !info.IsDir():
			return nil, memory.Errorf(memory.CodeForbidden, "%s in the workspace is a link or no plain file", full[:i])
		}
	}
	return nil, nil
}

// below lists what is in a folder and not hidden.
func (t tree) below(ctx context.Context, name string) ([]Entry, error) {
	all, err := t.everything(ctx, name)
	return slices.DeleteFunc(all, func(e Entry) bool { return hidden(e.Name) }), err
}

// hidden reports whether a listing leaves a name out, such as one that takes several lines.
func hidden(name string) bool {
	return memory.Line(name) != name ||
		slices.ContainsFunc(strings.Split(name, "/"),
			func(part string) bool { return strings.HasPrefix(part, ".") || part == "node_modules" })
}

// everything lists all that is in a folder.
func (t tree) everything(ctx context.Context, name string) (list []Entry, err error) {
	folders := map[string]int{}
	err = fs.WalkDir(t.root.FS(), stored(name), func(full string, entry fs.DirEntry, err error) error {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if full == stored(name) {
			return nil
		}
		one := Entry{Name: strings.TrimPrefix(full, stored(name)+"/"), Folder: entry.IsDir()}
		if !one.Folder {
			info, err := entry.Info()
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			} else if err != nil {
				return err
			}
			one.Size = info.Size()
			for at := path.Dir(one.Name); at != "." && !hidden(one.Name); at = path.Dir(at) {
				list[folders[at]].Size += one.Size
			}
		} else {
			folders[one.Name] = len(list)
		}
		if list = append(list, one); len(list) > 4*maxMemoryFiles {
			return memory.Errorf(memory.CodeTooLarge, "more than %d files and folders", 4*maxMemoryFiles)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", stored(name), err)
	}
	return list, nil // folders before what is in them
}

// roomFor refuses more files than there may be.
func (t tree) roomFor(ctx context.Context, more int) error {
	if info, err := t.memory(""); err != nil || info == nil {
		return err
	}
	list, err := t.everything(ctx, "")
	if err == nil && len(list)+more > maxMemoryFiles {
		return memory.Errorf(memory.CodeTooLarge, "there may be %d memories, files and folders together", maxMemoryFiles)
	}
	return err
}
