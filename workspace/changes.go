package workspace

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcp-memory/memory"
)

// changesFolder keeps what was changed in the folder of memories, one file for each change, to
// undo it. As it is hidden, Git and the search leave it out.
const changesFolder = ".memories"

// What is kept of changes: the newest of both.
const (
	maxChanges     = 500
	maxChangeBytes = 64 << 20
)

// Change is what was once changed in the folder of memories.
type Change struct {
	ID      string    `json:"id"` // ascending
	At      time.Time `json:"at"`
	Command string    `json:"command"`
	Name    string    `json:"name"`
	To      string    `json:"to,omitempty"` // the new name, of a rename
	Undoes  string    `json:"undoes,omitempty"`
	Steps   []step    `json:"steps"`
}

// step is what a change does to one file or empty folder.
type step struct {
	Name   string  `json:"name"`
	Folder bool    `json:"folder,omitempty"` // a folder, which is removed
	Make   bool    `json:"make,omitempty"`   // unless this is set: then it is made
	Before *string `json:"before,omitempty"` // content before; nil if it was not there
	After  string  `json:"after,omitempty"`  // the sum of the content after; "" if it is removed
	after  *string // content after; nil removes it
}

// Files returns how many files the change is about.
func (c Change) Files() int {
	names := map[string]bool{}
	for _, s := range c.Steps {
		if !s.Folder && (c.To == "" || s.Before == nil) { // a file that moves is one
			names[s.Name] = true
		}
	}
	return len(names)
}

func sumOf(text *string) string {
	if text == nil {
		return ""
	}
	sum := sha256.Sum256([]byte(*text))
	return hex.EncodeToString(sum[:16])
}

// change makes a change: plan returns its steps. They are written to changesFolder before they
// are made (a write-ahead log), so that what a process that dies has done of them can be undone.
func (m Memories) change(ctx context.Context, command, name, to string, plan func(tree) ([]step, error)) error {
	if err := checkMemory(name); err != nil {
		return err
	}
	if name == "" {
		return memory.Errorf(memory.CodeForbidden, "the folder itself stays")
	}
	return m.dir.alone(ctx, func(t tree) error {
		steps, err := plan(t)
		if err != nil {
			return err
		}
		return t.apply(Change{Command: command, Name: name, To: to, Steps: steps})
	})
}

// apply keeps a change and makes it. The caller holds the lock.
func (t tree) apply(c Change) error {
	unchanged := true
	for i, s := range c.Steps {
		c.Steps[i].After = sumOf(s.after)
		unchanged = unchanged && !s.Folder && s.after != nil && s.Before != nil && *s.after == *s.Before
		if s.after != nil && len(*s.after) > maxText {
			return memory.Errorf(memory.CodeTooLarge, "%s would have %d bytes, at most %d are kept", s.Name, len(*s.after), maxText)
		}
		if s.after != nil && strings.ContainsRune(*s.after, 0) {
			return memory.Errorf(memory.CodeInvalidArgument, "%s would not be text: it has a zero byte", s.Name)
		}
		info, err := t.root.Lstat(stored(s.Name))
		if err == nil {
			err = closed(s.Name, info)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if unchanged {
		return nil
	}
	if err := t.keepChange(c); err != nil {
		return err
	}
	for _, s := range c.Steps {
		if err := t.take(s); err != nil {
			return err
		}
	}
	return nil
}

// take makes one step; [memory.CodeConflict] if the file is not as the step found it.
func (t tree) take(s step) error {
	name := stored(s.Name)
	switch {
	case s.Make:
		return t.root.MkdirAll(name, dirPerm)
	case s.Folder:
		// One that somebody has put something into meanwhile stays.
		_ = t.root.Remove(name)
		return nil
	case s.after == nil:
		if now, err := t.read(name); err != nil || !now.exists || now.content != *s.Before {
			return cmp.Or(err, errChanging(name))
		}
		if err := t.root.Remove(name); err != nil {
			return fmt.Errorf("remove %s: %w", name, err)
		}
		return t.root.syncFolder(name)
	}
	if err := t.root.MkdirAll(path.Dir(name), dirPerm); err != nil {
		return fmt.Errorf("make the folder of %s: %w", name, err)
	}
	old, err := t.read(name)
	if err != nil {
		return err
	}
	if old.exists != (s.Before != nil) || old.exists && old.content != *s.Before {
		return errChanging(name)
	}
	done, err := t.root.replace(name, old, *s.after)
	if err == nil && !done {
		err = errChanging(name)
	}
	return err
}

// keepChange writes a change down, gives it its id, and drops the oldest.
func (t tree) keepChange(c Change) error {
	if err := t.root.Mkdir(changesFolder, dirPerm); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("keep the change: %w", err)
	}
	if info, err := t.root.Lstat(changesFolder); err != nil || !info.IsDir() {
		return cmp.Or(err, error(memory.Errorf(memory.CodeForbidden, "%s in the workspace is not a plain folder", changesFolder)))
	}
	ids, sizes, err := t.changeIDs()
	if err != nil {
		return err
	}
	last := 0
	if len(ids) > 0 {
		last, _ = strconv.Atoi(ids[len(ids)-1])
	}
	c.At, c.ID = time.Now().UTC(), fmt.Sprintf("%08d", last+1)
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if _, err := t.root.replace(changesFolder+"/"+c.ID+".json", text{}, string(data)); err != nil {
		return fmt.Errorf("keep the change: %w", err)
	}
	room := int64(maxChangeBytes - len(data))
	for i := len(ids) - 1; i >= 0; i-- {
		if room -= sizes[i]; room < 0 || len(ids)-i >= maxChanges {
			_ = t.root.Remove(changesFolder + "/" + ids[i] + ".json") // the next change tries again
		}
	}
	return nil
}

// changeIDs are the ids of the changes that are kept, the oldest first, with the sizes of
// their files.
func (t tree) changeIDs() (ids []string, sizes []int64, err error) {
	entries, err := fs.ReadDir(t.root.FS(), changesFolder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("list changes: %w", err)
	}
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), ".json")
		_, wrong := strconv.Atoi(id)
		info, err := e.Info()
		if ok && wrong == nil && err == nil && info.Mode().IsRegular() {
			ids, sizes = append(ids, id), append(sizes, info.Size())
		}
	}
	return ids, sizes, nil
}

// Changes returns the last changes, the newest first, at most limit.
func (m Memories) Changes(ctx context.Context, limit int) (list []Change, err error) {
	t, there, err := m.dir.peek(ctx)
	if err != nil || !there {
		return nil, err
	}
	defer t.root.Close()
	ids, _, err := t.changeIDs()
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Backward(ids) {
		if len(list) == limit || ctx.Err() != nil {
			break
		}
		if c, err := t.changeOf(id); err == nil { // else it was just dropped, or is damaged
			list = append(list, c)
		}
	}
	return list, ctx.Err()
}

func (t tree) changeOf(id string) (c Change, err error) {
	var data []byte
	if _, err = strconv.Atoi(id); err == nil { // else it is no name of a file
		data, err = t.root.ReadFile(changesFolder + "/" + id + ".json")
	}
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	if err != nil {
		return c, memory.Errorf(memory.CodeNotFound, "there is no change %q", id).WithHint("`mcp-memory memory-tool history` lists them")
	}
	return c, nil
}

// Undo takes a change back, as a change of its own, and returns it. [memory.CodeConflict] if one of its
// files has changed since; nothing is done then.
func (m Memories) Undo(ctx context.Context, id string) (c Change, err error) {
	if n, wrong := strconv.Atoi(id); wrong == nil {
		id = fmt.Sprintf("%08d", n)
	}
	err = m.dir.alone(ctx, func(t tree) error {
		if c, err = t.changeOf(id); err != nil {
			return err
		}
		back := Change{Command: "undo", Name: c.Name, To: c.To, Undoes: id}
		for _, s := range slices.Backward(c.Steps) {
			if s.Folder || !fs.ValidPath(s.Name) {
				continue // a folder comes back with what is in it
			}
			if _, err := t.memory(s.Name); err != nil {
				return err
			}
			now, err := t.read(stored(s.Name))
			if err != nil {
				return err
			}
			one := step{Name: s.Name, after: s.Before}
			if now.exists {
				one.Before = &now.content
			}
			switch sumOf(one.Before) {
			case sumOf(s.Before): // the change did not come so far, or was taken back
			case s.After:
				back.Steps = append(back.Steps, one)
			default:
				return memory.Errorf(memory.CodeConflict, "%s has changed since", s.Name).WithHint("undo what came later first")
			}
		}
		if len(back.Steps) == 0 {
			return memory.Errorf(memory.CodeConflict, "nothing of the change %s is there any more", id)
		}
		return t.apply(back)
	})
	return c, err
}
