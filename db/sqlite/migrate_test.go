package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"sync"
	"testing"
	"time"

	"mcp-memory/memory"
)

func TestMigrationsAreNumbered(t *testing.T) {
	names, err := filepath.Glob("migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	if len(names) != SchemaVersion() || len(migrations()) != len(names) {
		t.Errorf("%d files for schema version %d", len(names), SchemaVersion())
	}
	for i, name := range names {
		want := fmt.Sprintf(`^migrations/%04d_[a-z_]+\.sql$`, i+1)
		if !regexp.MustCompile(want).MatchString(filepath.ToSlash(name)) {
			t.Errorf("%s is not like %s", name, want)
		}
	}
}

// TestReopenWritesNothing: the usual start changes no byte of the file.
func TestReopenWritesNothing(t *testing.T) {
	path := closedFile(t, 3)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		s := openAt(t, path, 8)
		version, err := checkVersion(t.Context(), s.writer)
		if err != nil || version != SchemaVersion() {
			t.Errorf("version %d, %v", version, err)
		}
		if n := count(t, s, "records"); n != 3 {
			t.Errorf("%d records", n)
		}
		s.Close()
		after, err := os.ReadFile(path)
		if err != nil || string(after) != string(before) {
			t.Errorf("the file was changed, %v", err)
		}
	}
}

// TestMigrateFromEachVersion begins with what each earlier program left.
func TestMigrateFromEachVersion(t *testing.T) {
	for version := range SchemaVersion() {
		path := filepath.Join(t.TempDir(), "memory.db")
		w, err := openWriter(t.Context(), dsn(path, time.Second))
		if err != nil {
			t.Fatal(err)
		}
		if err := migrateTo(t.Context(), w, version); err != nil {
			t.Fatal(err)
		}
		if err := w.close(); err != nil {
			t.Fatal(err)
		}
		s := openAt(t, path, 8)
		r := fact("ann", "x")
		insert(t, s, nil, r)
		copies, err := filepath.Glob(path + beforeSchema + "*")
		if wanted := min(1, version); err != nil || len(copies) != wanted {
			t.Fatalf("version %d: copies %v, %v", version, copies, err)
		}
		if version == 0 {
			continue
		}
		if info, err := os.Stat(copies[0]); err != nil || info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
			t.Errorf("%v, %v", info, err)
		}
		old, err := openWriter(t.Context(), dsn(copies[0], time.Second, existing))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := checkVersion(t.Context(), old); err != nil || got != version {
			t.Errorf("the copy is of version %d, %v", got, err)
		}
		if err := old.close(); err != nil {
			t.Fatal(err)
		}
		erase(t, s, r) // it may be in the copy
		if err := s.Scrub(t.Context()); err != nil {
			t.Fatal(err)
		}
		if copies, err := filepath.Glob(path + beforeSchema + "*"); err != nil || len(copies) != 0 {
			t.Errorf("left after an erasure: %v, %v", copies, err)
		}
	}
}

// TestMigrateAllOrNothing: a step that fails takes the steps before it back.
func TestMigrateAllOrNothing(t *testing.T) {
	const version = 20 // the next step adds a column, the one behind it makes a table
	path := filepath.Join(t.TempDir(), "memory.db")
	w, err := openWriter(t.Context(), dsn(path, time.Second))
	if err == nil {
		err = migrateTo(t.Context(), w, version)
	}
	if err == nil {
		err = w.script(t.Context(), "CREATE TABLE actions (something)")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer w.close()
	if err := migrateTo(t.Context(), w, SchemaVersion()); err == nil {
		t.Fatal("a table was made twice")
	}
	var columns int
	if err := w.QueryRowContext(t.Context(), "SELECT count(*) FROM pragma_table_info('todos') WHERE name = 'project'").
		Scan(&columns); err != nil || columns != 0 {
		t.Errorf("%d columns were left, %v", columns, err)
	}
	if got, err := checkVersion(t.Context(), w); err != nil || got != version {
		t.Errorf("the file is of version %d, %v", got, err)
	}
}

func TestMigrateTogether(t *testing.T) {
	for range 3 {
		path := filepath.Join(t.TempDir(), "memory.db")
		var wg sync.WaitGroup
		for i := range 4 {
			wg.Go(func() {
				s, err := Open(t.Context(), path, Options{Embedder: embedder(8 + i%2), Clock: clock})
				if err != nil {
					t.Errorf("open: %v", err)
					return
				}
				defer s.Close()
				err = s.Write(t.Context(), "ann", func(tx memory.Tx) error { return tx.InsertRecord(fact("ann", "x"), nil) })
				if err != nil {
					t.Errorf("write: %v", err)
				}
			})
		}
		wg.Wait()
		s := openAt(t, path, 8)
		if n := count(t, s, "records"); n != 4 {
			t.Errorf("%d records, want 4", n)
		}
		if n := count(t, s, "vector_sets"); n != 2 {
			t.Errorf("%d vector sets, want 2", n)
		}
		integrity(t, s)
		s.Close()
	}
}
