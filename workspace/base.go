package workspace

import (
	"context"
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

// seen is how a mirrored file was left when it was last seen to: its lines, by the ids of their
// records, and what waits for a decision.
type seen struct {
	Lines map[string]left `json:"lines"`
	// Held are the ids of lines that vanished with most others, which may have been
	// a mishap: their records stay until somebody decides.
	Held []string `json:"held,omitempty"`
	// HeldSince is when that was seen.
	HeldSince time.Time `json:"held_since,omitzero"`
	// Undo is the id of the undo for the lines that a person took out last, and UndoAt when that
	// was.
	Undo   string    `json:"undo,omitempty"`
	UndoAt time.Time `json:"undo_at,omitzero"`
	// Through is the sequence number up to which the bank's records were compared with the file.
	Through int64 `json:"through,omitempty"`
	// Size and Mod (the time of the last change in nanoseconds; in a database the version) are of
	// the file when it was found as it was left, so that the next process need not read it; 0 for
	// not known.
	Size int64 `json:"size,omitempty"`
	Mod  int64 `json:"mod,omitempty"`
}

// found notes the size and time of a file that was found as it was left (same), or else that they
// are not known. They are not known either if the file changed only just now: it may change again
// without leaving a trace in them.
func (s *seen) found(l look, same bool) {
	if s.Size, s.Mod = 0, 0; same && l.info != nil && l.settled() {
		s.Size, s.Mod = l.info.Size(), stampOf(l.info)
	}
}

// wasFound reports whether a file still has the size and time that another process noted; see
// found.
func (d Dir) wasFound(ctx context.Context, name string, now look) bool {
	t, there, err := d.peek(ctx)
	if err != nil || !there || now.info == nil {
		return false
	}
	defer t.root.Close()
	file := t.base().Files[name]
	return file != nil && file.Mod != 0 && file.Mod == stampOf(now.info) && file.Size == now.info.Size()
}

// left is a line as it was left: the heading that it stands under, the sum of its words, and its
// box.
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

// baseWith returns the content of baseFile with a file as it is to be kept. If an erasure has
// taken lines out of baseFile since they were read (had has their ids), they are taken out of
// file, too. The caller holds lockFile, under which alone baseFile is written.
func (t tree) baseWith(name string, file *seen, had []string) base {
	b := t.base()
	now := b.file(name)
	for _, id := range had {
		if _, there := now.Lines[id]; !there {
			file.void([]string{id})
		}
	}
	b.Files[name] = file
	return b
}

// keepBase writes baseFile, whole or not at all. durable makes it safe against a loss of power:
// needed where baseFile must come to the disk before the file that it is about.
func (t tree) keepBase(b base, durable bool) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("keep what was seen of the workspace: %w", err)
		}
	}()
	data, err := json.Marshal(b)
	if err != nil {
		return err
	}
	return t.root.keep(baseFile, data, durable)
}

// looks caches, by path, how files were when this process last saw them, so that a file that
// nobody touched costs one call to the system.
var looks sync.Map

// racy is for how long after a change another change may leave the file's time the same: longer
// than the clocks of file systems tick.
const racy = 50 * time.Millisecond

// look is what the system tells of a file at a moment, or that it is not there (nil).
type look struct {
	info fs.FileInfo
	at   time.Time
	ours bool // it was read again after this look and says what we wrote
}

// lookAt returns how a file is at this moment; the zero value if that cannot be told.
func (d Dir) lookAt(ctx context.Context, name string) look {
	if d.in != nil {
		return d.looksInRows(ctx, name)[name]
	}
	l := look{at: time.Now()}
	if info, err := os.Lstat(d.file(name)); err == nil {
		l.info = info
	} else if !errors.Is(err, fs.ErrNotExist) {
		return look{}
	}
	return l
}

// holds reports whether a file certainly is as it was at a look before.
func (l look) holds(before look) bool {
	switch {
	case l.at.IsZero() || before.at.IsZero():
		return false
	case l.info == nil || before.info == nil:
		return l.info == before.info
	}
	if row, ok := l.info.(rowInfo); ok {
		return row.version(before.info)
	}
	return os.SameFile(before.info, l.info) && before.info.Size() == l.info.Size() && before.info.ModTime().Equal(l.info.ModTime()) &&
		(before.ours || before.settled())
}

// settled reports whether any change after the look will show in the size or time of the file.
func (l look) settled() bool {
	if _, ok := l.info.(rowInfo); ok {
		return true
	}
	return l.at.Sub(l.info.ModTime()) >= racy
}

// stampOf returns what tells two states of a file apart that have the same size: its time in
// nanoseconds or, in a database, its version.
func stampOf(info fs.FileInfo) int64 {
	if row, ok := info.(rowInfo); ok {
		return row.Version
	}
	return info.ModTime().UnixNano()
}

// Touched returns those of some files that may have changed since the last
// [Dir.Reconcile] of them by this process. On disk it takes some microseconds, in a
// database one question.
func (d Dir) Touched(ctx context.Context, names ...string) (touched []string) {
	var now map[string]look
	if d.in != nil {
		now = d.looksInRows(ctx, names...)
	}
	there := false
	for _, name := range names {
		if d.in == nil {
			now = map[string]look{name: d.lookAt(ctx, name)}
		}
		there = there || now[name].info != nil
		if d.touched(ctx, name, now[name]) {
			touched = append(touched, name)
		}
	}
	if len(touched) > 0 && !there && !d.Exists(ctx) { // or the agent is no more
		return nil
	}
	return touched
}

func (d Dir) touched(ctx context.Context, name string, now look) bool {
	known, ok := looks.Load(d.file(name))
	if !ok && d.wasFound(ctx, name, now) {
		looks.Store(d.file(name), now)
		return false
	}
	if !ok {
		return now.info != nil || now.at.IsZero() && d.in == nil // nothing is there, and nothing was
	}
	return !now.holds(known.(look))
}

// calm is how long a file that became smaller has to be left alone before it is read:
// somebody may have emptied it in order to write it.
const (
	calm     = 60 * time.Millisecond
	calmWait = 5 * calm // at most
)

// Calm waits until nobody seems to be in the middle of writing a file.
func (d Dir) Calm(ctx context.Context, name string) {
	if d.in != nil { // there a file is written in one step
		return
	}
	known, ok := looks.Load(d.file(name))
	before, _ := known.(look)
	if !ok || before.info == nil {
		return
	}
	for range calmWait / calm {
		now := d.lookAt(ctx, name)
		if now.info == nil || now.info.Size() >= before.info.Size() || now.at.Sub(now.info.ModTime()) >= calm {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(calm):
		}
	}
}

// file is the path of a file of the workspace.
func (d Dir) file(name string) string { return filepath.Join(d.path, filepath.FromSlash(name)) }

// noteWritten remembers how a file is that this process has just written, if it still has that
// content.
func (d Dir) noteWritten(ctx context.Context, t tree, name, content string) {
	l := d.lookAt(ctx, name)
	if now, err := t.read(name); err == nil && now.exists && now.content == content {
		l.ours = true
		looks.Store(d.file(name), l)
		return
	}
	looks.Delete(d.file(name))
}

// Left is how a mirrored file was left by whoever saw to it last.
type Left struct {
	IDs       []string  // of the records that have a line, or had one that is held; in order
	Held      []string  // of lines that vanished with most others
	HeldSince time.Time // zero for none
	Undo      string    // takes back what was last done about lines that a person took out
	UndoAt    time.Time // when that was
	Through   int64     // number of the bank's last record when all of it was compared with the file
}

// lefts caches, by path, what baseFile said, because every save asks for it.
var lefts sync.Map

// leftThen is what baseFile said at a look.
type leftThen struct {
	look  look
	files map[string]Left
}

// Left tells how a mirrored file was left; see [Dir.Lefts].
func (d Dir) Left(ctx context.Context, name string) Left { return d.Lefts(ctx)[name] }

// Lefts tells by their names how mirrored files were left, without those that nobody saw to
// yet. It takes some microseconds, or in a database one question, while nobody reconciles.
func (d Dir) Lefts(ctx context.Context) map[string]Left {
	path := d.file(baseFile)
	now := d.lookAt(ctx, baseFile)
	if known, ok := lefts.Load(path); ok && now.holds(known.(leftThen).look) {
		return known.(leftThen).files
	}
	t, there, err := d.peek(ctx)
	if err != nil || !there {
		return nil
	}
	defer t.root.Close()
	files := map[string]Left{}
	for name, file := range t.base().Files {
		if file != nil {
			files[name] = Left{slices.Sorted(maps.Keys(file.Lines)), file.Held, file.HeldSince, file.Undo, file.UndoAt, file.Through}
		}
	}
	lefts.Store(path, leftThen{now, files})
	return files
}

// LastLefts is [Dir.Lefts] as this process has found it last, which in a database needs no
// question. It is enough for what a transaction has made new: a file may have a line of that only
// if it was there before and has come back.
func (d Dir) LastLefts(ctx context.Context) map[string]Left {
	if known, ok := lefts.Load(d.file(baseFile)); ok && d.in != nil {
		return known.(leftThen).files
	}
	return d.Lefts(ctx)
}

// Standing is what stands in a mirrored file.
type Standing struct {
	IDs  []string // of its lines
	Full bool     // it has the note that more is remembered than fits
}

// Standing tells what stands in a mirrored file, and changes nothing. Errors are those of
// [Dir.Read] for a file that cannot be read, but none for one that is not there, and
// [memory.CodeForbidden] for one that cannot be written.
func (d Dir) Standing(ctx context.Context, name string) (Standing, error) {
	t, there, err := d.peek(ctx)
	if err != nil || !there {
		return Standing{}, err
	}
	defer t.root.Close()
	found, err := t.read(name)
	if err != nil {
		return Standing{}, err
	}
	info, err := t.look(name)
	if err != nil {
		return Standing{}, err
	}
	p := parse(found.content)
	s := Standing{Full: slices.ContainsFunc(p.lines, func(l line) bool { return l.note })}
	for _, one := range formOf(name).items(p) {
		if one.ID != "" {
			s.IDs = append(s.IDs, one.ID)
		}
	}
	return s, closed(name, info)
}
