package workspace

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"syscall"
	"time"

	"mcp-memory/memory"
)

// Edits are what stands in a mirrored file, compared with how it was left.
type Edits struct {
	Items []Item
	// Gone are the ids whose lines a person took out, in order.
	Gone []string
	// Held are those that vanished with most others; see [Settlement.Release]. Of
	// them, Lost are those that vanished just now.
	Held, Lost []string
	// Moved are the items, by number, that stand under another heading than they were
	// left under, and Switched those whose box was ticked or cleared.
	Moved, Switched []int
}

// Settlement is what becomes of a file once the bank knows of the edits.
type Settlement struct {
	// Stands says for which record an item stands, by its number: the item keeps
	// the words of the person and gets the marker of the record.
	Stands map[int]memory.Record
	// Renew are items that get the words of a record: the bank knows better.
	Renew map[int]memory.Record
	// Drop are the numbers of items whose records do not hold any more.
	Drop []int
	// Tasks are items that stand for to-dos, by their number, as they are to be.
	Tasks map[int]Task
	// PutTasks are to-dos that the file has to have, under a heading of their own.
	PutTasks []Task
	// Put are records that the file has to have, as [Dir.MergeMemory] writes them.
	Put []memory.Record
	// Whole is set where Put is all that the file has to have, as of SOUL.md.
	Whole bool
	// Release ends the wait for a decision on lines that vanished together: they are
	// no longer expected in the file.
	Release bool
	// Conflict are records that a person's edit left no room for. They are put into a
	// file beside, NAME.conflict-TIME.md, for the person to see.
	Conflict []memory.Record
	// TaskConflict are to-dos of the same fate.
	TaskConflict []Task
	// Void are ids of lines that are neither expected in the file any more nor held.
	Void []string
	// Again is set where the bank was changed, which may be about other lines too: the
	// file is compared once more.
	Again bool
	// Later are items, by number, that are not heard yet, since they are many: they stay as they
	// are, and the file counts as one that nobody has looked at.
	Later []int
	// Undo takes back what was done about lines that are gone; "" for nothing.
	Undo string
	// Through is kept for [Left], unless it is 0.
	Through int64
}

// mishap is how many lines have to vanish at once, if they are also more than half of all, to be
// taken for a mishap. So is whatever leaves an empty file.
const mishap = 3

// mirrorLock is held by who reconciles, while the bank is changed. It is another one
// than lockFile, which the erasure of a conversation takes inside of a transaction:
// whoever holds that one never waits for the database.
const mirrorLock = ".mirror.lock"

// Reconcile makes a mirrored file and the bank say the same. decide is told what a
// person changed, changes the bank, and says what the file has to say then; it may be
// asked again if the file changes meanwhile, and has to give the same answer to what
// it did already. Nobody else reconciles until it returns. Lines that vanish in a
// mishap are held: neither told as gone nor written again.
//
// Errors are those of [Dir.MergeMemory] and of decide. What decide has changed in
// the bank is then found again by the next call.
func (d Dir) Reconcile(ctx context.Context, name string, now time.Time, decide func(Edits) (Settlement, error)) (err error) {
	first := d.lookAt(ctx, name)
	defer func() {
		if stays(err) {
			looks.Store(d.file(name), first)
		}
	}()
	return d.whileMirroring(ctx, func(d Dir) error {
		for range maxMerges {
			done, err := d.reconcile(ctx, name, now, decide)
			if done || err != nil {
				return err
			}
		}
		return errChanging(name)
	})
}

// stays reports whether an error comes again at every attempt until somebody changes the file.
func stays(err error) bool {
	switch memory.CodeOf(err) {
	case memory.CodeTooLarge, memory.CodeInvalidArgument, memory.CodeForbidden:
		return err != nil
	}
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// reconcile is one attempt. It is not done, and has to be repeated, if the file changed
// meanwhile, or decide changed the bank.
func (d Dir) reconcile(ctx context.Context, name string, now time.Time, decide func(Edits) (Settlement, error)) (done bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	t, there, err := d.peek(ctx)
	if err != nil {
		return false, err
	}
	if !there { // since the lock was taken
		return false, memory.Errorf(memory.CodeUnavailable, "somebody removes the workspace").WithHint("try again")
	}
	defer func() { err = errors.Join(err, t.root.Close()) }()
	seenAt := d.lookAt(ctx, name) // before it is read: what changes later is not seen yet
	old, err := t.read(name)
	if err != nil {
		return false, err
	}
	was := t.base().file(name)
	had := slices.Collect(maps.Keys(was.Lines))
	p, f := parse(old.content), formOf(name)
	edits := p.compare(f.items(p), was, now)
	settled, err := decide(edits)
	if err != nil {
		return false, err
	}
	if settled.Release {
		was.release()
	}
	was.void(settled.Void)
	if err := d.putConflict(ctx, name, now, settled); err != nil {
		return false, err
	}
	content := f.settle(p, edits, settled, old.exists)
	items := f.items(parse(content))
	if content != old.content {
		narrowed := was.narrow(items)
		forget := func(t tree) error {
			if !narrowed {
				return nil
			}
			return t.keepBase(t.baseWith(name, was, had), true)
		}
		if done, err := d.putSettled(ctx, name, old, content, forget); !done || err != nil {
			return false, err
		}
	}
	was.Through = cmp.Or(settled.Through, was.Through)
	before := was.Lines
	if was.note(items); settled.Undo != "" {
		was.Undo, was.UndoAt = settled.Undo, now
	}
	was.wait(before, edits.Items, settled.Later)
	was.found(seenAt, content == old.content && len(settled.Later) == 0)
	err = d.alone(ctx, func(t tree) error { return t.keepBase(t.baseWith(name, was, had), false) })
	if len(settled.Later) > 0 {
		looks.Delete(d.file(name))
		return err == nil, err
	}
	if err != nil || settled.Again {
		return false, err
	}
	if content == old.content {
		looks.Store(d.file(name), seenAt)
	} else {
		d.noteWritten(ctx, t, name, content)
	}
	return true, nil
}

// putSettled writes a file. Before that, forget takes the lines that go out of baseFile: the
// other way round, a crash between the two would look as if a person had taken them out.
func (d Dir) putSettled(ctx context.Context, name string, old text, content string, forget func(tree) error) (done bool, err error) {
	err = d.alone(ctx, func(t tree) error {
		if _, err := t.writable(name); err != nil {
			return err
		}
		if err := forget(t); err != nil {
			return err
		}
		done, err = t.root.replace(name, old, content)
		return err
	})
	return done, err
}

// putConflict writes what a person's edit left no room for. The same again is
// written once.
func (d Dir) putConflict(ctx context.Context, name string, now time.Time, s Settlement) error {
	if len(s.Conflict)+len(s.TaskConflict) == 0 {
		return nil
	}
	beginning := "# Not in " + name +
		" any more\n\nThese lines were there, and a person's change of the file left no room for them.\nTheir memories are kept. Copy back what is missed, then delete this file.\n"
	file := strings.TrimSuffix(name, ".md") + ConflictMark + now.UTC().Format("20060102T150405") + ".md"
	return d.alone(ctx, func(t tree) error {
		return t.edit(ctx, file, func(old text) (string, error) {
			if !old.exists {
				old.content = beginning
			}
			p := parse(old.content)
			p.putTasks(s.TaskConflict)
			p.space()
			return mergeFacts(p.String(), s.Conflict), nil
		})
	})
}

// ConflictMark is in the name of a file that keeps what could not be merged, between
// the name of the file and the time.
const ConflictMark = ".conflict-"

// compare returns what a person changed: items are what stands in the file, was is how it was
// left. Lines that vanished in a mishap are noted as held in was.
func (p page) compare(items []Item, was *seen, now time.Time) Edits {
	e := Edits{Items: items}
	there := map[string]bool{}
	for i := range e.Items {
		one := &e.Items[i]
		if one.ID != "" && there[one.ID] { // pasted twice: the first has it
			one.ID, one.Again = "", true
		}
		there[one.ID] = true
	}
	missing := map[string]string{} // ids by the sum of their words
	for id, line := range was.Lines {
		if !there[id] {
			missing[line.Sum] = id
		}
	}
	for i := range e.Items { // a marker that was broken or cut off, its words untouched
		one := &e.Items[i]
		_, known := was.Lines[one.ID]
		if id, found := missing[sum(one.Words)]; found && !known && !there[id] {
			one.ID, one.Same = id, false
			there[id] = true
		}
	}
	for i := range e.Items {
		one := &e.Items[i]
		line, known := was.Lines[one.ID]
		one.Known = known && one.ID != ""
		if !one.Known {
			continue
		}
		one.Same = (one.Same || one.bare) && line.Sum == sum(one.Words)
		if line.Under != one.Under {
			e.Moved = append(e.Moved, i)
		}
		if line.Box != one.Box {
			e.Switched = append(e.Switched, i)
		}
	}
	was.Held = slices.DeleteFunc(was.Held, func(id string) bool { return there[id] })
	for id := range was.Lines {
		if !there[id] && !slices.Contains(was.Held, id) {
			e.Gone = append(e.Gone, id)
		}
	}
	slices.Sort(e.Gone)
	if blank := strings.TrimSpace(p.String()) == ""; blank || len(e.Gone) >= mishap && 2*len(e.Gone) > len(was.Lines) {
		was.Held, was.HeldSince = append(was.Held, e.Gone...), now
		e.Gone, e.Lost = nil, e.Gone
	}
	if len(was.Held) == 0 {
		was.HeldSince = time.Time{}
	}
	e.Held = slices.Clone(was.Held)
	return e
}

// marked reports whether an item has a marker with its id and the sum of its words.
func (i Item) marked(p page) bool {
	for _, l := range p.lines[i.from:i.to] {
		if m := tag().FindStringSubmatch(l.text); m != nil && m[1] == i.ID {
			return m[3] == sum(i.Words)
		}
	}
	return false
}

// release ends the wait for lines that are held: they are no longer expected in the file.
func (s *seen) release() {
	for _, id := range s.Held {
		delete(s.Lines, id)
	}
	s.Held, s.HeldSince = nil, time.Time{}
}

// void takes lines whose records are gone out of what is expected in the file.
func (s *seen) void(ids []string) {
	for _, id := range ids {
		delete(s.Lines, id)
	}
	s.Held = slices.DeleteFunc(s.Held, func(id string) bool { return slices.Contains(ids, id) })
	if len(s.Held) == 0 {
		s.HeldSince = time.Time{}
	}
}

// narrow takes lines that items does not have out of what is expected in the file, except held
// ones, and reports whether there were any.
func (s *seen) narrow(items []Item) bool {
	there := map[string]bool{}
	for _, one := range items {
		there[one.ID] = true
	}
	before := len(s.Lines)
	maps.DeleteFunc(s.Lines, func(id string, _ left) bool { return !there[id] && !slices.Contains(s.Held, id) })
	return len(s.Lines) < before
}

// wait notes the items that a later pass will hear as they were before, so that it finds them
// changed.
func (s *seen) wait(before map[string]left, items []Item, later []int) {
	for _, n := range later {
		id := items[n].ID
		if line, known := before[id]; known {
			s.Lines[id] = line
		} else {
			delete(s.Lines, id)
		}
	}
}

// note notes how the file is left: the lines that stand there, and those that are held.
func (s *seen) note(items []Item) {
	held := map[string]left{}
	for _, id := range s.Held {
		held[id] = s.Lines[id]
	}
	s.Lines = held
	for _, one := range items {
		if _, twice := s.Lines[one.ID]; one.ID != "" && !twice {
			s.Lines[one.ID] = left{one.Under, sum(one.Words), one.Box}
		}
	}
}
