//go:build unix

package process

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // to lock the database as another program would
)

// Whatever is broken, the host is told nothing, and nothing is broken further.
func TestHookBreaksNothing(t *testing.T) {
	t.Parallel()
	d := newHookDay(t, hookHosts[0])
	d.first()
	d.patience = "1s"
	healthy := filepath.Join(d.root, "healthy")
	if err := os.CopyFS(healthy, os.DirFS(d.data)); err != nil {
		t.Fatal(err)
	}
	fresh := func() {
		d.settle()
		if err := os.RemoveAll(d.data); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(d.data, os.DirFS(healthy)); err != nil {
			t.Fatal(err)
		}
	}
	database := filepath.Join(d.data, "memory.db")
	change := func(path string, text []byte) {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	execute := func(statement string) *sql.DB {
		db, err := sql.Open("sqlite", database)
		if err != nil {
			t.Fatal(err)
		}
		db.SetMaxOpenConns(1)
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
		return db
	}
	for name, broken := range map[string]func() (after func()){
		"no database": func() func() { change(database, nil); return func() {} },
		"damaged": func() func() {
			change(database, []byte(strings.Repeat("no database at all. ", 5000)))
			return func() {}
		},
		"newer": func() func() {
			execute("PRAGMA user_version = 999").Close()
			return func() {}
		},
		"locked": func() func() { db := execute("BEGIN EXCLUSIVE"); return func() { db.Close() } },
		"settings that are none": func() func() {
			change(filepath.Join(d.data, "config.yaml"), []byte("nonsense: [\n"))
			return func() {}
		},
		"a transcript that is another's": func() func() {
			change(d.transcript("s1"), []byte(strings.Repeat("{\"type\":\"user\",\"mess\n\x00\xff[[[\n", 2000)))
			return func() {}
		},
		"a transcript that is a directory": func() func() {
			if err := os.Remove(d.transcript("s1")); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(d.transcript("s1"), 0o700); err != nil {
				t.Fatal(err)
			}
			return func() { os.Remove(d.transcript("s1")) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			fresh()
			after := broken()
			defer after()
			for _, s := range d.steps() {
				if s.is("Stop", "SessionEnd", "PreCompact", "PostToolUseFailure") && name == "locked" {
					continue // the work in the background waits for the lock, as it should
				}
				d.run("s1", s, strings.Repeat("a very long prompt ", 50_000), 0) // fails where the host is told something
			}
			d.settle()
		})
	}
	for _, args := range [][]string{{"hook", "--no-such-flag"}, {"hook", "a", "b", "c"}, {"hook", "--host"},
		{"hook", "--host", "nobody", "Nothing"}, {"hook", "--data-dir", "/dev/null/x", "--host", "codex", "Stop"}} {
		code, out, _ := cli(t, d.data, args...)
		if code != 0 || out != "" {
			t.Errorf("%q: exit %d, %q", args, code, out)
		}
	}
}
