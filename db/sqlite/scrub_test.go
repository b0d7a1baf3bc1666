package sqlite

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// holds reports whether the database's files have some bytes in them.
func holds(t testing.TB, path string, what []byte) bool {
	t.Helper()
	files, err := filepath.Glob(path + "*")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(content, what) {
			return true
		}
	}
	return false
}

// erase erases records as forgetting for good does, but for the scrubbing.
func erase(t testing.TB, s *Store, records ...memory.Record) {
	t.Helper()
	err := s.Write(t.Context(), records[0].Agent, func(tx memory.Tx) error {
		var contents []string
		for _, r := range records {
			contents = append(contents, r.Content)
			if err := tx.EraseRecord(r.ID); err != nil {
				return err
			}
		}
		return tx.EraseTraces(contents)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestScrub(t *testing.T) {
	s := newStore(t, 8)
	secret, plain := fact("ann", "a zyqolumbrava"), fact("ann", "The harbour opens at nine.")
	vector, other := unit(rand.New(rand.NewPCG(1, 2)), 8), unit(rand.New(rand.NewPCG(3, 4)), 8)
	insert(t, s, vector, secret)
	insert(t, s, other, plain)
	traces := map[string][]byte{
		"the text":            []byte("zyqolumbrava"),
		"a part of the index": []byte("zyq"), // no other begins with z, so that it is written whole
	}
	if DriverName == "modernc.org/sqlite" { // the sqlite-vec of the other one does not wipe what it deletes
		traces["the vector"], traces["its first pass"] = rows.Floats(vector), s.vector.quantise(vector)
	}
	erase(t, s, secret)
	for name, bytes := range traces {
		if !holds(t, s.path, bytes) {
			t.Errorf("%s is not there to be scrubbed", name)
		}
	}
	if err := s.Scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, bytes := range traces {
		if holds(t, s.path, bytes) {
			t.Errorf("%s is still there", name)
		}
	}
	// VACUUM leaves the numbers of rows as they are, which the indexes go by.
	filter := memory.Filter{Agent: "ann"}
	near, err := s.NearestVectors(t.Context(), memory.Memories, filter, other, 5)
	words, err2 := s.MatchWords(t.Context(), memory.Memories, filter, []string{"harbour"}, 5)
	if err != nil || err2 != nil || len(near) != 1 || len(words) != 1 || near[0].Seq != words[0].Seq {
		t.Errorf("found %v, %v and %v, %v", near, err, words, err2)
	}
	insert(t, s, other, fact("ann", "The harbour closes at ten."))
	if near, err = s.NearestVectors(t.Context(), memory.Memories, filter, other, 5); err != nil || len(near) != 2 {
		t.Errorf("afterwards: %v, %v", near, err)
	}
}

// What cannot be scrubbed at once is scrubbed when the database is closed.
func TestScrubLater(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s, err := Open(t.Context(), path, Options{Embedder: embedder(8), Clock: clock, BusyTimeout: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	secret := fact("ann", "a zyqolumbrava")
	insert(t, s, nil, secret, fact("ann", "The harbour opens at nine."))

	ctx, release := context.WithCancel(t.Context())
	reader, err := openAt(t, path, 8).read.db.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := reader.QueryRow(`SELECT count(*) FROM records`).Scan(&n); err != nil || n != 2 {
		t.Fatalf("%d records, %v", n, err)
	}
	erase(t, s, secret)
	if err := s.Scrub(t.Context()); memory.CodeOf(err) != memory.CodeUnavailable {
		t.Errorf("scrubbed while another reads: %v", err)
	}
	if !holds(t, path, []byte("zyqolumbrava")) {
		t.Error("nothing is left to scrub")
	}
	reader.Rollback()
	release()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if holds(t, path, []byte("zyqolumbrava")) {
		t.Error("still there after the end")
	}
}

// A file is rewritten only if something was erased.
func TestScrubNothing(t *testing.T) {
	s := newStore(t, 8)
	insert(t, s, nil, fact("ann", "The harbour opens at nine."))
	before := size(t, s.path+"-wal")
	if err := s.Scrub(t.Context()); err != nil || size(t, s.path+"-wal") != before {
		t.Errorf("the log has %d bytes, it had %d; %v", size(t, s.path+"-wal"), before, err)
	}
	secret := fact("ann", "a zyqolumbrava")
	insert(t, s, nil, secret)
	erase(t, s, secret)
	for range 2 {
		if err := s.Scrub(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n := size(t, s.path+"-wal"); n > 100<<10 { // what notes that it is done
		t.Errorf("the log has %d bytes after the second time", n)
	}
}

func size(t testing.TB, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// Kept results that repeat what was erased would bring it back.
func TestEraseTracesOfResults(t *testing.T) {
	s := newStore(t, 8)
	secret := fact("ann", "Say \"<zyqolumbrava>\" ü\n")
	insert(t, s, nil, secret)
	results := map[string]string{
		"similar": `{"Similar":[{"ID":"1","Content":"Say \"\u003czyqolumbrava\u003e\" ü\n"}]}`,
		"its own": `{"ID":"` + secret.ID + `"}`,
		"more":    `{"Content":"Say \"\u003czyqolumbrava\u003e\" ü\n twice"}`,
	}
	for _, agent := range []string{"ann", "bob"} {
		err := s.Write(t.Context(), agent, func(tx memory.Tx) (err error) {
			for key, result := range results {
				if err == nil {
					err = tx.KeepResult("save", key, []byte(result))
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	erase(t, s, secret)
	var left []string
	for _, agent := range []string{"ann", "bob"} {
		err := s.Write(t.Context(), agent, func(tx memory.Tx) error {
			for _, key := range []string{"its own", "more", "similar"} {
				if kept, err := tx.Result("save", key); kept != nil || err != nil {
					left = append(left, fmt.Sprint(agent, " ", key))
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if got, want := strings.Join(left, ", "), "ann its own, ann more, bob its own, bob more, bob similar"; got != want {
		t.Errorf("left: %s\nwant: %s", got, want)
	}
}

// TestScrubAmidWork: neither saves nor searches, of this process or another,
// notice that the file is rewritten.
func TestScrubAmidWork(t *testing.T) {
	s := newStore(t, 8)
	others := []*Store{s, openAt(t, s.path, 8)}
	vector := unit(rand.New(rand.NewPCG(1, 2)), 8)
	insert(t, s, vector, fact("ann", "The harbour opens at nine."))
	const saves = 40
	var crew sync.WaitGroup
	for member, store := range others {
		crew.Go(func() {
			for n := range saves {
				r := fact("ann", fmt.Sprintf("Ferry %d of harbour %d is late.", n, member))
				if err := store.Write(t.Context(), "ann", func(tx memory.Tx) error { return tx.InsertRecord(r, vector) }); err != nil {
					t.Error(err)
				}
			}
		})
		crew.Go(func() {
			filter := memory.Filter{Agent: "ann"}
			for range saves {
				words, err := store.MatchWords(t.Context(), memory.Memories, filter, []string{"harbour"}, 100)
				near, err2 := store.NearestVectors(t.Context(), memory.Memories, filter, vector, 100)
				if err != nil || err2 != nil || len(words) == 0 || len(near) == 0 {
					t.Errorf("%d and %d found, %v, %v", len(words), len(near), err, err2)
				}
			}
		})
	}
	for range 5 {
		secret := fact("ann", "a zyqolumbrava")
		insert(t, s, vector, secret)
		erase(t, s, secret)
		if err := s.Scrub(t.Context()); err != nil {
			t.Error(err)
		}
	}
	crew.Wait()
	if st, err := s.Stats(t.Context(), "ann"); err != nil || st.Records != 1+2*saves || st.Vectors != st.Records {
		t.Errorf("%+v, %v", st, err)
	}
	if holds(t, s.path, []byte("zyqolumbrava")) {
		t.Error("something is left")
	}
}
