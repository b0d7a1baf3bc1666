package sqlite

import (
	"os"
	"strings"
	"testing"

	"mcp-memory/memory"
)

// TestFilesGone deletes, replaces and moves the files under an open store. No save
// is acknowledged then, and each is told why.
func TestFilesGone(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(path string) error
		want string
	}{
		"database deleted": {os.Remove, "deleted"},
		"log deleted":      {func(path string) error { return os.Remove(path + "-wal") }, "deleted"},
		"moved":            {func(path string) error { return os.Rename(path, path+".old") }, "deleted"},
		"replaced": {func(path string) error {
			text, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(path+".new", text, 0o600)
			}
			if err == nil {
				err = os.Rename(path+".new", path)
			}
			return err
		}, "replaced"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t, 8)
			insert(t, s, nil, fact("ann", "before"))
			if err := c.do(s.path); err != nil {
				t.Skip(err) // the system keeps files that are open
			}
			acknowledged := 0
			for range 200 {
				err := s.Write(t.Context(), "ann", func(tx memory.Tx) error { return tx.InsertRecord(fact("ann", "into nothing"), nil) })
				if err == nil {
					acknowledged++
				} else if wantUnavailable(t, err); !strings.Contains(memory.Public(err).Message, c.want) {
					t.Fatalf("error %v, want it to say %s", err, c.want)
				}
			}
			if acknowledged != 0 {
				t.Errorf("%d of 200 saves were acknowledged", acknowledged)
			}
			if s.Health().Problems == nil {
				t.Error("nothing is wrong with it")
			}
		})
	}
}

// A file that is deleted between the check and the commit is noticed too.
func TestFileGoneDuringCommit(t *testing.T) {
	s := newStore(t, 8)
	insert(t, s, nil, fact("ann", "before"))
	err := s.Write(t.Context(), "ann", func(tx memory.Tx) error {
		if err := tx.InsertRecord(fact("ann", "into nothing"), nil); err != nil {
			return err
		}
		return os.Remove(s.path)
	})
	wantUnavailable(t, err)
}

func BenchmarkFilesInUse(b *testing.B) {
	s := newStore(b, 8)
	for b.Loop() {
		if err := s.writer.files.check(); err != nil {
			b.Fatal(err)
		}
	}
}
