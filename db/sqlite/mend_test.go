package sqlite

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"mcp-memory/db/sqlite/pages"
	"mcp-memory/memory"
)

// pageOf returns a page of a table or index of a closed file, the last leaf of it.
func pageOf(t *testing.T, path, name string) int {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	s := salvage{file: pages.New(f, info.Size()), visited: map[uint32]bool{}, owner: map[string]string{}}
	n := s.roots()[name]
	for {
		tree, err := s.file.Tree(n)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(tree.Children) == 0 {
			return int(n)
		}
		n = tree.Children[len(tree.Children)-1]
	}
}

// storedVectors counts the vectors of memories.
func storedVectors(t *testing.T, s *Store) (n int) {
	t.Helper()
	if err := s.read.QueryRowContext(t.Context(), `SELECT count(*) FROM vectors_1_memories`).Scan(&n); err != nil {
		t.Error(err)
	}
	return n
}

// TestDerivedIsMadeAnew damages a page of each derived table and index in turn. A save that
// meets it fails once at most; the file is sound afterwards, and everything is found again.
func TestDerivedIsMadeAnew(t *testing.T) {
	t.Parallel()
	original := richFileWith(t, 2)
	want := contents(t, original)
	sound := openAt(t, copyTo(t, original), 8)
	vectors := storedVectors(t, sound)
	for _, name := range []string{
		"records_by_content", "records_by_kind", "records_salient", "records_by_successor",
		"sqlite_autoindex_records_1", "sqlite_autoindex_turns_1", "sqlite_autoindex_turns_2",
		"turns_unarchived", "memories_words_data", "memories_words_docsize",
		"memories_parts_data", "conversations_words_data", "conversations_parts_idx",
		"memories_terms", "corpus_totals", "record_counts", "record_slots",
		"vectors_1_memories_rowids", "vectors_1_memories_chunks", "vectors_1_memories_vector_chunks01",
	} {
		t.Run(name, func(t *testing.T) {
			path := copyTo(t, original)
			damage(t, path, pageOf(t, path, name), rand.New(rand.NewPCG(3, 3)))
			s := openAt(t, path, 8)
			saved := 0
			vector := unit(rand.New(rand.NewPCG(5, 5)), 8)
			for i := range 6 {
				r := fact("agent1", fmt.Sprintf("I live in harbour number %d.", i))
				err := s.Write(t.Context(), "agent1", func(tx memory.Tx) error { return tx.InsertRecord(r, vector) })
				if err == nil {
					saved++
					want["record "+r.ID+" of agent1"] = r.Content
					defer delete(want, "record "+r.ID+" of agent1")
				} else if memory.CodeOf(err) != memory.CodeUnavailable {
					t.Error(err)
				}
			}
			if saved < 5 {
				t.Errorf("%d of 6 saves", saved)
			}
			// The caretaker finds what no save has met.
			if h := lookedUntil(t, s, func(h memory.Health) bool { return !h.Broken() }); h.Broken() {
				t.Errorf("not mended: %+v", h)
			}
			// What is sound is not made anew, least of all what an embedder would have to do again.
			if n := storedVectors(t, s); !strings.HasPrefix(name, "vectors_") && n != vectors+saved {
				t.Errorf("%d vectors, of %d and those of %d saves", n, vectors, saved)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if said := broken(Examine(t.Context(), path)); said != "" {
				t.Error(said)
			}
			if got := contents(t, path); len(got) != len(want) {
				t.Errorf("%d documents, want %d", len(got), len(want))
			}
		})
	}
}
