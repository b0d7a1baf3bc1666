package sqlite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mcp-memory/memory"
)

// foreignFile makes a database of a stranger and leaves it open.
func foreignFile(t *testing.T, params string, statements ...string) (path string, exec func(string), closeIt func()) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "other.db")
	db, err := OpenDriver("file:" + path + "?_pragma=busy_timeout(1000)" + params)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	exec = func(statement string) {
		t.Helper()
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	for _, s := range statements {
		exec(s)
	}
	return path, exec, func() {
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func openTheirs(t *testing.T, path string) *Foreign {
	t.Helper()
	f, err := OpenForeign(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func rowsOf(t *testing.T, f *Foreign, table string, columns ...string) (rows [][]any) {
	t.Helper()
	err := f.Each(t.Context(), table, columns, func(_ int64, values []any) error { rows = append(rows, slices.Clone(values)); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// folder is what lies beside a file.
func folder(t *testing.T, path string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

const (
	wal        = "&_pragma=journal_mode(wal)&_pragma=wal_autocheckpoint(0)"
	theirTable = `CREATE TABLE "odd ""name" (id TEXT PRIMARY KEY, n INTEGER, at DATETIME, x REAL, data BLOB)`
	theirRow   = `INSERT INTO "odd ""name" VALUES ('a', 7, '2026-01-02 03:04:05', 1.5, x'00ff'), ('b', NULL, NULL, NULL, NULL)`
)

func TestForeignValues(t *testing.T) {
	path, _, closeIt := foreignFile(t, "", theirTable, theirRow)
	closeIt()
	f := openTheirs(t, path)
	columns, err := f.Columns(t.Context(), `odd "name`)
	if err != nil || !slices.Equal(columns, []string{"id", "n", "at", "x", "data"}) {
		t.Errorf("columns %q, %v", columns, err)
	}
	if none, err := f.Columns(t.Context(), "nothing"); err != nil || len(none) != 0 {
		t.Errorf("columns of nothing: %q, %v", none, err)
	}
	want := [][]any{{"a", int64(7), "2026-01-02 03:04:05", 1.5, []byte{0, 255}}, {"b", nil, nil, nil, nil}}
	if got := rowsOf(t, f, `odd "name`, columns...); !reflect.DeepEqual(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
}

// TestForeignPages reads more rows than a page has, also what others write meanwhile.
func TestForeignPages(t *testing.T) {
	path, exec, closeIt := foreignFile(t, wal, `CREATE TABLE t (x INTEGER)`,
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO t SELECT i FROM n`)
	for _, name := range []string{"live", "closed"} {
		live := name == "live"
		if !live {
			closeIt()
		}
		before := folder(t, path)
		f := openTheirs(t, path)
		if rows := rowsOf(t, f, "t", "x"); len(rows) < 1000 || rows[999][0] != int64(1000) {
			t.Errorf("%s: %d rows", name, len(rows))
		}
		if live {
			n := 0
			err := f.Each(t.Context(), "t", []string{"x"}, func(int64, []any) error {
				if n++; n == 300 {
					exec(`INSERT INTO t VALUES (2000)`)
				}
				return nil
			})
			if err != nil || n != 1001 {
				t.Errorf("read %d, %v", n, err)
			}
		}
		f.Close()
		if after := folder(t, path); !slices.Equal(before, after) {
			t.Errorf("%s: beside it were %q, now %q", name, before, after)
		}
	}
}

// TestForeignIsNotClosed reads a database whose program was killed, as it lies and where nothing can be written.
func TestForeignIsNotClosed(t *testing.T) {
	path, _, _ := foreignFile(t, wal, theirTable, theirRow)
	dir := filepath.Join(t.TempDir(), "copy")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	killed := filepath.Join(dir, "other.db")
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(t.Context(), path+suffix, killed+suffix); err != nil {
			t.Fatal(err)
		}
	}
	if rows := rowsOf(t, openTheirs(t, killed), `odd "name`, "id"); len(rows) != 2 {
		t.Errorf("%d rows", len(rows))
	}
	f := &Foreign{path: killed, file: killed}
	if err := f.openCopy(t.Context()); err != nil {
		t.Fatal(err)
	}
	if rows := rowsOf(t, f, `odd "name`, "id"); len(rows) != 2 {
		t.Errorf("%d rows of the copy", len(rows))
	}
	if err := f.Close(); err != nil || exists(f.copy) {
		t.Errorf("the copy is still there, %v", err)
	}
}

func TestForeignThatCannotBeRead(t *testing.T) {
	t.Parallel()
	whole, _, closeIt := foreignFile(t, "", `CREATE TABLE t (x TEXT)`,
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO t SELECT hex(randomblob(100)) FROM n`)
	closeIt()
	text, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	locked, exec, _ := foreignFile(t, "", `CREATE TABLE t (x TEXT)`)
	exec(`PRAGMA locking_mode = exclusive`)
	exec(`BEGIN EXCLUSIVE`)
	damaged := slices.Clone(text)
	for i := 8192; i < 40000 && i < len(damaged); i++ {
		damaged[i] = byte(i * 7)
	}
	dir := t.TempDir()
	file := func(name string, text []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	newer := slices.Clone(text)
	copy(newer[44:], []byte{0, 0, 0, 9}) // the format of the schema
	for name, c := range map[string]struct{ path, want string }{
		"missing": {filepath.Join(dir, "missing"), "cannot be read"},
		"folder":  {dir, "is no database"}, "empty": {file("empty", nil), "is no database"},
		"text":    {file("text", []byte(strings.Repeat("text ", 100))), "is no database"},
		"cut off": {file("cut", text[:len(text)-4096]), "is shorter than it says"},
		"locked":  {locked, "is locked by the program"},
		"damaged": {file("damaged", damaged), "is damaged"}, "newer": {file("newer", newer), "newer SQLite"},
	} {
		f, err := OpenForeign(t.Context(), c.path)
		if err == nil {
			err = f.Each(t.Context(), "t", []string{"x"}, func(int64, []any) error { return nil })
			f.Close()
		}
		if memory.CodeOf(err) != memory.CodeUnavailable || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := OpenForeign(ctx, whole); err == nil {
		t.Error("it was opened after the call was cancelled")
	}
}
