package sqlite

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"mcp-memory/memory"
)

// TestTheFileIsCut: a file from which most was erased becomes smaller step by step, what is left is whole, and its pages
// that are free hold nothing.
func TestTheFileIsCut(t *testing.T) {
	s := newStore(t, 8)
	secrets := fullBank(t, s, 1200, 2)
	if err := s.truncateLog(t.Context()); err != nil {
		t.Fatal(err)
	}
	full := size(t, s.path)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(secrets), func(i, j int) { secrets[i], secrets[j] = secrets[j], secrets[i] })
	erase(t, s, secrets...)
	if err := s.Scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	cut := size(t, s.path)
	t.Logf("%d pages, then %d", full/4096, cut/4096)
	if left, err := s.surplus(t.Context()); cut > full*9/10 || left > 0 || err != nil {
		t.Errorf("%d bytes, %d after half of it was erased, which is %d pages too many, %v", full, cut, left, err)
	}
	if holds(t, s.path, []byte("zyq00")) {
		t.Error("some of it is still there")
	}
	integrity(t, s)
	if said := broken(Examine(t.Context(), s.path)); said != "" {
		t.Error(said)
	}
	if err := s.writer.files.check(); err != nil {
		t.Errorf("a file that was cut is not taken for the one that is in use: %v", err)
	}
	insert(t, s, unit(rand.New(rand.NewPCG(1, 2)), 8), fact("ann", "The harbour opens at nine."))
}

// uncut makes a file as it was before there was cutting, with what an open store holds.
func uncut(t *testing.T, s *Store) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "memory.db")
	if err := copyInto(t.Context(), s.path, path, nil); err != nil {
		t.Fatal(err)
	}
	db, err := OpenDriver(dsn(path, time.Second, existing))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, step := range []string{`PRAGMA auto_vacuum = none`, `VACUUM`} {
		if _, err := db.ExecContext(context.Background(), step); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func cuttable(t *testing.T, s *Store) (mode int) {
	t.Helper()
	if err := s.read.QueryRowContext(t.Context(), `PRAGMA auto_vacuum`).Scan(&mode); err != nil {
		t.Fatal(err)
	}
	return mode
}

// An older file is erased from as ever, and stays as long as it is where nothing writes it anew; its copies and what is salvaged of it can be cut.
func TestOlderFilesAreNotCut(t *testing.T) {
	first := newStore(t, 8)
	secrets := fullBank(t, first, 400, 2)
	path := uncut(t, first)
	s := reopen(t, path)
	if mode := cuttable(t, s); mode != 0 {
		t.Fatalf("auto_vacuum is %d", mode)
	}
	before := size(t, path)
	erase(t, s, secrets...)
	if err := s.Scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.stepwise(t.Context()) && size(t, path) < before || holds(t, path, []byte("zyq00")) {
		t.Errorf("%d bytes, then %d; or some of it is still there", before, size(t, path))
	}
	integrity(t, s)
	copied := filepath.Join(t.TempDir(), "memory.db")
	if err := s.CopyTo(t.Context(), copied, nil); err != nil {
		t.Fatal(err)
	}
	if mode := cuttable(t, s); mode != 0 {
		t.Errorf("a copy has made auto_vacuum %d", mode)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(copied); err != nil || info.Size() > before*3/4 {
		t.Errorf("%v, %v", info, err)
	}
	for name, path := range map[string]string{"copy": copied, "salvaged": salvaged(t, path)} {
		if mode := cuttable(t, reopen(t, path)); mode != 2 {
			t.Errorf("%s: auto_vacuum is %d", name, mode)
		}
	}
}

func reopen(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, Options{Embedder: memory.Fingerprint{Model: "test", Dimensions: 8}, Clock: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func salvaged(t *testing.T, path string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "memory.db")
	o := Options{Embedder: memory.Fingerprint{Model: "test", Dimensions: 8}, Clock: time.Now}
	if _, err := Salvage(t.Context(), path, to, o); err != nil {
		t.Fatal(err)
	}
	return to
}
