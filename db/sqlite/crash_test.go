package sqlite

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"

	"mcp-memory/memory"
)

// crashFile names the database to a process that TestKilledWriters starts.
const (
	crashFile  = "MCP_MEMORY_TEST_CRASH_FILE"
	crashName  = "MCP_MEMORY_TEST_CRASH_NAME"
	crashSaves = 50
	crashEarly = 15 // saves before a kill
	crashCrew  = 4  // goroutines that save at once
)

func TestMain(m *testing.M) {
	if path := os.Getenv(crashFile); path != "" {
		if err := writeUntilKilled(path, os.Getenv(crashName)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	debug.SetGCPercent(400) // as in a command; less of the time goes into collecting garbage
	os.Exit(m.Run())
}

// writeUntilKilled saves records, several at once, and prints the word that
// only the record has as soon as the save is acknowledged.
func writeUntilKilled(path, name string) error {
	ctx := context.Background()
	s, err := Open(ctx, path, Options{Embedder: embedder(8), Clock: clock})
	if err != nil {
		return err
	}
	var crew sync.WaitGroup
	failed := make(chan error, crashSaves)
	for member := range crashCrew {
		crew.Go(func() {
			for n := member; n < crashSaves; n += crashCrew {
				word := fmt.Sprintf("w%sx%d", name, n)
				r := fact("ann", "The harbour has a "+word+" now.")
				vector := normal([]float32{1, float32(n), 0, 0, 1, 0, 0, 1})
				if err := s.Write(ctx, "ann", func(tx memory.Tx) error { return tx.InsertRecord(r, vector) }); err != nil {
					failed <- err
					return
				}
				fmt.Println(word)
			}
		})
	}
	crew.Wait()
	close(failed)
	return errors.Join(<-failed, s.Close())
}

// TestKilledWriters: four processes save to one file, two of them are killed
// in the middle and start again. What was acknowledged is there, once, in
// every index.
func TestKilledWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	var mu sync.Mutex
	acknowledged := map[string]bool{}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			lives := []int{crashSaves}
			if i < 2 {
				lives = []int{crashEarly, crashSaves}
			}
			for life, saves := range lives {
				words, err := runWriter(t, path, strconv.Itoa(10*i+life), saves)
				if err != nil {
					t.Errorf("writer %d: %v", i, err)
				}
				mu.Lock()
				for _, w := range words {
					acknowledged[w] = true
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()

	s := openAt(t, path, 8)
	integrity(t, s)
	// Killed writers may have saved more than they could say.
	if n := len(acknowledged); n < 4*crashSaves+2*crashEarly || n > 6*crashSaves {
		t.Errorf("%d saves were acknowledged", n)
	}
	total := count(t, s, "records")
	if total < len(acknowledged) || total > len(acknowledged)+2*crashCrew {
		t.Errorf("%d records, %d were acknowledged", total, len(acknowledged))
	}
	f := memory.Filter{Agent: "ann"}
	for word := range acknowledged {
		words, err := s.MatchWords(t.Context(), memory.Memories, f, []string{word}, 10)
		if err != nil || len(words) != 1 {
			t.Fatalf("word %s: %v, %v", word, words, err)
		}
		parts, err := s.MatchSubstrings(t.Context(), memory.Memories, f, []string{word}, 500)
		if err != nil || len(parts) == 0 {
			t.Fatalf("part %s: %v, %v", word, parts, err)
		}
		docs, err := s.Documents(t.Context(), memory.Memories, f, []int64{words[0].Seq})
		if err != nil || len(docs) != 1 || !strings.Contains(docs[0].Content, word+" ") {
			t.Fatalf("record of %s: %v, %v", word, docs, err)
		}
		vectors, err := s.Vectors(t.Context(), "ann", memory.Memories, []int64{words[0].Seq})
		if err != nil || len(vectors) != 1 {
			t.Fatalf("vector of %s: %v, %v", word, vectors, err)
		}
	}
	for _, table := range []string{"memories_words", "memories_parts", s.vector.table(memory.Memories)} {
		if n := count(t, s, table); n != total {
			t.Errorf("%d rows in %s, want %d", n, table, total)
		}
	}
	stats, err := s.Statistics(t.Context(), "ann", memory.Memories, []string{"harbour"})
	if err != nil || stats.Documents != total || stats.Frequency["harbour"] != total {
		t.Errorf("%+v, %v; want %d", stats, err, total)
	}
}

// runWriter starts a writer, reads what it acknowledges and kills it after
// that many, or waits for its end where it makes no more.
func runWriter(t *testing.T, path, name string, saves int) (words []string, err error) {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), crashFile+"="+path, crashName+"="+name)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		words = append(words, lines.Text())
		if len(words) == saves && saves < crashSaves {
			_ = cmd.Process.Kill()
		}
	}
	err = cmd.Wait()
	if saves < crashSaves {
		return words, nil // killed
	}
	return words, err
}

// TestSecondStoreKeepsLocks: a process that closes any descriptor of a file
// loses its POSIX locks on it, and checkFile does so for a second store. No
// other process may then take the write-ahead log away under the first.
func TestSecondStoreKeepsLocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := openAt(t, path, 8)
	openAt(t, path, 8).Close()
	if _, err := runWriter(t, path, "1", crashSaves); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + "-wal"); err != nil {
		t.Fatalf("another process removed the log of a store in use: %v", err)
	}
	insert(t, s, nil, fact("ann", "last"))
	if _, err := runWriter(t, path, "2", crashSaves); err != nil {
		t.Fatal(err)
	}
	if n := count(t, s, "records"); n != 2*crashSaves+1 {
		t.Errorf("%d records, want %d", n, 2*crashSaves+1)
	}
}
