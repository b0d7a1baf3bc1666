package mirror_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
	"mcp-memory/mirror"
	"mcp-memory/planning"
	"mcp-memory/remember"
	"mcp-memory/workspace"
)

// TestALineTakenOutWhileNobodyRan has a person delete a line before a process starts,
// which writes what the file lacks: the line is not what it lacks.
func TestALineTakenOutWhileNobodyRan(t *testing.T) {
	b := newBank(t)
	tea := b.save("Takes tea green.")
	b.save("Likes rice.")
	rewrite(t, b.path, strings.Replace(b.file(), lineOf(b.file(), tea), "", 1))
	if err := b.Mirror.Complete(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	b.wantLive("preference: Likes rice.")
	b.wantLines("Likes rice.")
}

// rewrite is an editor that writes a file where it is.
func rewrite(t testing.TB, path, content string) {
	t.Helper()
	if err := testfiles.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestALateWriterDoesNotBringBackAnOldVersion has a process that saved a fact come to the file when
// another has corrected the fact already.
func TestALateWriterDoesNotBringBackAnOldVersion(t *testing.T) {
	b := newBank(t)
	raw := remember.New(b.RawOptions())
	saved, err := raw.Save(t.Context(), ann, remember.SaveRequest{Content: "Takes tea green.", Pinned: true, Category: "preference"})
	if err != nil {
		t.Fatal(err)
	}
	old := b.record(saved.ID)
	black := "Takes tea black."
	if _, err := b.Remember.Update(t.Context(), ann, remember.UpdateRequest{ID: saved.ID, Content: &black}); err != nil {
		t.Fatal(err)
	}
	b.Mirror.Changed(t.Context(), "ann", mirror.Changes{Records: []memory.Record{old}})
	b.wantLines("Takes tea black.")
}

// TestAnEditDuringAPassIsHeard has a person save the file while the bank is being changed.
func TestAnEditDuringAPassIsHeard(t *testing.T) {
	b := newBank(t)
	b.save("Takes tea green.")
	b.Mirror.Refresh(t.Context(), "ann")
	dir := testfiles.Open(b.Dir, "ann")
	err := dir.Reconcile(t.Context(), workspace.MemoryFile, testTime, func(workspace.Edits) (workspace.Settlement, error) {
		rewrite(t, b.path, b.file()+"- Likes rice.\n")
		time.Sleep(100 * time.Millisecond) // the database is busy
		return workspace.Settlement{}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(dir.Touched(t.Context(), workspace.MemoryFile)) == 0 {
		t.Error("what was saved during a pass counts as seen")
	}
}

var testTime = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// TestNobodyWaitsForAFileThatIsNotThere deletes the file for good: that is looked into once.
func TestNobodyWaitsForAFileThatIsNotThere(t *testing.T) {
	b := newBank(t)
	b.save("Takes tea green.")
	if err := testfiles.Remove(b.path); err != nil {
		t.Fatal(err)
	}
	b.Mirror.Refresh(t.Context(), "ann")
	if len(testfiles.Open(b.Dir, "ann").Touched(t.Context(), workspace.MemoryFile)) > 0 {
		t.Error("a missing file is looked into at each call")
	}
}

// TestErasingMostLinesIsNoMishap erases for good what most lines say: nothing waits for a
// decision, and nothing of it is kept beside.
func TestErasingMostLinesIsNoMishap(t *testing.T) {
	b := newBank(t)
	var ids []string
	for i := range 6 {
		ids = append(ids, b.save(fmt.Sprintf("Likes dish %d.", i)))
	}
	b.Mirror.Refresh(t.Context(), "ann")
	if _, err := b.Remember.Forget(t.Context(), ann, remember.ForgetRequest{IDs: ids[:5], Permanent: true, Confirm: true}); err != nil {
		t.Fatal(err)
	}
	b.Mirror.Refresh(t.Context(), "ann")
	if held := b.left().Held; len(held) > 0 || b.conflicts() != "" {
		t.Errorf("held are %q, and beside is %q", held, b.conflicts())
	}
	b.wantLines("Likes dish 5.")
}

// TestWhatIsErasedIsNotKeptBeside erases what an earlier mishap has put into a file of its own.
func TestWhatIsErasedIsNotKeptBeside(t *testing.T) {
	b := newBank(t)
	var ids []string
	for i := range 4 {
		ids = append(ids, b.save(fmt.Sprintf("Likes dish %d.", i)))
	}
	b.edit(func(string) string { return "" })
	if kept := b.conflicts(); !strings.Contains(kept, "dish 2") {
		t.Fatalf("beside is %q", kept)
	}
	if _, err := b.Remember.Forget(t.Context(), ann, remember.ForgetRequest{IDs: ids[2:3], Permanent: true, Confirm: true}); err != nil {
		t.Fatal(err)
	}
	if kept := b.conflicts(); strings.Contains(kept, "dish 2") || !strings.Contains(kept, "dish 1") {
		t.Errorf("after an erasure beside is %q", kept)
	}
}

// TestOneEditSettlesAtOnce has a new line take the place of another: one pass sees to both.
func TestOneEditSettlesAtOnce(t *testing.T) {
	b := newBank(t)
	b.save("My favourite colour is blue.",
		func(r *remember.SaveRequest) { r.Pinned, r.Importance = false, new(float64); *r.Importance = 0.9 })
	b.edit(func(s string) string { return s + "- My favourite colour is now green.\n" })
	b.wantLive("preference: My favourite colour is now green.")
	b.wantLines("My favourite colour is now green.")
}

// TestProseInTheSectionOfTheSoulStays has a person write between the markers of SOUL.md what is no entry.
func TestProseInTheSectionOfTheSoulStays(t *testing.T) {
	b := newBank(t)
	one := 1.0
	soul := func(content string) {
		b.save(content, func(r *remember.SaveRequest) {
			r.Kind, r.Category, r.Importance = memory.KindSoul, "identity", &one
			r.Soul = &memory.SoulDetails{Type: memory.SoulValue}
		})
	}
	soul("Honesty before comfort.")
	path := filepath.Join(filepath.Dir(b.path), workspace.SoulFile)
	read := func() string {
		content, err := testfiles.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	long := "- " + strings.Repeat("long ", 8000) + "\n"
	rewrite(t, path, strings.Replace(read(), "## Values\n", "## Values\n\nThese I chose in spring.\n\n"+long, 1))
	b.Mirror.Refresh(t.Context(), "ann")
	soul("Ask before deleting.")
	for _, want := range []string{"These I chose in spring.", strings.TrimSpace(long), "Honesty before comfort.", "Ask before deleting."} {
		if n := strings.Count(read(), want); n != 1 {
			t.Errorf("%.40q is there %d times:\n%.2000s", want, n, read())
		}
	}
	before := read()
	b.Mirror.Refresh(t.Context(), "ann")
	soul("Speak plainly.")
	if after := read(); strings.Count(after, "These I chose") != 1 || !strings.Contains(after, "Speak plainly.") {
		t.Errorf("from\n%.1000s\nto\n%.1000s", before, after)
	}
}

// TestAnErasedAgentStaysErased has a call come for an agent whose files were removed.
func TestAnErasedAgentStaysErased(t *testing.T) {
	b := newBank(t)
	b.save("Takes tea green.")
	dir := testfiles.Open(b.Dir, "ann")
	if err := dir.EraseAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.Mirror.Refresh(t.Context(), "ann")
	if dir.Exists(t.Context()) {
		t.Error("a call made the workspace again")
	}
}

// brokenFiles cannot be written.
type brokenFiles struct {
	workspace.Dir
	err error
}

func (brokenFiles) Touched(_ context.Context, names ...string) []string { return names }

func (b brokenFiles) Reconcile(context.Context, string, time.Time, func(workspace.Edits) (workspace.Settlement, error)) error {
	return b.err
}

// TestWhatFailsIsToldOnce has each call find a file that cannot be written.
func TestWhatFailsIsToldOnce(t *testing.T) {
	b := newBank(t)
	b.save("Takes tea green.")
	var log bytes.Buffer
	broken := &brokenFiles{testfiles.Open(b.Dir, "ann"), errors.New("read-only file system")}
	s := mirror.New(mirror.Options{Store: b.Store, Remember: b.Remember, Planning: planning.New(b.PlanningOptions()), Clock: b.Clock,
		Log:   slog.New(slog.NewTextHandler(&log, nil)),
		Files: func(string) mirror.Files { return broken }})
	for range 5 {
		s.Refresh(t.Context(), "ann")
	}
	if n := strings.Count(log.String(), "file=MEMORY.md"); n != 1 {
		t.Errorf("told %d times:\n%s", n, log.String())
	}
	broken.err = nil
	s.Refresh(t.Context(), "ann")
	broken.err = errors.New("read-only file system")
	s.Refresh(t.Context(), "ann")
	if n := strings.Count(log.String(), "file=MEMORY.md"); n != 2 {
		t.Errorf("a failure that came back is told %d times", n)
	}
}

// TestAFileThatIsBeingWritten has an editor empty the file, and write it a moment later:
// a call in between sees neither a mishap nor lines taken out.
func TestAFileThatIsBeingWritten(t *testing.T) {
	testfiles.OnDisk(t)
	b := newBank(t)
	for i := range 5 {
		b.save(fmt.Sprintf("Likes dish %d.", i))
	}
	b.Mirror.Refresh(t.Context(), "ann")
	whole := b.file() + "- Likes rice.\n"
	rewrite(t, b.path, whole[:len(whole)*3/4])
	written := make(chan struct{})
	go func() {
		defer close(written)
		time.Sleep(5 * time.Millisecond)
		rewrite(t, b.path, whole)
	}()
	b.Mirror.Refresh(t.Context(), "ann")
	<-written
	b.Mirror.Refresh(t.Context(), "ann")
	if n := len(b.live()); n != 6 || b.conflicts() != "" || b.left().Undo != "" {
		t.Errorf("%d memories hold, want 6; beside is %q", n, b.conflicts())
	}
}

// TestARewordingThatIsRefusedStaysThePersons makes an entry of the soul longer than a memory may be.
func TestARewordingThatIsRefusedStaysThePersons(t *testing.T) {
	b := newBank(t)
	one := 1.0
	b.save("Honesty before comfort.", func(r *remember.SaveRequest) {
		r.Kind, r.Category, r.Importance = memory.KindSoul, "identity", &one
		r.Soul = &memory.SoulDetails{Type: memory.SoulValue}
	})
	path := filepath.Join(filepath.Dir(b.path), workspace.SoulFile)
	content, err := testfiles.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	long := strings.TrimSpace(strings.Repeat("Long honesty. ", 8000))
	rewrite(t, path, strings.Replace(string(content), "Honesty before comfort.", long, 1))
	for range 2 {
		b.Mirror.Refresh(t.Context(), "ann")
		if content, err = testfiles.ReadFile(path); err != nil || strings.Count(string(content), long) != 1 ||
			strings.Count(string(content), "Honesty before comfort.") != 1 {
			t.Errorf("SOUL.md has %d bytes, %v:\n%.500s", len(content), err, content)
		}
	}
}
