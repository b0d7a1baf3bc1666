package workspace_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
)

func TestErase(t *testing.T) {
	w, dir := desk(t)
	cold, tea := fact("cold", "event", "Tea\nwas cold."), fact("tea", "preference", "Anna takes tea.")
	must(t, w.Erase(t.Context(), []memory.Record{cold}))
	if _, err := testfiles.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("a workspace was made in order to erase: %v", err)
	}
	fear := soul("fear", "# Dark", memory.SoulFear)
	learned := fact("learned", "technical", "Ask first.")
	learned.Learning = &memory.LearningDetails{Type: memory.LearningError, Tool: "rm", Context: "the repository"}
	kept := learned
	kept.ID, kept.Content = "kept", "Ask twice."
	for _, r := range []memory.Record{cold, tea} {
		must(t, w.AppendDayLog(r))
	}
	must(t, w.MergeMemory(t.Context(), []memory.Record{cold, tea}))
	must(t, w.MirrorSoul(t.Context(), []memory.Record{fear, soul("belief", "Light", memory.SoulBelief)}))
	for _, r := range []memory.Record{learned, kept} {
		must(t, w.AppendLearning(t.Context(), r))
	}
	// A person's own words, in any encoding, in a file of any size.
	log := filepath.Join(dir, "memory", "2026-03-01.md")
	mine := "Tea was cold.\r\n- 12:00:00 I wrote this anew <!-- cold -->\n" + strings.Repeat("\xff", 2<<20) + "\n"
	write(t, mine+read(t, log), log)
	write(t, "a draft of a crash: Tea was cold.", dir, ".MEMORY.md.draft")

	must(t, w.Erase(t.Context(), []memory.Record{cold, fear, learned}))
	if got, want := read(t, log), mine+"# 2026-03-01\n\n- 12:00:00 [preference] Anna takes tea. <!-- tea -->\n"; got != want {
		t.Errorf("day log: %q", strings.ReplaceAll(got, "\xff", ""))
	}
	if got := read(t, dir, "MEMORY.md"); strings.Contains(got, "cold") || !strings.Contains(got, "Anna takes tea.") {
		t.Errorf("memory: %q", got)
	}
	if got := read(t, dir, "SOUL.md"); strings.Contains(got, "Dark") || !strings.Contains(got, "Light") {
		t.Errorf("soul: %q", got)
	}
	if got, want := unsummed(read(t, dir, "learnings", "errors.md")),
		"# Errors\n\n## 2026-03-01 12:00 UTC, rm\n\nAsk twice.\n\nContext: the repository <!-- kept -->\n"; got != want {
		t.Errorf("learnings: %q", got)
	}
	if _, err := testfiles.Stat(filepath.Join(dir, ".MEMORY.md.draft")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the draft is still there: %v", err)
	}
}

// What a person added to an entry of ours stays, and so does its heading.
func TestEraseBesideAPerson(t *testing.T) {
	testfiles.OnDisk(t)
	w, dir := desk(t)
	r := fact("a", "technical", "Ask first.")
	r.Learning = &memory.LearningDetails{Type: memory.LearningCorrection}
	must(t, w.AppendLearning(t.Context(), r))
	file := filepath.Join(dir, "learnings", "corrections.md")
	write(t, strings.Replace(read(t, file), "Ask", "My own note.\n\nAsk", 1), file)
	must(t, w.Erase(t.Context(), []memory.Record{r}))
	if got, want := read(t, file), "# Corrections\n\n## 2026-03-01 12:00 UTC\n\nMy own note.\n\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	must(t, w.AppendDayLog(r))
	log := filepath.Join(dir, "memory", "2026-03-01.md")
	must(t, os.Chmod(log, 0o400))
	wantCode(t, w.Erase(t.Context(), []memory.Record{r}), memory.CodeForbidden)
}

// A line that is appended while others are taken out would be lost.
func TestLoggingWaitsForAnErasure(t *testing.T) {
	testfiles.OnDisk(t)
	w, dir := desk(t)
	logged := make(chan error)
	must(t, w.WhileNobodyLogs(t.Context(), func() {
		go func() { logged <- w.AppendDayLog(fact("a", "event", "A fact.")) }()
		select {
		case err := <-logged:
			t.Fatalf("a line was written meanwhile: %v", err)
		case <-time.After(50 * time.Millisecond): // shorter would find fewer mistakes, but never more
		}
	}))
	must(t, <-logged)
	if got := read(t, dir, "memory", "2026-03-01.md"); !strings.Contains(got, "A fact.") {
		t.Errorf("got %q", got)
	}
}

func TestEraseAll(t *testing.T) {
	testfiles.OnDisk(t)
	w, dir := desk(t)
	must(t, w.EraseAll(t.Context())) // nothing is there
	must(t, w.AppendDayLog(fact("tea", "preference", "Anna takes tea.")))
	write(t, "mine", dir, "notes.md")
	must(t, w.EraseAll(t.Context()))
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is there: %v", err)
	}
	elsewhere := t.TempDir()
	if err := os.Symlink(elsewhere, dir); err != nil {
		t.Skip(err) // a system that does not let everybody link
	}
	must(t, w.AppendDayLog(fact("tea", "preference", "Anna takes tea.")))
	must(t, w.EraseAll(t.Context()))
	left, err := testfiles.ReadDir(elsewhere)
	if _, gone := os.Lstat(dir); err != nil || len(left) > 0 || !errors.Is(gone, fs.ErrNotExist) {
		t.Errorf("left %v, %v; the link: %v", left, err, gone)
	}
}
