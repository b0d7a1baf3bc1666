package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"mcp-memory/memory"
)

// Erase takes records out of every file that they were mirrored to: their
// bullets in MEMORY.md, their lines in SOUL.md and the day logs, their entries
// among the learnings. What a person wrote stays, also a line of ours that they
// reworded. Conversations are not records: memory/HISTORY.md and sessions stay.
// [memory.CodeForbidden] if a file that has to change is read-only, a link or
// no file; [memory.CodeConflict] and [memory.CodeUnavailable] as with
// [Dir.MergeMemory]. Calling it again goes on where it failed.
func (d Dir) Erase(ctx context.Context, records []memory.Record) error {
	if len(records) == 0 || d.missing(ctx) {
		return nil // nothing is made in order to erase
	}
	texts, ids := map[string]string{}, make([]string, len(records))
	logs, learnings := map[string]bool{}, map[string]memory.Record{}
	for i, r := range records {
		ids[i], texts[r.ID] = r.ID, oneLine(r.Content)
		logs[d.DayLogName(r)] = true
		if r.Learning != nil {
			learnings[r.ID] = r
		}
	}
	withoutLines := func(content string) string { return dropLines(content, texts) }
	return d.alone(ctx, func(t tree) error {
		errs := []error{
			t.rewrite(ctx, MemoryFile, func(content string) string { return forget(content, ids) }),
			t.rewrite(ctx, SoulFile, withoutLines),
		}
		for _, name := range []string{ErrorsFile, CorrectionsFile} {
			errs = append(errs, t.rewrite(ctx, name, func(content string) string { return dropEntries(content, learnings) }))
		}
		for _, name := range t.conflicts() {
			errs = append(errs, t.rewrite(ctx, name, func(content string) string { return forget(content, ids) }))
		}
		errs = append(errs, t.forgetSeen(ids))
		for name := range logs {
			errs = append(errs, d.whileNobodyLogs(ctx, t, func() error { return t.rewrite(ctx, name, withoutLines) }))
		}
		return errors.Join(errs...)
	})
}

// missing reports whether there certainly is no workspace.
func (d Dir) missing(ctx context.Context) bool {
	if d.in != nil {
		version, err := d.in.store.FilesVersion(ctx, d.agent)
		return err == nil && version == 0
	}
	_, err := os.Stat(d.path)
	return errors.Is(err, fs.ErrNotExist)
}

// conflicts are the files that keep what could not be merged.
func (t tree) conflicts() (names []string) {
	for _, folder := range []string{".", "learnings"} {
		entries, _ := fs.ReadDir(t.root.FS(), folder) // a folder that is missing has none
		for _, one := range entries {
			if strings.Contains(one.Name(), ConflictMark) && one.Type().IsRegular() {
				names = append(names, path.Join(folder, one.Name()))
			}
		}
	}
	return names
}

// forgetSeen takes the lines of erased records out of baseFile: whoever compares the files before
// the bank has erased its rows would otherwise think that a person took them out.
func (t tree) forgetSeen(ids []string) error {
	b := t.base()
	changed := false
	for _, file := range b.Files {
		before := len(file.Lines)
		file.void(ids)
		changed = changed || len(file.Lines) < before
	}
	if !changed {
		return nil
	}
	return t.keepBase(b, true)
}

// rewrite is edit for a file of any size and encoding that is there already.
// A draft of it that a crash has left goes, too.
func (t tree) rewrite(ctx context.Context, name string, change func(string) string) error {
	if err := t.root.Remove(draftName(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove old draft of %s: %w", name, err)
	}
	for range maxMerges {
		info, err := t.look(name)
		if err != nil || info == nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		old, err := t.root.ReadFile(name)
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		content := change(string(old))
		if content == string(old) {
			return nil
		}
		if _, err := t.writable(name); err != nil {
			return err
		}
		if done, err := t.root.put(name, string(old), content, info.Mode().Perm()); done || err != nil {
			return err
		}
	}
	return errChanging(name)
}

// dropLines takes out the lines that have the marker of a record and still its
// text, by id.
func dropLines(content string, texts map[string]string) string {
	var kept strings.Builder
	for line := range strings.Lines(content) {
		ours := false
		for _, m := range marker().FindAllStringSubmatch(line, -1) {
			text, ok := texts[m[1]]
			ours = ours || ok && strings.Contains(line, text)
		}
		if !ours {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// dropEntries takes out what the program wrote of learnings, and the heading of such an entry
// unless a person added something below it.
func dropEntries(content string, learnings map[string]memory.Record) string {
	lines := slices.Collect(strings.Lines(content))
	for i, line := range lines {
		for _, m := range marker().FindAllStringSubmatch(line, -1) {
			if r, ok := learnings[m[1]]; ok {
				dropEntry(lines, i, r)
			}
		}
	}
	return strings.Join(lines, "")
}

// dropEntry empties the program's lines of the entry whose last line is lines[last].
func dropEntry(lines []string, last int, r memory.Record) {
	head := last
	for head > 0 && !strings.HasPrefix(lines[head], "## ") {
		head--
	}
	ours := []string{learned(r), contextLead + " " + oneLine(r.Learning.Context)}
	more := false
	for i := head + 1; i <= last; i++ {
		words := strings.TrimSpace(tag().ReplaceAllString(lines[i], ""))
		if slices.Contains(ours, words) {
			lines[i] = ""
		}
		more = more || strings.TrimSpace(lines[i]) != ""
	}
	if !more && strings.HasPrefix(lines[head], "## ") {
		clear(lines[head:min(last+2, len(lines))]) // with the blank line below
	}
}

// EraseAll removes the whole workspace, also what a person wrote there. A folder
// that is only linked to is emptied, and the link goes. A missing one is no error.
func (d Dir) EraseAll(ctx context.Context) error {
	if d.missing(ctx) {
		return nil
	}
	if d.in != nil {
		return d.in.store.EditFiles(ctx, d.agent, memory.FileTx.RemoveFiles)
	}
	err := d.alone(ctx, func(t tree) error {
		return fs.WalkDir(t.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case name == ".", name == lockFile, name == mirrorLock: // which are or may be held
				return nil
			case entry.IsDir():
				if err := t.root.(onDisk).RemoveAll(name); err != nil {
					return err
				}
				return fs.SkipDir
			}
			return t.root.Remove(name)
		})
	})
	if err != nil {
		return fmt.Errorf("erase the workspace: %w", err)
	}
	if target, err := os.Readlink(d.path); err == nil {
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(d.path), target)
		}
		return errors.Join(os.Remove(filepath.Join(target, lockFile)), os.Remove(d.path))
	}
	return os.RemoveAll(d.path)
}

// EraseSession removes the file of a conversation, and its entries in
// memory/HISTORY.md.
func (d Dir) EraseSession(ctx context.Context, session string) error {
	if d.missing(ctx) {
		return nil
	}
	tag := "." + memory.SessionTag(session) + " -->"
	return d.alone(ctx, func(t tree) error {
		name, err := t.sessionFile(session)
		if err == nil {
			err = t.root.Remove(name)
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return errors.Join(err, t.rewrite(ctx, historyFile, func(content string) string {
			lines := slices.Collect(strings.Lines(content))
			for i, line := range lines {
				if !strings.HasSuffix(strings.TrimSpace(line), tag) {
					continue
				}
				from := i
				if i >= 2 && strings.HasPrefix(lines[i-2], "## ") && strings.TrimSpace(lines[i-1]) == "" {
					from = i - 2 // entries had headings once
				}
				clear(lines[from : i+1])
				if i+1 < len(lines) && strings.TrimSpace(lines[i+1]) == "" {
					lines[i+1] = ""
				}
			}
			return strings.Join(lines, "")
		}))
	})
}
