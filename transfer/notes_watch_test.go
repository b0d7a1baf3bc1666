package transfer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/transfer"
)

// watched is a bank with a folder that is kept the same.
type watched struct {
	*bank
	t     *testing.T
	dir   string
	watch *transfer.NoteWatch
}

func newWatched(t *testing.T, b *bank) *watched {
	dir := t.TempDir()
	return &watched{b, t, dir, transfer.NewNoteWatch(b.Deps, anna, dir, false)}
}

// look has the watch see what changed, as often as it takes to be settled.
func (w *watched) look() (events []transfer.NoteEvent) {
	w.t.Helper()
	for range 4 {
		more, err := w.watch.Look(w.t.Context())
		if err != nil {
			w.t.Fatal(err)
		}
		events = append(events, more...)
	}
	return events
}

// told is what happened, in short.
func told(events []transfer.NoteEvent) (list []string) {
	for _, e := range events {
		list = append(list, string(e.What)+" "+e.File)
	}
	return list
}

func (w *watched) expect(what string, want ...string) []transfer.NoteEvent {
	w.t.Helper()
	events := w.look()
	if got := told(events); !slices.Equal(got, want) {
		w.t.Errorf("%s: %q, not %q", what, got, want)
	}
	return events
}

func (w *watched) live(what string, want ...string) {
	w.t.Helper()
	got := w.contents(w.t)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		w.t.Errorf("%s: the bank has %q, not %q", what, got, want)
	}
}

func (w *watched) undo(id string) {
	w.t.Helper()
	if _, err := w.Service.TakeBack(w.t.Context(), anna, id); err != nil {
		w.t.Fatal(err)
	}
}

// replace writes a note as editors do, who put a new file in its place.
func (w *watched) replace(name, old, new string) {
	w.t.Helper()
	content := files(w.t, w.dir)[name]
	if !strings.Contains(content, old) {
		w.t.Fatalf("%s has no %q:\n%s", name, old, content)
	}
	write(w.t, w.dir, ".swap", strings.Replace(content, old, new, 1))
	if err := os.Rename(filepath.Join(w.dir, ".swap"), filepath.Join(w.dir, name)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *watched) remove(name string) {
	w.t.Helper()
	if err := os.Remove(filepath.Join(w.dir, name)); err != nil {
		w.t.Fatal(err)
	}
}

func TestAFolderIsWatchedBothWays(t *testing.T) {
	b := newBank(t)
	b.mustLoad(t, transfer.Facts, `{"content":"Anna plays the oboe."}
{"content":"The harbour café opens at nine."}
{"content":"The wifi password is swordfish99."}`)
	w := newWatched(t, b)
	w.look()
	oboe, cafe := noteWith(t, w.dir, "oboe"), noteWith(t, w.dir, "café")
	if len(files(t, w.dir)) != 3 {
		t.Errorf("a secret went out: %q", files(t, w.dir))
	}
	w.expect("nothing changed")

	w.replace(oboe, "oboe", "bassoon")
	if early, err := w.watch.Look(t.Context()); err != nil || len(early) > 0 {
		t.Errorf("read while it was written: %v, %v", early, err)
	}
	edit := w.expect("an edit", "changed "+oboe)
	w.live("an edit", "Anna plays the bassoon.", "The harbour café opens at nine.", "The wifi password is swordfish99.")
	if !strings.Contains(files(t, w.dir)[oboe], "\nsupersedes: ") {
		t.Errorf("the note is not that of the new version:\n%s", files(t, w.dir)[oboe])
	}
	w.undo(edit[0].UndoID)
	w.expect("its undo", "written "+oboe)
	w.live("its undo", "Anna plays the oboe.", "The harbour café opens at nine.", "The wifi password is swordfish99.")

	w.replace(cafe, "importance: 0.5", "importance: 0.9")
	edit = w.expect("another importance", "changed "+cafe)
	w.undo(edit[0].UndoID)
	if w.expect("its undo", "written "+cafe); !strings.Contains(files(t, w.dir)[cafe], "importance: 0.5") {
		t.Errorf("it was not taken back:\n%s", files(t, w.dir)[cafe])
	}

	b.mustLoad(t, transfer.Facts, `{"content":"Tom is allergic to peanuts."}`)
	events := w.look()
	if len(events) != 1 || events[0].What != transfer.NoteWritten || !strings.Contains(events[0].File, "peanuts") {
		t.Errorf("a memory of elsewhere: %+v", events)
	}
	w.remove(events[0].File)
	gone := w.expect("a deleted note", "set aside "+events[0].File)
	w.live("a deleted note", "Anna plays the oboe.", "The harbour café opens at nine.", "The wifi password is swordfish99.")
	w.undo(gone[0].UndoID)
	w.expect("its undo", "written "+events[0].File)

	for _, r := range b.records(t, "anna") {
		if strings.Contains(r.Content, "peanuts") {
			if _, err := b.Service.Forget(t.Context(), anna, remember.ForgetRequest{IDs: []string{r.ID}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.expect("forgotten elsewhere", "removed "+events[0].File)
}

func TestNotesThatPeopleAddToAWatchedFolder(t *testing.T) {
	w := newWatched(t, newBank(t))
	w.look()
	write(t, w.dir, "pets.md", "## Rex\n\nRex is a dog.\n\n## Luna\n\nLuna is a cat.\n")
	added := w.expect("a new note", "new pets.md", "new pets.md")
	w.live("a new note", "pets › Rex: Rex is a dog.", "pets › Luna: Luna is a cat.")
	if len(files(t, w.dir)) != 2 {
		t.Errorf("what a note says was written again: %q", files(t, w.dir))
	}
	w.replace("pets.md", "## Luna\n\nLuna is a cat.\n", "")
	w.expect("a section less", "set aside pets.md")
	w.live("a section less", "pets › Rex: Rex is a dog.")
	// Another process knows again whose it is.
	w.watch = transfer.NewNoteWatch(w.Deps, anna, w.dir, false)
	w.expect("begun again")
	w.undo(added[0].UndoID)
	w.live("undone")

	write(t, w.dir, "fact/mine.md", "---\nmcp_memory: record\nkind: fact\ntags: [pets]\n---\nMia is a parrot.\n")
	w.expect("a note of ours without an id", "new fact/mine.md")
	w.remove("fact/mine.md")
	w.expect("it is deleted", "set aside fact/mine.md")
	w.live("it is deleted")
}

func TestBothSidesOfAWatchedFolderChange(t *testing.T) {
	b := newBank(t)
	b.mustLoad(t, transfer.Facts, `{"id":"x","content":"Anna plays the oboe."}`)
	w := newWatched(t, b)
	w.look()
	oboe := noteWith(t, w.dir, "oboe")
	w.replace(oboe, "oboe", "bassoon")
	b.mustLoad(t, transfer.Facts, `{"id":"x","content":"Anna plays the horn."}`)
	events := w.expect("both changed", "both "+oboe, "changed "+oboe)
	w.live("both changed", "Anna plays the bassoon.")
	horn, err := b.store.Records(t.Context(), "anna", []string{events[0].ID})
	if err != nil || len(horn) != 1 || horn[0].Content != "Anna plays the horn." {
		t.Errorf("what was changed elsewhere: %+v, %v", horn, err)
	}
	// Edited again before it had its new id, it is no conflict.
	old := files(t, w.dir)[oboe]
	w.replace(oboe, "bassoon", "tuba")
	w.expect("an edit", "changed "+oboe)
	write(t, w.dir, oboe, strings.Replace(old, "bassoon", "harp", 1))
	w.expect("an edit of what an editor still had", "changed "+oboe)
	w.live("all of it", "Anna plays the harp.")

	// Renamed, copied and with another's properties.
	if err := os.Rename(filepath.Join(w.dir, oboe), filepath.Join(w.dir, "Harp.md")); err != nil {
		t.Fatal(err)
	}
	w.expect("renamed")
	write(t, w.dir, "Harp copy.md", files(t, w.dir)["Harp.md"])
	w.expect("copied", "left Harp copy.md:3")
	b.mustLoad(t, transfer.Facts, `{"id":"x","content":"Anna plays the lute."}`)
	w.expect("changed elsewhere", "written Harp.md")
}

func TestManyNotesVanishFromAWatchedFolder(t *testing.T) {
	b := newBank(t)
	b.mustLoad(t, transfer.Facts, factLines(1000))
	w := newWatched(t, b)
	if events := w.look(); len(events) != 1001 {
		t.Fatalf("%d events", len(events))
	}
	names, err := filepath.Glob(filepath.Join(w.dir, "*", "*.md"))
	if err != nil || len(names) != 1000 {
		t.Fatalf("%d notes, %v", len(names), err)
	}
	vanish := func(n int) error {
		for _, name := range names[:n] {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
		names = names[n:]
		for range 3 {
			if _, err := w.watch.Look(t.Context()); err != nil {
				return err
			}
		}
		return nil
	}
	if err := vanish(20); err != nil || len(b.contents(t)) != 980 {
		t.Errorf("20: %v, %d are left", err, len(b.contents(t)))
	}
	if err := vanish(21); memory.CodeOf(err) != memory.CodeConflict || len(b.contents(t)) != 980 {
		t.Errorf("21: %v, %d are left", err, len(b.contents(t)))
	}
	w.watch = transfer.NewNoteWatch(b.Deps, anna, w.dir, false)
	if events := w.look(); len(events) != 21 {
		t.Errorf("begun again %d were written", len(events))
	}
	if err := os.RemoveAll(w.dir); err != nil {
		t.Fatal(err)
	}
	if _, err := w.watch.Look(t.Context()); memory.CodeOf(err) != memory.CodeNotFound || len(b.contents(t)) != 980 {
		t.Errorf("the folder: %v, %d are left", err, len(b.contents(t)))
	}
}

// A folder that is emptied is no decision, however few notes it had.
func TestAWatchedFolderIsEmptied(t *testing.T) {
	b := newBank(t)
	b.mustLoad(t, transfer.Facts, factLines(2))
	w := newWatched(t, b)
	w.look()
	names, err := filepath.Glob(filepath.Join(w.dir, "*", "*.md"))
	if err != nil || len(names) != 2 {
		t.Fatalf("%q, %v", names, err)
	}
	for _, name := range names {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		if _, err = w.watch.Look(t.Context()); err != nil {
			break
		}
	}
	if memory.CodeOf(err) != memory.CodeConflict || len(b.contents(t)) != 2 {
		t.Errorf("%v, %d are left", err, len(b.contents(t)))
	}
}

func TestDamageInAWatchedFolder(t *testing.T) {
	b := newBank(t)
	b.mustLoad(t, transfer.Facts, `{"content":"Anna plays the oboe."}`+"\n"+`{"content":"Tom is allergic to peanuts."}`)
	w := newWatched(t, b)
	w.look()
	oboe, outside := noteWith(t, w.dir, "oboe"), filepath.Join(t.TempDir(), "outside.md")
	write(t, filepath.Dir(outside), "outside.md", "The safe is behind the picture.\n")
	if err := os.Symlink(outside, filepath.Join(w.dir, "link.md")); err != nil {
		t.Skip(err)
	}
	write(t, w.dir, "binary.md", "a\x00b")
	broken := strings.Replace(files(t, w.dir)[oboe], "kind: fact", "kind: [", 1)
	write(t, w.dir, oboe, broken)
	want := []string{"left binary.md:1", "left " + oboe, "left link.md"}
	if runtime.GOOS != "windows" && os.Getuid() != 0 {
		write(t, w.dir, "closed.md", "Closed.\n")
		if err := os.Chmod(filepath.Join(w.dir, "closed.md"), 0); err != nil {
			t.Fatal(err)
		}
		want = []string{want[0], "left closed.md", want[1], want[2]}
	}
	events := w.look()
	got := told(events)
	for i := range got {
		if strings.HasPrefix(got[i], "left "+oboe) { // with a line
			got[i] = "left " + oboe
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	w.live("damage", "Anna plays the oboe.", "Tom is allergic to peanuts.")
	if files(t, w.dir)[oboe] != broken {
		t.Error("the broken note was written over")
	}
	b.mustLoad(t, transfer.Facts, `{"content":"Rex is a dog."}`)
	if events := w.look(); len(events) != 1 || events[0].What != transfer.NoteWritten {
		t.Errorf("it does not go on: %+v", events)
	}
	write(t, w.dir, oboe, strings.Replace(broken, "kind: [", "kind: fact", 1))
	w.expect("mended")
}

func TestFoldersThatAreNotWatched(t *testing.T) {
	b := newBank(t)
	b.mustLoad(t, transfer.Facts, factLines(2))
	exported, other := t.TempDir(), t.TempDir()
	b.exportNotes(t, exported)
	write(t, other, "mine.md", "Rex is a dog.\n")
	for _, dir := range []string{exported, other} {
		_, err := transfer.NewNoteWatch(b.Deps, anna, dir, false).Look(t.Context())
		if memory.CodeOf(err) != memory.CodeConflict {
			t.Errorf("%s: %v", dir, err)
		}
	}
	forced, err := transfer.NewNoteWatch(b.Deps, anna, other, true).Look(t.Context())
	if err != nil || len(forced) != 4 || len(b.contents(t)) != 3 {
		t.Errorf("with force: %+v, %v", forced, err)
	}
	if _, err := transfer.ExportNotes(t.Context(), b.Deps, "anna", other, false, nil); memory.CodeOf(err) != memory.CodeConflict {
		t.Errorf("an export into a watched folder: %v", err)
	}
	one := b.scope
	one.Project = "acme/shop"
	dir := t.TempDir()
	write(t, dir, ".obsidian/app.json", "{}")
	if events, err := transfer.NewNoteWatch(b.Deps, one, dir, false).Look(t.Context()); err != nil || len(events) != 1 {
		t.Errorf("of another project: %v, %v", fmt.Sprint(events), err)
	}
}
