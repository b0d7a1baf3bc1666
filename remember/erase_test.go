package remember_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcp-memory/embed"
	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/workspace"
)

// traces returns the files of the data directory that have a word in them, as
// it is or in lower case.
func (b *bank) traces(word string) (names []string) {
	b.t.Helper()
	err := filepath.WalkDir(b.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := testfiles.ReadFile(path)
		if bytes.Contains(bytes.ToLower(content), []byte(strings.ToLower(word))) {
			names = append(names, filepath.Base(path))
		}
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return names
}

// cleared waits until nothing of what was erased is left in the files, as the background does.
func cleared(t *testing.T, store memory.Store) {
	t.Helper()
	if err := store.Scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	if st, err := store.Stats(t.Context(), "anna"); err != nil || st.ErasePending {
		t.Fatalf("something of what was erased is still in the files, %v", err)
	}
}

// fillWith saves facts that have nothing to do with the rest of a test.
func (b *bank) fillWith(from, to int) {
	for i := from; i < to; i++ {
		b.save(remember.SaveRequest{Content: fmt.Sprintf("Invoice %d of the harbour café was paid in %d instalments.", i, i%7+2),
			Quiet: i%5 > 0})
	}
}

func TestNoFileHasWhatWasErased(t *testing.T) {
	for name, embedder := range map[string]memory.Embedder{"vectors at once": embed.NewBuiltin(),
		"vectors later": remote{embed.NewBuiltin()}} {
		t.Run(name, func(t *testing.T) {
			const secret = "Zyqolumbrava" // not a word that is cut to a stem
			b := newBankWith(t, embedder)
			files := testfiles.Open(b.dir, "anna")
			b.fillWith(0, 200)
			first := b.say("Anna's locker opens with Zyqolumbrava.")
			b.fillWith(200, 320)
			text := "Anna's locker opens with Zyqolumbrava, whispered twice." + strings.Repeat(" It is large.", 800)
			second, err := b.Update(t.Context(), anna, remember.UpdateRequest{ID: first.ID, Content: &text})
			if err != nil {
				t.Fatal(err)
			}
			// A kept result shows it as similar.
			near := b.save(remember.SaveRequest{Content: "Anna's locker opens with a key, whispered twice." +
				strings.Repeat(" It is large.", 800), IdempotencyKey: "k"})
			if len(near.Similar) == 0 {
				t.Error("nothing is similar")
			}
			learned := b.save(remember.SaveRequest{Content: "Say zyqolumbrava\nsoftly.", Kind: memory.KindLearning,
				KindDetails: memory.KindDetails{Learning: &memory.LearningDetails{Type: memory.LearningError,
					Context: "zyqolumbrava failed", Tool: "zyqolumbrava"}}})
			for name, id := range map[string]string{workspace.ErrorsFile: learned.ID, workspace.MemoryFile: second.ID} {
				put := workspace.Settlement{Put: []memory.Record{b.record(id).Record}}
				err := files.Reconcile(t.Context(), name, b.now, func(workspace.Edits) (workspace.Settlement, error) { return put, nil })
				if err != nil {
					t.Fatal(err)
				}
			}
			b.fillWith(320, 570)
			if found := b.traces(secret); !slices.Contains(found, "2026-03-01.md") || !slices.Contains(found, "MEMORY.md") ||
				!slices.Contains(found, "errors.md") {
				t.Fatalf("before: %v", found)
			}

			got := b.forget(remember.ForgetRequest{IDs: []string{second.ID, learned.ID}, Permanent: true, Confirm: true})
			if want := []string{second.ID, first.ID, learned.ID}; !slices.Equal(got.IDs, want) {
				t.Errorf("%+v, want %v", got, want)
			}
			if got.Pending { // on a slow machine
				cleared(t, b.store)
			}
			if found := b.traces(secret[:10]); len(found) > 0 {
				t.Errorf("still in %v", found)
			}
			if lines := b.dayLog(); len(lines) != 114+1 { // every fifth invoice, and what is near
				t.Errorf("%d lines are left in the day's log", len(lines))
			}
			if again := b.search("instalments", memory.Filter{}); len(again) == 0 {
				t.Error("the rest is not found any more")
			}
		})
	}
}

// A text is erased everywhere or nowhere, but for what a person wrote.
func TestErasingNeedsTheFiles(t *testing.T) {
	testfiles.OnDisk(t)
	b := newBank(t)
	saved := b.say("Anna's locker opens with zyqolumbrava.")
	text := "zyqolumbrava"
	if err := testfiles.WriteFile(b.dayLogPath(), append([]byte("My own note of "+text+".\n"), mustRead(t, b.dayLogPath())...),
		0o400); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(b.dayLogPath(), 0o400); err != nil {
		t.Fatal(err)
	}
	request := remember.ForgetRequest{IDs: []string{saved.ID}, Permanent: true, Confirm: true}
	_, err := b.Forget(t.Context(), anna, request)
	wantCode(t, err, memory.CodeForbidden)
	if b.record(saved.ID).Content == "" {
		t.Error("it is gone all the same")
	}
	if err := os.Chmod(b.dayLogPath(), 0o600); err != nil {
		t.Fatal(err)
	}
	b.forget(request)
	cleared(t, b.store)
	if found := b.traces(text); len(found) != 1 || found[0] != filepath.Base(b.dayLogPath()) {
		t.Errorf("in %v, want only the person's note", found)
	}
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	content, err := testfiles.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
