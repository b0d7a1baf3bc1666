package workspace

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"mcp-memory/memory"
)

// Folder is a directory that a person keeps the same as a workspace, see [Sync].
func Folder(dir string) Dir { return Dir{path: dir, theirs: true} }

// Synced says what came of [Sync], by names of files.
type Synced struct {
	Read      []string `json:"read,omitempty"`      // written to the folder, or removed there
	Written   []string `json:"written,omitempty"`   // written to the workspace
	Removed   []string `json:"removed,omitempty"`   // from the workspace
	Merged    []string `json:"merged,omitempty"`    // changed on both sides
	Conflicts []string `json:"conflicts,omitempty"` // files that keep what there was no room for
	Left      []string `json:"left,omitempty"`      // files that are not kept the same, and why
}

// Changed reports whether the workspace was changed.
func (s Synced) Changed() bool { return len(s.Written)+len(s.Removed)+len(s.Merged) > 0 }

// Any reports whether anything was done.
func (s Synced) Any() bool { return s.Changed() || len(s.Read) > 0 }

// syncHome is a folder below the person's. It holds what both sides said when they were last the
// same (state, base), and what was replaced.
const (
	syncHome     = ".sync"
	syncState    = syncHome + "/state.json"
	syncBase     = syncHome + "/base/"
	syncReplaced = syncHome + "/replaced/"
)

// same is how a file was when it was last the same on both sides.
type same struct {
	Sum     string `json:"sum"`
	Version int64  `json:"version,omitempty"` // in the workspace, 0 for not known
}

// syncing is one run of [Sync].
type syncing struct {
	ctx        context.Context
	in, folder Dir
	now        time.Time
	was, is    map[string]same
	did        Synced
	removed    []string // by the person, since the last run
}

// Sync makes a folder and a workspace the same, both ways, but for hidden names. A file that
// only one side has changed is copied to the other. Of one that both have changed, lines that
// do not touch each other are merged; where they do the folder's stand, and a file
// NAME.conflict-TIME keeps the others. What a person's file replaces in the workspace is kept
// below .sync/replaced in the folder, also what is removed. [memory.CodeConflict] if most files vanished from the
// folder at once, unless that is accepted; nothing is done then.
func Sync(ctx context.Context, in, folder Dir, now time.Time, accept bool) (did Synced, err error) {
	err = folder.whileMirroring(ctx, func(folder Dir) error {
		s := syncing{ctx: ctx, in: in, folder: folder, now: now, is: map[string]same{}}
		err := s.run(accept)
		did = s.did
		return err
	})
	return did, err
}

func (s *syncing) run(accept bool) error {
	data, err := s.folder.Raw(s.ctx, syncState)
	if err != nil {
		return err
	}
	_ = json.Unmarshal(data, &s.was) // without it all that differs is merged
	mine, left, err := s.pieces(s.folder)
	if err != nil {
		return err
	}
	for _, name := range left {
		s.did.Left = append(s.did.Left, name+": a link, or no file")
	}
	theirs, _, err := s.pieces(s.in)
	if err != nil {
		return err
	}
	for name := range s.was {
		if _, here := mine[name]; !here {
			s.removed = append(s.removed, name)
		}
	}
	if n := len(s.removed); n >= mishap && 2*n > len(s.was) && !accept {
		return memory.Errorf(memory.CodeConflict, "%d of %d files are gone from the folder", n, len(s.was)).
			WithHint("nothing was changed; run it with --accept-removed if you mean to remove them from the workspace")
	}
	names := map[string]bool{}
	for _, side := range []map[string]Piece{mine, theirs} {
		for name := range side {
			names[name] = true
		}
	}
	for _, name := range sortedKeys(names) {
		if slices.Contains(left, name) {
			continue
		}
		if err := s.one(name, theirs[name]); err != nil {
			s.keep() // what was done is known
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return s.keep()
}

func sortedKeys(names map[string]bool) (list []string) {
	for name := range names {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// pieces are the files of a side that are kept the same.
func (s *syncing) pieces(d Dir) (map[string]Piece, []string, error) {
	list, left, err := d.Pieces(s.ctx)
	files := map[string]Piece{}
	for _, p := range list {
		if !p.Folder && !hidden(p.Name) && !strings.HasPrefix(p.Name, SharedFolder+"/") {
			files[p.Name] = p
		}
	}
	return files, slices.DeleteFunc(left, hidden), err
}

func (s *syncing) keep() error {
	data, err := json.Marshal(s.is)
	if err != nil {
		return err
	}
	return s.put(syncState, data)
}

// put writes a file of the run itself, such as its state, into the folder.
func (s *syncing) put(name string, content []byte) error {
	return s.folder.alone(s.ctx, func(t tree) error {
		if err := t.root.MkdirAll(path.Dir(name), dirPerm); err != nil {
			return err
		}
		return t.root.keep(name, content, true)
	})
}

// one makes the two sides of a file the same: mine is the folder's, theirs the workspace's.
func (s *syncing) one(name string, there Piece) error {
	was, known := s.was[name]
	if known {
		s.is[name] = was // as before, until the two are the same
	}
	mine, err := s.folder.Raw(s.ctx, name)
	if err != nil {
		return err
	}
	unchanged := known && there.Version != 0 && there.Version == was.Version
	if unchanged && mine != nil && sumOfBytes(mine) == was.Sum {
		return nil
	}
	theirs, err := s.in.Raw(s.ctx, name)
	if err != nil {
		return err
	}
	isWas := func(content []byte) bool {
		return content != nil && known && sumOfBytes(content) == was.Sum || content == nil && !known
	}
	switch {
	case mine == nil && theirs == nil:
		delete(s.is, name)
		return nil
	case mine != nil && theirs != nil && bytes.Equal(mine, theirs):
		return s.agree(name, theirs)
	case isWas(theirs):
		return s.give(name, mine, theirs)
	case isWas(mine) || mine == nil: // or both have changed it, and a person removed it
		return s.take(name, mine, theirs)
	case theirs == nil:
		return s.give(name, mine, nil)
	}
	return s.merge(name, mine, theirs)
}

// agree notes what both sides say of a file: its sum and version in the state, and its text as
// the base of a later merge. Nil is no file.
func (s *syncing) agree(name string, content []byte) error {
	if content == nil {
		delete(s.is, name)
		return nil
	}
	one := same{Sum: sumOfBytes(content)}
	if store, agent := s.in.Rows(); store != nil {
		if list, err := store.Files(s.ctx, agent, name); err == nil && len(list) == 1 && list[0].Size == int64(len(content)) {
			// If somebody changes it between our write and this look to a text of the same size,
			// the version is not noted, and the next run sees the change by its sum.
			if again, err := s.in.Raw(s.ctx, name); err == nil && bytes.Equal(again, content) {
				one.Version = list[0].Version
			}
		}
	}
	s.is[name] = one
	if len(content) > maxText {
		return nil // too much to be merged
	}
	return s.put(syncBase+name, content)
}

// replaced keeps a copy of what is about to be replaced on a side.
func (s *syncing) replaced(side, name string, content []byte) error {
	if content == nil {
		return nil
	}
	return s.put(syncReplaced+s.now.UTC().Format("20060102T150405")+"/"+side+"/"+name, content)
}

// give makes the workspace say what the folder says, mine; nil removes the file there.
func (s *syncing) give(name string, mine, theirs []byte) error {
	if why := notText(mine); why != "" {
		s.did.Left = append(s.did.Left, name+": "+why)
		return nil
	}
	if err := s.replaced("workspace", name, theirs); err != nil {
		return err
	}
	done, err := s.in.Swap(s.ctx, name, theirs, mine)
	if err != nil || !done { // else the next run sees to it
		return err
	}
	if mine == nil {
		s.did.Removed = append(s.did.Removed, name)
	} else {
		s.did.Written = append(s.did.Written, name)
	}
	return s.agree(name, mine)
}

// notText says why a file does not belong into a workspace, "" if it does.
func notText(content []byte) string {
	switch {
	case len(content) > maxText:
		return fmt.Sprintf("%d bytes, at most %d are kept", len(content), maxText)
	case !utf8.Valid(content) || bytes.IndexByte(content, 0) >= 0:
		return "not text in UTF-8"
	}
	return ""
}

// take makes the folder say what the workspace says, theirs; nil removes the file there.
func (s *syncing) take(name string, mine, theirs []byte) error {
	if theirs == nil {
		if err := s.replaced("folder", name, mine); err != nil {
			return err
		}
	}
	done, err := s.folder.Swap(s.ctx, name, mine, theirs)
	if err != nil || !done {
		return err
	}
	s.did.Read = append(s.did.Read, name)
	return s.agree(name, theirs)
}

// merge merges a file that both sides have changed (a three-way merge with what they last agreed
// on), and keeps copies of both sides.
func (s *syncing) merge(name string, mine, theirs []byte) error {
	if why := notText(mine); why != "" {
		s.did.Left = append(s.did.Left, name+": "+why)
		return nil
	}
	base, err := s.folder.Raw(s.ctx, syncBase+name)
	if err != nil {
		return err
	}
	if was := s.was[name]; was.Sum != sumOfBytes(base) {
		base = nil
	}
	merged, lost := mine, theirs
	if notText(theirs) == "" {
		merged, lost = mergeLines(base, mine, theirs)
	}
	if notText(merged) != "" {
		merged, lost = mine, theirs
	}
	for side, content := range map[string][]byte{"workspace": theirs, "folder": mine} {
		if err := s.replaced(side, name, content); err != nil {
			return err
		}
	}
	if len(bytes.TrimSpace(lost)) > 0 {
		ext := path.Ext(name)
		beside := strings.TrimSuffix(name, ext) + ConflictMark + s.now.UTC().Format("20060102T150405") + ext
		if done, err := s.folder.Swap(s.ctx, beside, nil, lost); err != nil || !done {
			return err
		}
		if notText(lost) == "" {
			if _, err := s.in.Swap(s.ctx, beside, nil, lost); err != nil {
				return err
			}
			if err := s.agree(beside, lost); err != nil {
				return err
			}
		}
		s.did.Conflicts = append(s.did.Conflicts, beside)
	}
	done, err := s.in.Swap(s.ctx, name, theirs, merged)
	if err != nil || !done {
		return err
	}
	if err := s.agree(name, merged); err != nil {
		return err
	}
	s.did.Merged = append(s.did.Merged, name)
	_, err = s.folder.Swap(s.ctx, name, mine, merged) // else it was edited once more: the next run merges that
	return err
}

// SyncShared is [Sync] for what all agents are given, which is in a folder of its own in
// that of the agent.
func SyncShared(ctx context.Context, in, folder Dir, now time.Time, accept bool) (Synced, error) {
	shared, mine := in.shared(), Folder(filepath.Join(folder.path, SharedFolder))
	if !shared.Exists(ctx) && !mine.Exists(ctx) {
		return Synced{}, nil
	}
	did, err := Sync(ctx, shared, mine, now, accept)
	for _, names := range []*[]string{&did.Read, &did.Written, &did.Removed, &did.Merged, &did.Conflicts, &did.Left} {
		for i, name := range *names {
			(*names)[i] = SharedFolder + "/" + name
		}
	}
	return did, err
}
