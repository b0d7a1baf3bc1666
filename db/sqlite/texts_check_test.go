package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// changeBlob changes one blob in a closed file: that of the row which a query finds by its number.
func changeBlob(t *testing.T, path, query, update string, change func(blob []byte)) {
	t.Helper()
	db, err := OpenDriver(dsn(path, time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ctx := context.WithoutCancel(t.Context())
	var row int64
	var blob []byte
	if err := db.QueryRowContext(ctx, query).Scan(&row, &blob); err != nil {
		t.Fatal(err)
	}
	change(blob)
	if _, err := db.ExecContext(ctx, update, blob, row); err != nil {
		t.Fatal(err)
	}
}

// alter changes the largest block of a text index in a closed file.
func alter(t *testing.T, path, index string, change func(block []byte)) {
	t.Helper()
	changeBlob(t, path, `SELECT id, block FROM `+index+`_data WHERE id > 10 ORDER BY length(block) DESC LIMIT 1`, `UPDATE `+index+`_data SET block = ? WHERE id = ?`, change)
}

// TestOtherThingsInATextIndex changes one bit in a text index, of which SQLite notices one in three
// only: where words find other documents after that, the examination says so but for letters.
func TestOtherThingsInATextIndex(t *testing.T) {
	original := closedFile(t, 60)
	if said := broken(Examine(t.Context(), original)); said != "" {
		t.Fatal(said)
	}
	before := map[string]map[string]string{}
	for _, index := range []string{"memories_words", "memories_parts"} {
		before[index] = entriesIn(t, original, index)
	}
	silent, harmful := 0, 0
	random := rand.New(rand.NewPCG(30, 30))
	for i := range 200 {
		index := []string{"memories_words", "memories_parts"}[i%2]
		path := copyTo(t, original)
		alter(t, path, index, func(block []byte) {
			block[random.IntN(len(block))] ^= 1 << random.IntN(8)
		})
		after := entriesIn(t, path, index)
		if after != nil && fmt.Sprint(after) == fmt.Sprint(before[index]) {
			continue // it changed nothing
		}
		harmful++
		if said := broken(Examine(t.Context(), path)); said == "" {
			silent++
		} else if !strings.Contains(said, index) {
			t.Errorf("%s is not named: %s", index, said)
		}
	}
	if harmful < 30 || silent*4 > harmful { // a letter of a word that has become another
		t.Errorf("%d of %d changes are not noticed", silent, harmful)
	}
}

// entriesIn are the words of an index, with the documents that they find; nil if it cannot be read.
func entriesIn(t *testing.T, path, index string) map[string]string {
	t.Helper()
	db, err := openToRead(t.Context(), path, time.Second, "mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), `CREATE VIRTUAL TABLE temp.found USING fts5vocab(main, `+index+`, instance)`); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	err = queryEach(t.Context(), db, func(row rows.Row) error {
		var term, doc string
		err := row.Scan(&term, &doc)
		found[term] += " " + doc
		return err
	}, `SELECT term, doc FROM temp.found`)
	if err != nil {
		return nil
	}
	return found
}

// TestTheCaretakerComparesIndexes lets a running store come across what is sound for SQLite: a
// vector of zeros, and a text index with a word less. Both are made anew.
func TestTheCaretakerComparesIndexes(t *testing.T) {
	original := filepath.Join(t.TempDir(), "memory.db")
	s := openAt(t, original, 8)
	for i := range 20 {
		insert(t, s, unit(rand.New(rand.NewPCG(9, uint64(i))), 8), fact("ann", fmt.Sprintf("Ferry %d leaves.", i)))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for name, harm := range map[string]func(path string){
		"vectors_1_memories": func(path string) { zero(t, path, "vectors_1_memories_vector_chunks01", "vectors", 20*4*8) },
		"memories_words":     func(path string) { lessOne(t, path, "memories_words") },
	} {
		t.Run(name, func(t *testing.T) {
			path := copyTo(t, original)
			harm(path)
			if said := broken(Examine(t.Context(), path)); !strings.Contains(said, name) {
				t.Fatalf("the examination says %q", said)
			}
			s := openAt(t, path, 8)
			noticed := false
			h := lookedUntil(t, s, func(h memory.Health) bool {
				noticed = noticed || h.Broken()
				return noticed && !h.Broken()
			})
			if !noticed || h.Broken() {
				t.Errorf("noticed: %v, then %+v", noticed, h)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if said := broken(Examine(t.Context(), path)); said != "" {
				t.Error(said)
			}
		})
	}
}

// zero clears the beginning of a blob in a table of a closed file.
func zero(t *testing.T, path, table, column string, length int) {
	t.Helper()
	db, err := OpenDriver(dsn(path, time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	text := fmt.Sprintf(`UPDATE %[1]s SET %[2]s = CAST(zeroblob(%[3]d) || substr(%[2]s, %[3]d + 1) AS BLOB) WHERE _rowid_ = 1`, table, column, length)
	if _, err := db.ExecContext(t.Context(), text); err != nil {
		t.Fatal(err)
	}
}

// lessOne takes an entry out of a text index and lets it say that it is there.
func lessOne(t *testing.T, path, index string) {
	t.Helper()
	db, err := OpenDriver(dsn(path, time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	text := fmt.Sprintf(`UPDATE %s_docsize SET sz = x'09' WHERE id = (SELECT min(id) FROM %[1]s_docsize)`, index)
	if _, err := db.ExecContext(t.Context(), text); err != nil {
		t.Fatal(err)
	}
}
