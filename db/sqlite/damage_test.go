package sqlite

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
)

// wantUnavailable checks that an error is one that people can act on.
func wantUnavailable(t *testing.T, err error) {
	t.Helper()
	var e *memory.Error
	if !errors.As(err, &e) || e.Code != memory.CodeUnavailable || e.Message == "" || e.Hint == "" {
		t.Errorf("error %v, want %s with a hint", err, memory.CodeUnavailable)
	}
}

// closedFile makes a database with some records in it and returns its path.
func closedFile(t *testing.T, n int) string {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := openAt(t, path, 8)
	words, random := newLexicon(4), rand.New(rand.NewPCG(4, 4))
	for range n {
		insert(t, s, unit(random, 8), fact("ann", words.sentence(300)))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// foreign makes a database by SQL.
func foreign(t *testing.T, script string) string {
	path := filepath.Join(t.TempDir(), "memory.db")
	db, err := OpenDriver(dsn(path, time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), script); err != nil {
		t.Fatal(err)
	}
	return path
}

func edited(t *testing.T, path string, edit func([]byte) []byte) string {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, edit(b), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRefusedFiles(t *testing.T) {
	for name, damage := range map[string]func(*testing.T) string{
		"text": func(t *testing.T) string {
			return edited(t, closedFile(t, 1), func([]byte) []byte { return bytes.Repeat([]byte("not a database\n"), 1000) })
		},
		"one byte": func(t *testing.T) string {
			return edited(t, closedFile(t, 1), func([]byte) []byte { return []byte{'S'} })
		},
		"header only": func(t *testing.T) string {
			return edited(t, closedFile(t, 1), func(b []byte) []byte { return b[:100] })
		},
		"zeros": func(t *testing.T) string {
			return edited(t, closedFile(t, 1), func(b []byte) []byte { return make([]byte, len(b)) })
		},
		"truncated": func(t *testing.T) string {
			return edited(t, closedFile(t, 50), func(b []byte) []byte { return b[:len(b)/2] })
		},
		"one byte short": func(t *testing.T) string {
			return edited(t, closedFile(t, 5), func(b []byte) []byte { return b[:len(b)-1] })
		},
		"newer": func(t *testing.T) string {
			return edited(t, closedFile(t, 1), func(b []byte) []byte {
				binary.BigEndian.PutUint32(b[60:], uint32(SchemaVersion()+1))
				return b
			})
		},
		"another application": func(t *testing.T) string {
			return edited(t, closedFile(t, 1), func(b []byte) []byte {
				binary.BigEndian.PutUint32(b[68:], 0x12345678)
				return b
			})
		},
		"another program's tables": func(t *testing.T) string { return foreign(t, `CREATE TABLE t (x)`) },
		"another program's version": func(t *testing.T) string {
			return foreign(t, fmt.Sprintf(`CREATE TABLE t (x); PRAGMA user_version = %d`, SchemaVersion()))
		},
		"schema gone bad": func(t *testing.T) string {
			return edited(t, closedFile(t, 5), func(b []byte) []byte {
				copy(b[100:], bytes.Repeat([]byte{0xff}, 1000))
				return b
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := damage(t)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			s, err := Open(t.Context(), path, Options{Embedder: embedder(8), Clock: clock})
			if err == nil {
				s.Close()
			}
			wantUnavailable(t, err)
			if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
				t.Errorf("the file was changed from %d to %d bytes, %v", len(before), len(after), err)
			}
		})
	}
}

func TestRefusedPlaces(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{
		"a directory":         dir,
		"a missing directory": filepath.Join(dir, "missing", "memory.db"),
		"inside a file":       filepath.Join(file, "memory.db"),
	} {
		s, err := Open(t.Context(), path, Options{Embedder: embedder(8), Clock: clock})
		if err == nil {
			s.Close()
		}
		t.Run(name, func(t *testing.T) { wantUnavailable(t, err) })
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// TestEmptyFile is a new database, as SQLite has it.
func TestEmptyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	insert(t, openAt(t, path, 8), nil, fact("ann", "x"))
	insert(t, openAt(t, foreign(t, `PRAGMA journal_mode = wal`), 8), nil, fact("ann", "x"))
}

// TestHalfAFirstPage: the machine died while the first start wrote its first page. The
// journal, which begins with the size before, takes it back.
func TestHalfAFirstPage(t *testing.T) {
	path := edited(t, foreign(t, `CREATE TABLE t (x)`), func(b []byte) []byte {
		binary.BigEndian.PutUint32(b[28:], 1) // page
		return b[:len(b)/4]
	})
	journal := make([]byte, 512)
	copy(journal, "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7")
	binary.BigEndian.PutUint32(journal[20:], 512)
	binary.BigEndian.PutUint32(journal[24:], 4096)
	if err := os.WriteFile(path+"-journal", journal, 0o600); err != nil {
		t.Fatal(err)
	}
	insert(t, openAt(t, path, 8), nil, fact("ann", "x"))
}

// TestVerifySaysWhatFailed: what cannot be looked at now is not called damaged.
func TestVerifySaysWhatFailed(t *testing.T) {
	path := closedFile(t, 3)
	other, err := OpenDriver(dsn(path, time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	other.SetMaxOpenConns(1)
	for _, step := range []string{`PRAGMA locking_mode = exclusive`, `BEGIN EXCLUSIVE`} {
		if _, err := other.ExecContext(t.Context(), step); err != nil {
			t.Fatal(err)
		}
	}
	_, err = Verify(t.Context(), path)
	if wantUnavailable(t, err); strings.Contains(err.Error(), "damaged") || !strings.Contains(err.Error(), "locked") {
		t.Error(err)
	}
}

// TestDamagedPages overwrites one page after another. Whatever is asked then
// either answers or says that the database is damaged.
func TestDamagedPages(t *testing.T) {
	const pageSize = 4096
	path := closedFile(t, 60)
	original, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(5, 5))
	pages := len(original)/pageSize - 1
	reported := 0
	for range 25 {
		damaged := bytes.Clone(original)
		at := (1 + random.IntN(pages)) * pageSize
		for i := range pageSize {
			damaged[at+i] = byte(random.Uint32())
		}
		path := filepath.Join(t.TempDir(), "memory.db")
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, err := range useEverything(t, path) {
			reported++
			if memory.CodeOf(err) != memory.CodeUnavailable {
				t.Errorf("page %d: %v", at/pageSize, err)
			}
		}
	}
	if reported == 0 {
		t.Error("no damage was noticed")
	}
}

// useEverything opens a file, reads and writes, and returns the errors.
func useEverything(t *testing.T, path string) (errs []error) {
	note := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	s, err := Open(t.Context(), path, Options{Embedder: embedder(8), Clock: clock})
	if err != nil {
		return []error{err}
	}
	defer s.Close()
	ctx, f := t.Context(), memory.Filter{Agent: "ann"}
	_, err = s.MatchWords(ctx, memory.Memories, f, []string{"ba", "ker", "lin"}, 50)
	note(err)
	_, err = s.MatchSubstrings(ctx, memory.Memories, f, []string{"kerba"}, 50)
	note(err)
	_, err = s.NearestVectors(ctx, memory.Memories, f, []float32{1, 0, 0, 0, 0, 0, 0, 0}, 50)
	note(err)
	_, err = s.Salient(ctx, memory.Scope{Agent: "ann"}, time.Now(), 50)
	note(err)
	_, err = s.Stats(ctx, "ann")
	note(err)
	note(s.EachRecord(ctx, "ann", func(memory.Record) error { return nil }))
	note(s.Write(ctx, "ann", func(tx memory.Tx) error {
		return tx.InsertRecord(fact("ann", "one more"), []float32{1, 0, 0, 0, 0, 0, 0, 0})
	}))
	return errs
}

// TestLockedByAnother: a write gives up after the busy timeout.
func TestLockedByAnother(t *testing.T) {
	path := closedFile(t, 1)
	s, err := Open(t.Context(), path, Options{Embedder: embedder(8), Clock: clock, BusyTimeout: 30 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	blocker := openAt(t, path, 8)
	err = blocker.writer.do(t.Context(), func(*writer) error {
		err := s.Write(t.Context(), "ann", func(memory.Tx) error { t.Error("got in"); return nil })
		wantUnavailable(t, err)
		wantUnavailable(t, s.Reinforce(t.Context(), "ann", "s", []string{"x"}, start))
		if _, err := s.MatchWords(t.Context(), memory.Memories, memory.Filter{Agent: "ann"}, []string{"x"}, 5); err != nil {
			t.Errorf("reading meanwhile: %v", err)
		}
		// An open that has nothing to write does not need the lock.
		second, err := Open(t.Context(), path, Options{Embedder: embedder(8), Clock: clock, BusyTimeout: 30 * time.Millisecond})
		if err != nil {
			t.Errorf("opening meanwhile: %v", err)
			return nil
		}
		return second.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := count(t, s, "records"); n != 1 {
		t.Errorf("%d records", n)
	}
	insert(t, s, nil, fact("ann", "afterwards"))
}

func TestExplain(t *testing.T) {
	s := newStore(t, 8)
	ctx := t.Context()
	if err := s.writer.script(ctx, `PRAGMA max_page_count = 1`); err != nil { // of this connection; not below what there is
		t.Fatal(err)
	}
	err := s.Write(ctx, "ann", func(tx memory.Tx) error {
		for range 2000 {
			if err := tx.InsertRecord(fact("ann", newLexicon(1).sentence(2000)), nil); err != nil {
				return err
			}
		}
		return nil
	})
	wantUnavailable(t, err)
	if memory.Public(err).Message != "the disk is full" {
		t.Errorf("full: %v", err)
	}
	if n := count(t, s, "records"); n != 0 {
		t.Errorf("%d records of a write that failed", n)
	}
	if err := s.writer.script(ctx, `PRAGMA max_page_count = 1000000`); err != nil {
		t.Fatal(err)
	}
	insert(t, s, nil, fact("ann", "afterwards"))
	integrity(t, s)

	_, err = s.read.db.ExecContext(ctx, `DELETE FROM records`)
	if wantUnavailable(t, explain(err)); count(t, s, "records") != 1 {
		t.Error("the reading pool can write")
	}
	for name, err := range map[string]error{
		"deadline": fmt.Errorf("x: %w", context.DeadlineExceeded), "cancelled": context.Canceled,
	} {
		t.Run(name, func(t *testing.T) { wantUnavailable(t, explain(err)) })
	}
	own := memory.Errorf(memory.CodeNotFound, "x")
	if explain(own) != error(own) || explain(nil) != nil {
		t.Error("an error of the domain did not pass through")
	}
}

func TestReadOnlyConnections(t *testing.T) {
	s := newStore(t, 8)
	for range readers + 1 { // each connection of the pool
		if _, err := s.read.db.ExecContext(t.Context(), `CREATE TABLE x (y)`); err == nil {
			t.Error("the reading pool can write")
		}
	}
	var synchronous, busy int
	var mode string
	if err := s.writer.QueryRowContext(t.Context(), `SELECT synchronous, journal_mode, timeout
		FROM pragma_synchronous, pragma_journal_mode, pragma_busy_timeout`).Scan(&synchronous, &mode, &busy); err != nil {
		t.Fatal(err)
	}
	if synchronous != 2 || mode != "wal" || busy != 20000 {
		t.Errorf("synchronous %d, journal mode %s, busy timeout %d ms", synchronous, mode, busy)
	}
}
