package sqlite

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

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

// Whatever goes wrong in a file that was replaced, the answer says that it was.
func TestWhatFailsInAReplacedFile(t *testing.T) {
	s := newStore(t, 8)
	insert(t, s, nil, fact("ann", "before"))
	err := s.Write(t.Context(), "ann", func(memory.Tx) error {
		if err := errors.Join(os.WriteFile(s.path+".new", nil, 0o600), os.Rename(s.path+".new", s.path)); err != nil {
			return err
		}
		return fmt.Errorf("%w: what nobody can read", memory.ErrDamaged)
	})
	if wantUnavailable(t, err); !strings.Contains(memory.Public(err).Message, "replaced while it was in use") {
		t.Error(err)
	}
}

// A read of a replaced file that fails says so too, not what is wrong with the old one.
func TestReadFailsInAReplacedFile(t *testing.T) {
	s := newStore(t, 8)
	for i := range 50 {
		insert(t, s, nil, fact("ann", strings.Repeat(fmt.Sprint("long ", i), 200)))
	}
	if err := emptyLog(t.Context(), s.writer); err != nil {
		t.Fatal(err)
	}
	size, err := os.Stat(s.path)
	if err := errors.Join(err, os.Rename(s.path, s.path+".old"), os.WriteFile(s.path, nil, 0o600),
		os.Truncate(s.path+".old", size.Size()/2)); err != nil {
		t.Fatal(err)
	}
	_, _, err = s.List(t.Context(), memory.CatalogFilter{Agent: "ann", Kind: memory.KindFact})
	if wantUnavailable(t, err); !strings.Contains(memory.Public(err).Message, "replaced while it was in use") {
		t.Error(err)
	}
}

func BenchmarkFilesInUse(b *testing.B) {
	s := newStore(b, 8)
	for b.Loop() {
		if err := s.writer.files.check(); err != nil {
			b.Fatal(err)
		}
	}
}

// TestMigratedMeanwhile: what a newer program has changed, an older one that is still
// running does not write to.
func TestMigratedMeanwhile(t *testing.T) {
	s := newStore(t, 8)
	insert(t, s, nil, fact("ann", "before"))
	other, err := OpenDriver(dsn(s.path, time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.ExecContext(t.Context(), fmt.Sprintf(`PRAGMA user_version = %d`, SchemaVersion()+1)); err != nil {
		t.Fatal(err)
	}
	err = s.Write(t.Context(), "ann", func(tx memory.Tx) error { return tx.InsertRecord(fact("ann", "after"), nil) })
	if wantUnavailable(t, err); !strings.Contains(memory.Public(err).Message, "newer program") {
		t.Error(err)
	}
	if n := count(t, s, "records"); n != 1 {
		t.Errorf("%d records", n)
	}
}

// TestNotMendedByAnOlderProgram: an older program does not make anew, in its own schema, what
// is damaged in that of a newer one.
func TestNotMendedByAnOlderProgram(t *testing.T) {
	path := copyTo(t, richFile(t))
	damage(t, path, pageOf(t, path, "memories_words_docsize"), rand.New(rand.NewPCG(3, 3)))
	s := openAt(t, path, 8)
	other, err := OpenDriver(dsn(path, time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	schema := func() (version int, tables string) {
		t.Helper()
		err := other.QueryRowContext(t.Context(),
			`SELECT (SELECT user_version FROM pragma_user_version), group_concat(sql) FROM sqlite_schema`).Scan(&version, &tables)
		if err != nil {
			t.Fatal(err)
		}
		return version, tables
	}
	if _, err := other.ExecContext(t.Context(),
		fmt.Sprintf(`CREATE TABLE newer (x); PRAGMA user_version = %d`, SchemaVersion()+1)); err != nil {
		t.Fatal(err)
	}
	_, before := schema()
	mended, err := s.mend(t.Context())
	if wantUnavailable(t, err); mended || !strings.Contains(memory.Public(err).Message, "newer program") {
		t.Errorf("mended %t, %v", mended, err)
	}
	err = s.makeAnew(t.Context(), map[string]bool{"memories_words_docsize": true})
	if err == nil || !strings.Contains(memory.Public(err).Message, "newer program") {
		t.Error(err)
	}
	if version, after := schema(); version != SchemaVersion()+1 || after != before {
		t.Errorf("version %d, the schema has become %s", version, after)
	}
}

// TestFullDiskGivesRoomBack: the log is emptied before a save is told that the disk is full.
func TestFullDiskGivesRoomBack(t *testing.T) {
	s := newStore(t, 8)
	fullBank(t, s, 300, 0)
	before := size(t, s.path+"-wal")
	if err := s.writer.script(t.Context(), `PRAGMA max_page_count = 1`); err != nil {
		t.Fatal(err)
	}
	err := s.Write(t.Context(), "ann", func(tx memory.Tx) error {
		for range 500 {
			if err := tx.InsertRecord(fact("ann", newLexicon(1).sentence(2000)), nil); err != nil {
				return err
			}
		}
		return nil
	})
	if wantUnavailable(t, err); memory.Public(err).Message != "the disk is full" {
		t.Error(err)
	}
	if after := size(t, s.path+"-wal"); before == 0 || after != 0 {
		t.Errorf("the log had %d bytes, and has %d", before, after)
	}
}

// TestFullDiskIsTriedAgain: a save that finds room once the log is emptied is told nothing.
func TestFullDiskIsTriedAgain(t *testing.T) {
	s := newStore(t, 8)
	fullBank(t, s, 300, 0)
	attempts := 0
	err := s.Write(t.Context(), "ann", func(tx memory.Tx) error {
		room := 1 // the first attempt has none
		if attempts++; attempts > 1 {
			room = 1_000_000
			if log := size(t, s.path+"-wal"); log != 0 {
				t.Errorf("the log still takes %d bytes", log)
			}
		}
		if err := s.writer.script(t.Context(), fmt.Sprintf(`PRAGMA max_page_count = %d`, room)); err != nil {
			return err
		}
		return tx.InsertRecord(fact("ann", newLexicon(1).sentence(20_000)), nil)
	})
	if n := count(t, s, "records"); err != nil || attempts != 2 || n != 301 {
		t.Errorf("%v after %d attempts, %d records", err, attempts, n)
	}
}

// TestLogStaysSmall: saves one by one do not take a small disk for the log.
func TestLogStaysSmall(t *testing.T) {
	s := newStore(t, 8)
	vector, words := unit(rand.New(rand.NewPCG(1, 2)), 8), newLexicon(1)
	for range 150 {
		insert(t, s, vector, fact("ann", words.sentence(2500)))
	}
	if log := size(t, s.path+"-wal"); log > 6<<20 {
		t.Errorf("the log takes %d bytes", log)
	}
}
