package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// baseFile holds what mirrored files said when they were last seen to. Without it
// a line that a person deleted could not be told from one that was never written.
// It is a cache of the files, not of the bank: if it is lost, deletions of before
// are not noticed, and nothing else happens.
const baseFile = ".mirror.json"

// base is the content of baseFile.
type base struct {
	Version int              `json:"version"`
	Files   map[string]*seen `json:"files"`
}

// seen is a file as it was left.
type seen struct {
	Lines map[string]left `json:"lines"`
	// Held are the ids of lines that vanished with most others, which may have been
	// a mishap: their records stay until somebody decides.
	Held []string `json:"held,omitempty"`
	// HeldSince is when that was seen.
	HeldSince time.Time `json:"held_since,omitzero"`
	// Undo takes back what was last done about lines that were taken out.
	Undo   string    `json:"undo,omitempty"`
	UndoAt time.Time `json:"undo_at,omitzero"`
}

// left is a line as it was left.
type left struct {
	Under string `json:"under,omitempty"`
	Sum   string `json:"sum"`
	Box   Box    `json:"box,omitempty"`
}

func (t tree) base() base {
	b := base{Version: 1, Files: map[string]*seen{}}
	data, err := t.root.ReadFile(baseFile)
	if err != nil || json.Unmarshal(data, &b) != nil || b.Version != 1 || b.Files == nil {
		return base{Version: 1, Files: map[string]*seen{}}
	}
	return b
}

func (b base) file(name string) *seen {
	if b.Files[name] == nil {
		b.Files[name] = &seen{}
	}
	if b.Files[name].Lines == nil {
		b.Files[name].Lines = map[string]left{}
	}
	return b.Files[name]
}

// keepBase writes what was seen, whole or not at all.
func (t tree) keepBase(b base) error {
	data, err := json.Marshal(b)
	if err != nil {
		return fmt.Errorf("keep what was seen of the workspace: %w", err)
	}
	draft := draftName(baseFile)
	if err := t.root.WriteFile(draft, data, filePerm); err != nil {
		return fmt.Errorf("keep what was seen of the workspace: %w", err)
	}
	if err := t.rename(draft, baseFile); err != nil {
		return errors.Join(fmt.Errorf("keep what was seen of the workspace: %w", err), t.root.Remove(draft))
	}
	return nil
}

// looks remembers, by path, how files were when this process last saw them, so
// that a file that nobody touched costs one look.
var looks sync.Map

// racy is how long after a change another one may leave no trace in the time of a
// file: longer than the clocks of file systems tick.
const racy = 50 * time.Millisecond

// look of a file, or of its absence (nil).
type look struct {
	info fs.FileInfo
	at   time.Time
}

// Touched reports whether a file may have changed since the last [Dir.Reconcile] of
// it by this process. It takes some microseconds.
func (d Dir) Touched(name string) bool {
	path := filepath.Join(d.path, filepath.FromSlash(name))
	info, err := os.Lstat(path)
	known, ok := looks.Load(path)
	if errors.Is(err, fs.ErrNotExist) && !ok {
		return false // nothing is there, and nothing was
	}
	if err != nil || !ok {
		return true
	}
	then := known.(look)
	return then.info == nil || !os.SameFile(then.info, info) || then.info.Size() != info.Size() ||
		!then.info.ModTime().Equal(info.ModTime()) || then.at.Sub(info.ModTime()) < racy
}

// noteLook remembers how a file is now.
func (d Dir) noteLook(t tree, name string) {
	info, err := t.root.Lstat(name)
	if err != nil {
		info = nil
	}
	looks.Store(filepath.Join(d.path, filepath.FromSlash(name)), look{info, time.Now()})
}

// Left is how a mirrored file was left by whoever saw to it last.
type Left struct {
	IDs       []string  // of the records that have a line, or had one that is held; in order
	Held      []string  // of lines that vanished with most others
	HeldSince time.Time // zero for none
	Undo      string    // takes back what was last done about lines that a person took out
	UndoAt    time.Time // when that was
}

// Left tells how a mirrored file was left, the zero value if nobody saw to it yet.
func (d Dir) Left(name string) Left {
	t, there, err := d.peek()
	if err != nil || !there {
		return Left{}
	}
	defer t.root.Close()
	file := t.base().file(name)
	return Left{slices.Sorted(maps.Keys(file.Lines)), file.Held, file.HeldSince, file.Undo, file.UndoAt}
}
