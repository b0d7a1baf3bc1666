package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
)

// Bounds of [Dir.List]: a person may keep anything in the directory.
const (
	maxListed = 1000
	maxDepth  = 4
)

// List returns the names of the files that [Dir.Read] reads, relative to the
// workspace with forward slashes, in order; at most 1,000 of them. Hidden ones,
// links and what lies deeper than four folders are left out. Those of the folder that
// all agents share follow, with its name before theirs. A workspace that
// was never written to has none.
func (d Dir) List(ctx context.Context) ([]string, error) {
	t, there, err := d.peek(ctx)
	if err != nil || !there {
		return nil, err
	}
	defer t.root.Close()
	var names []string
	err = fs.WalkDir(t.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrNotExist): // gone meanwhile
			return nil
		case err != nil && name == ".":
			return err
		case err != nil:
			return fs.SkipDir // a folder that may not be read
		case name == ".":
			return nil
		case strings.HasPrefix(entry.Name(), ".") || strings.Count(name, "/") >= maxDepth:
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.Type().IsRegular() && utf8.ValidString(name):
			names = append(names, name)
		}
		if len(names) == maxListed {
			return fs.SkipAll
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list workspace: %w", err)
	}
	if shared := d.shared(); shared.path != d.path && ctx.Err() == nil {
		more, err := shared.List(ctx)
		if err != nil {
			return nil, err
		}
		for _, name := range more {
			names = append(names, SharedFolder+"/"+name)
		}
	}
	return names, nil
}

// Conflicts returns the names of the files that keep what could not be merged, in
// order. Errors are those of [Dir.List].
func (d Dir) Conflicts(ctx context.Context) ([]string, error) {
	names, err := d.List(ctx)
	return slices.DeleteFunc(names, func(name string) bool { return !strings.Contains(path.Base(name), ConflictMark) }), err
}

// Read returns a text file of the workspace by its name as [Dir.List] writes
// it. Errors: [memory.CodeInvalidArgument] for a name that is not one inside
// of the workspace or for what is not text, [memory.CodeNotFound] for one that
// is not there or is hidden, [memory.CodeForbidden] for a link, a folder or
// anything else that is no plain file, also on the way to it, and
// [memory.CodeTooLarge] for more than 1 MiB.
func (d Dir) Read(ctx context.Context, name string) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if err := checkName(name); err != nil {
		return "", err
	}
	if rest, ok := strings.CutPrefix(name, SharedFolder+"/"); ok {
		return d.shared().Read(ctx, rest)
	}
	missing := memory.Errorf(memory.CodeNotFound, "the workspace has no file %q", name).
		WithHint("names are those that the list of resources shows")
	t, there, err := d.peek(ctx)
	if err != nil {
		return "", err
	}
	if !there {
		return "", missing
	}
	defer t.root.Close()
	for i, c := range name {
		if c != '/' {
			continue
		}
		// tree.look knows of the last folder only.
		if info, err := t.root.Lstat(name[:i]); errors.Is(err, fs.ErrNotExist) {
			return "", missing
		} else if err == nil && !info.IsDir() {
			return "", memory.Errorf(memory.CodeForbidden, "%s in the workspace is not a plain folder", name[:i]).
				WithHint("links are not followed")
		}
	}
	found, err := t.read(name)
	if err != nil {
		return "", err
	}
	if !found.exists {
		return "", missing
	}
	return found.content, nil
}

// checkName lets names through that mean one place inside of the workspace on
// every system.
func checkName(name string) error {
	wrong := memory.Errorf(memory.CodeInvalidArgument, "%q is not the name of a file in the workspace", name).
		WithHint("a path such as memory/HISTORY.md, without dots and backslashes that lead elsewhere")
	if name == "" || name == "." || !fs.ValidPath(name) || path.Clean(name) != name || strings.ContainsAny(name, "\x00\\:") ||
		len(name) > 4*memory.MaxNameBytes {
		return wrong
	}
	for part := range strings.SplitSeq(name, "/") {
		if reserved().MatchString(strings.ToLower(part)) {
			return wrong
		}
		if strings.HasPrefix(part, ".") {
			return memory.Errorf(memory.CodeNotFound, "the workspace has no file %q", name).WithHint("hidden files are not shown")
		}
	}
	return nil
}

// peek opens the directory if it is there, and makes nothing.
func (d Dir) peek(ctx context.Context) (tree, bool, error) {
	if d.in != nil {
		return tree{&inRows{ctx: ctx, dir: d}}, true, nil
	}
	root, err := plainfile.OpenRoot(d.path)
	if errors.Is(err, fs.ErrNotExist) {
		return tree{}, false, nil
	} else if err != nil {
		return tree{}, false, fmt.Errorf("open workspace: %w", err)
	}
	return tree{onDisk{root}}, true, nil
}
