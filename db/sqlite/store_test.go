package sqlite

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcp-memory/internal/template"
	"mcp-memory/memory"
)

var (
	start = time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	ids   = memory.NewIDs(clock)
)

func clock() time.Time { return start }

// embedder returns a fingerprint of that many dimensions.
func embedder(dimensions int) memory.Fingerprint {
	return memory.Fingerprint{Model: "test", Dimensions: dimensions}
}

// openAt opens a store in a file and closes it after the test.
func openAt(t testing.TB, path string, dimensions int) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, Options{Embedder: embedder(dimensions), Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func newStore(t testing.TB, dimensions int) *Store {
	t.Helper()
	return openAt(t, empty(filepath.Join(t.TempDir(), "memory.db"), Options{Embedder: embedder(dimensions), Clock: clock}), dimensions)
}

// empty has an empty database at a path where no file is, and returns the path.
func empty(path string, o Options) string {
	return template.At(path, fmt.Sprint(o.Embedder), func(path string) error {
		s, err := Open(context.Background(), path, o)
		if err != nil {
			return err
		}
		return s.Close()
	})
}

func fact(agent, content string) memory.Record {
	return memory.Record{
		ID: ids.New(), Agent: agent, Kind: memory.KindFact, Category: memory.CategoryOther, Content: content,
		Importance: memory.DefaultImportance, Source: memory.SourceUser, Confirmations: 1, CreatedAt: start,
	}
}

// insert saves facts with one vector in one transaction.
func insert(t testing.TB, s *Store, vector []float32, records ...memory.Record) {
	t.Helper()
	err := s.Write(t.Context(), records[0].Agent, func(tx memory.Tx) error {
		for _, r := range records {
			if err := tx.InsertRecord(r, vector); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// unit draws a vector of length 1.
func unit(random *rand.Rand, dimensions int) []float32 {
	v := make([]float32, dimensions)
	for i := range v {
		v[i] = float32(random.NormFloat64())
	}
	return normal(v)
}

func normal(v []float32) []float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return v
}

// lexicon draws words of which few are common, as in a language.
type lexicon struct {
	random *rand.Rand
	zipf   *rand.Zipf
}

func newLexicon(seed uint64) lexicon {
	random := rand.New(rand.NewPCG(seed, seed))
	return lexicon{random, rand.NewZipf(random, 1.1, 20, 20000)}
}

func (l lexicon) word() string {
	n := l.zipf.Uint64()
	syllables := []string{"ba", "ker", "mo", "lin", "tra", "sel", "vo", "din", "ha", "rup"}
	var b strings.Builder
	for n += 10; n > 0; n /= 10 {
		b.WriteString(syllables[n%10])
	}
	return b.String()
}

// sentence is about length characters long.
func (l lexicon) sentence(length int) string {
	var b strings.Builder
	for b.Len() < length {
		b.WriteString(l.word() + " ")
	}
	return strings.TrimSpace(b.String()) + "."
}

// integrity runs SQLite's check of the file and FTS5's of each text index.
func integrity(t testing.TB, s *Store) {
	t.Helper()
	var result string
	if err := s.read.QueryRowContext(t.Context(), `PRAGMA integrity_check`).Scan(&result); err != nil || result != "ok" {
		t.Errorf("integrity_check: %s, %v", result, err)
	}
	for _, c := range memory.Corpora() {
		for _, index := range []string{"_words", "_parts"} {
			table := string(c) + index
			err := s.writer.do(t.Context(), func(w *writer) error {
				return w.script(t.Context(), fmt.Sprintf("INSERT INTO %[1]s (%[1]s) VALUES ('integrity-check')", table))
			})
			if err != nil {
				t.Errorf("integrity-check of %s: %v", table, err)
			}
		}
	}
}

func TestIntegrityAfterMixedWrites(t *testing.T) {
	s := newStore(t, 16)
	words, random := newLexicon(1), rand.New(rand.NewPCG(1, 2))
	var stored []string
	for range 40 {
		err := s.Write(t.Context(), "ann", func(tx memory.Tx) error {
			for range 10 {
				if len(stored) > 0 && random.IntN(3) == 0 {
					if err := tx.EraseRecord(stored[0]); err != nil {
						return err
					}
					stored = stored[1:]
					continue
				}
				r := fact("ann", words.sentence(80)+" 東京都 "+words.word()+"_"+words.word())
				stored = append(stored, r.ID)
				if err := tx.InsertRecord(r, unit(random, 16)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	integrity(t, s)
	for _, table := range []string{"records", s.vector.table(memory.Memories), "memories_words", "memories_parts"} {
		if n := count(t, s, table); n != len(stored) {
			t.Errorf("%d rows in %s, want %d", n, table, len(stored))
		}
	}
}

func count(t testing.TB, s *Store, table string) (n int) {
	t.Helper()
	if err := s.read.QueryRowContext(t.Context(), `SELECT count(*) FROM `+table).Scan(&n); err != nil {
		t.Fatalf("count %s: %v", table, err)
	}
	return n
}

func TestPathsAndModes(t *testing.T) {
	for _, name := range []string{"memory.db", "with space.db", "a?b=c&mode=ro", "#frag", "100%25%zz", "größe 記憶.db", "'\";--", "file:x",
		"_pragma=x"} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), name)
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			s := openAt(t, filepath.Join(dir, name), 8)
			insert(t, s, nil, fact("ann", "x"))
			for _, file := range []string{name, name + "-wal", name + "-shm"} {
				info, err := os.Stat(filepath.Join(dir, file))
				if err != nil {
					t.Fatal(err)
				}
				if info.Mode().Perm() != 0o600 {
					t.Errorf("%s has mode %v", file, info.Mode())
				}
			}
			s.Close()
			entries, err := os.ReadDir(dir)
			if err != nil || len(entries) != 1 {
				t.Errorf("left behind: %v, %v", entries, err)
			}
			insert(t, openAt(t, filepath.Join(dir, name), 8), nil, fact("ann", "y"))
		})
	}
}

func TestRelativePath(t *testing.T) {
	t.Chdir(t.TempDir())
	s := openAt(t, "memory.db", 8)
	t.Chdir(t.TempDir())
	insert(t, s, nil, fact("ann", "x")) // later connections, another directory
	if n := count(t, s, "records"); n != 1 {
		t.Errorf("%d records", n)
	}
}

// TestWordsOfNarrowFilter: rare words are preferred among many documents, but
// not to the loss of the only ones that pass the filter.
func TestWordsOfNarrowFilter(t *testing.T) {
	s := newStore(t, 8)
	var all []memory.Record
	for i := range 2000 {
		all = append(all, fact("ann", fmt.Sprint("ferry harbour island ", i)))
	}
	all = append(all, fact("ann", "A zebra."), fact("ann", "A zebra swims."))
	target := fact("ann", "The island is far.")
	target.Category = "goal"
	insert(t, s, nil, append(all, target)...)
	f := memory.Filter{Agent: "ann", Categories: []string{"goal"}}
	hits, err := s.MatchWords(context.Background(), memory.Memories, f, []string{"zebra", "ferry", "harbour", "island"}, 10)
	if err != nil || len(hits) != 1 {
		t.Errorf("%v, %v", hits, err)
	}
}
