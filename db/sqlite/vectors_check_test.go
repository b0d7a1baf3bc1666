package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
)

// flip changes one bit of a blob in a table of a closed file.
func flip(t *testing.T, path, table, column string, at, bit int) {
	t.Helper()
	changeBlob(t, path, fmt.Sprintf(`SELECT _rowid_, %s FROM %s LIMIT 1`, column, table),
		fmt.Sprintf(`UPDATE %s SET %s = ? WHERE _rowid_ = ?`, table, column), func(blob []byte) { blob[at] ^= 1 << bit })
}

// TestEveryBitOfAVector flips bits of what the tables of vectors have of five documents, in each of them, with either
// compact form. SQLite finds nothing wrong with any; the examination does.
func TestEveryBitOfAVector(t *testing.T) {
	for _, dimensions := range []int{8, 512} {
		original := filepath.Join(t.TempDir(), "memory.db")
		s := openAt(t, original, dimensions)
		random := rand.New(rand.NewPCG(9, 9))
		for i := range 5 {
			insert(t, s, unit(random, dimensions), fact("ann", fmt.Sprintf("Ferry %d leaves.", i)))
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if said := broken(Examine(t.Context(), original)); said != "" {
			t.Fatal(said)
		}
		coarse := 5 * dimensions // bytes
		if dimensions == 512 {
			coarse = 5 * dimensions / 8
		}
		for _, place := range []struct {
			table, column string
			bytes         int // in use
		}{
			{"chunks", "validity", 1}, {"chunks", "rowids", 5 * 8},
			{"vector_chunks00", "vectors", coarse}, {"vector_chunks01", "vectors", 5 * 4 * dimensions},
		} {
			for range 6 {
				path := copyTo(t, original)
				at, bit := random.IntN(place.bytes), random.IntN(8)
				flip(t, path, "vectors_1_memories_"+place.table, place.column, at, bit)
				if said := broken(Examine(t.Context(), path)); !strings.HasPrefix(said, "vectors: vectors_1_memories has ") {
					t.Errorf("%d dimensions: bit %d of byte %d of %s.%s is not noticed: %q", dimensions, bit, at, place.table,
						place.column, said)
				}
			}
		}
	}
}

// TestVectorsWithoutSums: those that an earlier version has stored are compared with each other only.
func TestVectorsWithoutSums(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := openAt(t, path, 8)
	insert(t, s, unit(rand.New(rand.NewPCG(9, 9)), 8), fact("ann", "The ferry leaves."))
	if err := s.writer.do(t.Context(), func(w *writer) error {
		return w.exec(t.Context(), `UPDATE vectors_1_memories_rowids SET id = NULL`)
	}); err != nil {
		t.Fatal(err)
	}
	wrong, err := wrongVectors(t.Context(), s.read, s.vector, memory.Memories)
	if wrong != 0 || err != nil {
		t.Error(wrong, err)
	}
}

// TestVectorsAreExaminedAtOneMoment: others save and erase meanwhile, and nothing is called wrong because of it.
func TestVectorsAreExaminedAtOneMoment(t *testing.T) {
	s := newStore(t, 8)
	random := rand.New(rand.NewPCG(9, 9))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	done := make(chan error, 1)
	go func() {
		for i := 0; ctx.Err() == nil; i++ {
			r := fact("ann", fmt.Sprintf("Ferry %d leaves.", i))
			vector := unit(random, 8)
			err := s.Write(context.Background(), "ann", func(tx memory.Tx) error { return tx.InsertRecord(r, vector) })
			if err == nil && i%2 == 0 {
				err = s.Write(context.Background(), "ann", func(tx memory.Tx) error { return tx.EraseRecord(r.ID) })
			}
			if err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	db, err := openToRead(t.Context(), s.path, time.Second, "mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for range 300 {
		e := examination{path: s.path, db: db, handle: db}
		if err := e.vectors(t.Context()); err != nil || e.findings[0].Condition != memory.ConditionOK {
			t.Fatalf("%+v, %v", e.findings, err)
		}
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
