package sqlite

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"mcp-memory/memory"
)

// config reads a setting of a text index.
func config(t *testing.T, s *Store, index, key string) (value int) {
	t.Helper()
	if err := s.read.QueryRowContext(t.Context(), fmt.Sprintf(`SELECT coalesce(max(v), -1) FROM %s_config WHERE k = ?`, index), key).
		Scan(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

// TestAnErasureMergesNothing: an erasure writes the pages of what it erases, and at no time those of merged indexes or
// of the log. Other writes merge as ever afterwards.
func TestAnErasureMergesNothing(t *testing.T) {
	s := newStore(t, 8)
	secrets := fullBank(t, s, 800, 2)
	if err := s.truncateLog(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.writer.script(t.Context(), `PRAGMA wal_autocheckpoint = 0`); err != nil {
		t.Fatal(err)
	}
	s.writer.logged = 1 << 20
	var grown []int64
	for _, r := range secrets {
		s.care.erasures.Store(0) // the log is not moved yet
		before := size(t, s.path+"-wal")
		erase(t, s, r)
		grown = append(grown, size(t, s.path+"-wal")-before)
	}
	slices.Sort(grown)
	median, most := grown[len(grown)/2], grown[len(grown)-1]
	t.Logf("pages in the log: median %d, most %d", median/4096, most/4096)
	if most > 4*median {
		t.Errorf("an erasure wrote %d bytes, half of them at most %d", most, median)
	}
	for _, index := range erasedIndexes {
		if got := config(t, s, index, "automerge"); got != automerge {
			t.Errorf("%s: automerge is %d afterwards", index, got)
		}
	}
	integrity(t, s)
}

// A write that fails, alone or beside others, leaves the merging as it was.
func TestAFailedErasureLeavesMergingOn(t *testing.T) {
	s := newStore(t, 8)
	secrets := fullBank(t, s, 20, 10)
	err := s.Write(t.Context(), "ann", func(tx memory.Tx) error {
		return cmp.Or(tx.EraseRecord(secrets[0].ID), errors.New("no"))
	})
	if err == nil || s.writer.unmerged {
		t.Errorf("%v, unmerged %t", err, s.writer.unmerged)
	}
	insert(t, s, unit(rand.New(rand.NewPCG(1, 2)), 8), fact("ann", "The harbour opens at nine."))
	for _, index := range erasedIndexes {
		if got := config(t, s, index, "automerge"); got != automerge {
			t.Errorf("%s: automerge is %d", index, got)
		}
	}
}
