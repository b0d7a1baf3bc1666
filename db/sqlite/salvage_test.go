package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/db/sqlite/pages"
	"mcp-memory/memory"
)

// richFile makes a closed database with something of everything and returns its path.
func richFile(t testing.TB) string { return richFileWith(t, 12) }

// richFileWith is richFile with so many of the texts that reach into overflow pages.
func richFileWith(t testing.TB, long int) string {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := openAt(t, path, 8)
	words, random := newLexicon(4), rand.New(rand.NewPCG(4, 4))
	for i := range 120 {
		r := fact(fmt.Sprint("agent", i%3), words.sentence(60))
		r.ExternalID = fmt.Sprint("entry-", i)
		if i%(120/long) == 0 {
			r.Content = words.sentence(12_000)
		}
		insert(t, s, unit(random, 8), r)
	}
	err := s.Write(t.Context(), "agent1", func(tx memory.Tx) error {
		var turns []memory.Turn
		for i := range 60 {
			turns = append(turns, memory.Turn{
				ID: fmt.Sprintf("turn-%03d", i), Agent: "agent1", Session: "s",
				Speaker: "Ann", Role: "user", Content: words.sentence(200), SaidAt: start, CreatedAt: start,
			})
		}
		if _, err := tx.InsertTurns(turns, nil); err != nil {
			return err
		}
		return tx.KeepResult("save", "key", []byte(`{}`))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// damageSeeds are the seeds of files that get a damaged page. MCP_MEMORY_DAMAGE_SEEDS gives more.
func damageSeeds() []int {
	n, err := strconv.Atoi(os.Getenv("MCP_MEMORY_DAMAGE_SEEDS"))
	if err != nil {
		n = 8
	}
	seeds := []int{236, 237} // another text's page, and zeros, in the place of the end of a long row
	for seed := range n {
		seeds = append(seeds, seed)
	}
	return seeds
}

// broken are the findings of a file that say that something is.
func broken(findings []memory.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		if f.Condition == memory.ConditionBroken {
			fmt.Fprintf(&b, "%s: %s\n", f.Check, f.Detail)
		}
	}
	return b.String()
}

func contents(t *testing.T, path string) map[string]string {
	t.Helper()
	s := openAt(t, path, 8)
	defer s.Close()
	all := map[string]string{}
	for i := range 3 {
		agent := fmt.Sprint("agent", i)
		if err := s.EachRecord(t.Context(), agent,
			func(r memory.Record) error { all["record "+r.ID+" of "+agent] = r.Content; return nil }); err != nil {
			t.Fatal(err)
		}
		if err := s.EachTurn(t.Context(), agent,
			func(m memory.Turn) error { all["turn "+m.ID+" of "+agent] = m.Content; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func copyTo(t *testing.T, from string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "memory.db")
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// TestDamageIsFoundAndMended overwrites a page of a copy again and again: with chance,
// with nothing, or with another page. Each time the examination notices it, what comes out
// of the salvage is sound, and every row is there or named as lost.
func TestDamageIsFoundAndMended(t *testing.T) {
	t.Parallel()
	original := richFile(t)
	if said := broken(Examine(t.Context(), original)); said != "" {
		t.Fatalf("a sound file: %s", said)
	}
	want := contents(t, original)
	info, err := os.Stat(original)
	if err != nil {
		t.Fatal(err)
	}
	count := int(info.Size() / 4096)
	lostMost := 0
	for _, seed := range damageSeeds() {
		random := rand.New(rand.NewPCG(uint64(seed), 7))
		n := 1 + random.IntN(count) // 1 is the schema's
		path := copyTo(t, original)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		page := text[(n-1)*4096 : n*4096]
		if n == 1 {
			page = page[100:] // without a header it is no database: TestRefusedFiles
		}
		kind := random.IntN(3)
		switch kind {
		case 0:
			for i := range page {
				page[i] = byte(random.Uint32())
			}
		case 1:
			clear(page)
		case 2:
			copy(page[:200], text[(1+random.IntN(count-1))*4096:])
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if string(text[(n-1)*4096:n*4096]) == readPage(t, original, n) {
			continue
		}
		said := broken(Examine(t.Context(), path))
		if said == "" && (kind != 2 || !maps.Equal(contents(t, path), want)) { // an index without entries has room for anything
			t.Errorf("seed %d, page %d of %d: not noticed", seed, n, count)
		}
		to := filepath.Join(t.TempDir(), "new.db")
		report, err := Salvage(t.Context(), path, to, Options{Embedder: embedder(8), Clock: clock})
		if err != nil {
			t.Errorf("seed %d, page %d: salvage: %v (%s)", seed, n, err, said)
			continue
		}
		// What overflow pages have is part of a text: that it is another one is said, and found again.
		for _, f := range Examine(t.Context(), to) {
			if f.Condition == memory.ConditionBroken &&
				(f.Check != contentsCheck || strings.Count(f.Detail, "is not what was saved") != len(report.Changed)) {
				t.Errorf("seed %d, page %d: what was salvaged: %+v", seed, n, f)
			}
		}
		got := contents(t, to)
		named := strings.Join(report.Lost, "\n")
		missing := 0
		for name, content := range want {
			if got[name] == "" {
				if missing++; !strings.Contains(named, name) {
					t.Errorf("seed %d, page %d: %s is lost, which is not said (%s)", seed, n, name, said)
				}
			} else if (got[name] != content) != slices.Contains(report.Changed, name) {
				t.Errorf("seed %d, page %d: %s is not what it was, or is, and the opposite is said", seed, n, name)
			}
			delete(got, name)
		}
		if len(got) > 0 {
			t.Errorf("seed %d, page %d: %d rows too many", seed, n, len(got))
		}
		lostMost = max(lostMost, missing)
	}
	t.Logf("%d pages; at most %d of %d rows were lost by one of them", count, lostMost, len(want))
}

func readPage(t *testing.T, path string, n int) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text[(n-1)*4096 : n*4096])
}

// What is only in the log is salvaged too, also when the file is gone.
func TestSalvageOfLog(t *testing.T) {
	for _, lose := range []bool{false, true} {
		s := newStore(t, 8)
		insert(t, s, nil, fact("agent0", "The harbour closes at nine."))
		path := copyTo(t, s.path)
		log, err := os.ReadFile(s.path + "-wal")
		if err == nil {
			err = os.WriteFile(path+"-wal", append(log, "half a frame"...), 0o600)
		}
		if err == nil && lose {
			err = os.WriteFile(path, nil, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(t.TempDir(), "new.db")
		if _, err := Salvage(context.WithoutCancel(t.Context()), path, to, Options{Embedder: embedder(8), Clock: clock}); err != nil {
			t.Fatal(err)
		}
		if got := contents(t, to); len(got) != 1 {
			t.Errorf("lost %v: %v", lose, got)
		}
	}
}

// TestLostNamesAreCounted: the index with the names is lost, and a page of rows. Other indexes tell how many those were.
func TestLostNamesAreCounted(t *testing.T) {
	path := richFile(t)
	db, err := OpenDriver(dsn(path, time.Second))
	if err != nil {
		t.Fatal(err)
	}
	roots, err := queryAll(t.Context(), db, rows.ScanInt64, `SELECT rootpage FROM sqlite_schema WHERE name = 'records'
		UNION ALL SELECT rootpage FROM sqlite_schema WHERE name LIKE 'sqlite_autoindex_records_%'`)
	if err := errors.Join(err, db.Close()); err != nil || len(roots) < 2 {
		t.Fatal(roots, err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	tree := func(n uint32) *pages.Tree {
		tree, err := pages.New(bytes.NewReader(text), int64(len(text))).Tree(n)
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	var wipe func(n uint32)
	wipe = func(n uint32) {
		for _, child := range tree(n).Children {
			wipe(child)
		}
		clear(text[(n-1)*4096 : n*4096])
	}
	for _, root := range roots[1:] {
		wipe(uint32(root))
	}
	leaf := uint32(roots[0])
	for len(tree(leaf).Children) > 0 {
		leaf = tree(leaf).Children[0]
	}
	lost := len(tree(leaf).Cells)
	wipe(leaf)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	report, err := Salvage(t.Context(), path, filepath.Join(t.TempDir(), "new.db"), Options{Embedder: embedder(8), Clock: clock})
	if err != nil || lost == 0 || report.Unnamed != lost || len(report.Lost) != 0 || report.Rows["records"] != 120-lost {
		t.Errorf("%d are lost: %+v, %v", lost, report, err)
	}
}
