package sqlite

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// looked lets the caretaker look through the whole file once.
func looked(t *testing.T, s *Store) memory.Health {
	t.Helper()
	return lookedUntil(t, s, func(memory.Health) bool { return true })
}

// lookedUntil lets the caretaker look until what it finds is enough.
func lookedUntil(t *testing.T, s *Store, enough func(memory.Health) bool) memory.Health {
	t.Helper()
	s.care.tempo = tempo{time.Millisecond, time.Millisecond, time.Hour, 0}
	s.care.problems, s.care.checkedAt = nil, time.Time{}
	ctx, stop := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() { s.Tend(ctx) })
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if h := s.Health(); (h.Broken() || !h.CheckedAt.IsZero()) && enough(h) {
			break
		}
	}
	stop()
	work.Wait()
	return s.Health()
}

// damage overwrites a page of a file.
func damage(t *testing.T, path string, n int, random *rand.Rand) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	page := make([]byte, 4096)
	for i := range page {
		page[i] = byte(random.Uint32())
	}
	if _, err := f.WriteAt(page, int64(n-1)*4096); err != nil {
		t.Fatal(err)
	}
}

// TestDamageIsNoticedWhileServing: the caretaker of a running store notices a damaged page; and
// whichever it is, an export shows all documents but those that it names, and the counts are told.
func TestDamageIsNoticedWhileServing(t *testing.T) {
	original := richFile(t)
	sound := openAt(t, original, 8)
	if h := looked(t, sound); len(h.Problems) > 0 || h.CheckedAt.IsZero() {
		t.Fatalf("a sound file: %+v", h)
	}
	want := map[string]bool{}
	for i := range 3 {
		for name := range walked(t, sound, fmt.Sprint("agent", i)) {
			want[name] = true
		}
	}
	if err := sound.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(original)
	if err != nil {
		t.Fatal(err)
	}
	count := int(info.Size() / 4096)
	opened := 0
	for _, seed := range damageSeeds() {
		random := rand.New(rand.NewPCG(uint64(seed), 8))
		n := 2 + random.IntN(count-1)
		path := copyTo(t, original)
		damage(t, path, n, random)
		s, err := Open(t.Context(), path, Options{Embedder: embedder(8), Clock: clock})
		if err != nil { // it was noticed at once
			wantUnavailable(t, err)
			continue
		}
		opened++
		if h := looked(t, s); !h.Broken() {
			t.Errorf("seed %d: damage of page %d is not noticed: %+v", seed, n, h)
		}
		left := map[string]bool{}
		for i := range 3 {
			agent := fmt.Sprint("agent", i)
			for name := range walked(t, s, agent) {
				left[name] = true
			}
			if st, err := s.Stats(t.Context(), agent); err != nil {
				t.Errorf("seed %d, page %d: %+v, %v", seed, n, st, err)
			}
		}
		for name := range want {
			if !left[name] {
				t.Errorf("seed %d, page %d: %s is neither shown nor named", seed, n, name)
			}
		}
		s.Close()
	}
	if opened < len(damageSeeds())/2 {
		t.Errorf("only %d stores could be opened", opened)
	}
}

// walked returns what an export shows of a bank, and what it names as unreadable.
func walked(t *testing.T, s *Store, agent string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for _, err := range []error{
		s.EachRecord(t.Context(), agent, func(r memory.Record) error { all[r.ID] = true; return nil }),
		s.EachTurn(t.Context(), agent, func(m memory.Turn) error { all[m.ID] = true; return nil }),
	} {
		var some *memory.Unreadable
		switch {
		case errors.As(err, &some):
			for _, id := range some.IDs {
				all[id] = true
			}
		case err != nil:
			t.Errorf("walk: %v", err)
		}
	}
	return all
}

// TestChangedContent: a text that is not what was saved is marked where it is read, and
// found by the caretaker; the others are as they were.
func TestChangedContent(t *testing.T) {
	s := newStore(t, 8)
	good, bad := fact("ann", "The harbour opens at nine."), fact("ann", "The harbour closes at ten.")
	insert(t, s, nil, good, bad)
	err := s.Write(t.Context(), "ann", func(tx memory.Tx) error {
		_,
			err := tx.InsertTurns([]memory.Turn{{ID: "t1", Agent: "ann", Session: "s", Speaker: "Ann", Content: "Hello.", SaidAt: start,
			CreatedAt: start}}, nil)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if h := looked(t, s); len(h.Problems) > 0 {
		t.Errorf("before: %+v", h)
	}
	if err := s.writer.script(t.Context(),
		`UPDATE records SET content = replace(content, 'ten', 'two'); UPDATE turns SET content = 'Hullo.'`); err != nil {
		t.Fatal(err)
	}
	found, err := s.Records(t.Context(), "ann", []string{good.ID, bad.ID})
	if err != nil || len(found) != 2 || found[0].Damaged || !found[1].Damaged {
		t.Errorf("%+v, %v", found, err)
	}
	turns := 0
	if err := s.EachTurn(t.Context(), "ann", func(m memory.Turn) error {
		if turns++; !m.Damaged {
			t.Error("a changed turn is not marked")
		}
		return nil
	}); err != nil || turns != 1 {
		t.Errorf("%d turns, %v", turns, err)
	}
	h := looked(t, s)
	if len(h.Problems) != 1 || !strings.Contains(h.Problems[0].Detail, bad.ID) || strings.Contains(h.Problems[0].Detail, good.ID) {
		t.Errorf("%+v", h)
	}
	// Somebody has seen to it.
	if err := s.writer.script(t.Context(), `UPDATE records SET archived_at = 1 WHERE content LIKE '%two%'; DELETE FROM turns`); err != nil {
		t.Fatal(err)
	}
	if h := looked(t, s); slices.ContainsFunc(h.Problems,
		func(f memory.Finding) bool { return strings.Contains(f.Detail, "not what was saved") }) {
		t.Errorf("afterwards: %+v", h)
	}
}

// TestOlderChecksums: what was stored before there were checksums gets them.
func TestOlderChecksums(t *testing.T) {
	s := newStore(t, 8)
	words := newLexicon(3)
	for range 3 {
		var batch []memory.Record
		for range 400 {
			batch = append(batch, fact("ann", words.sentence(40)))
		}
		insert(t, s, nil, batch...)
	}
	if err := s.writer.script(t.Context(),
		`UPDATE records SET checksum = NULL; INSERT INTO checksums_due SELECT agent, last_seq + 1 FROM banks`); err != nil {
		t.Fatal(err)
	}
	for more, n := true, 0; more; n++ {
		var err error
		if more, err = s.sumDue(t.Context()); err != nil || n > 10 {
			t.Fatal(n, err)
		}
	}
	var missing int
	if err := s.read.QueryRowContext(t.Context(), `SELECT count(*) FROM records WHERE checksum IS NULL`).Scan(&missing); err != nil ||
		missing != 0 {
		t.Errorf("%d have none, %v", missing, err)
	}
	if err := s.EachRecord(t.Context(), "ann", func(r memory.Record) error {
		if r.Damaged {
			return errors.New(r.ID)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// TestLookYields: a call ends the look that is under way.
func TestLookYields(t *testing.T) {
	s := newStore(t, 8)
	begun := make(chan struct{})
	ended := make(chan error)
	go func() {
		_, err := s.look(t.Context(), true, func(ctx context.Context) ([]string, error) {
			close(begun)
			<-ctx.Done()
			return nil, ctx.Err()
		})
		ended <- err
	}()
	<-begun
	if _, err := s.Stats(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the look goes on beside a call")
	}
}

// BenchmarkChecksum is of a content of 300 bytes.
func BenchmarkChecksum(b *testing.B) {
	r := fact("ann", strings.Repeat("harbour ", 38))
	for b.Loop() {
		rows.RecordSum(&r)
	}
}

// BenchmarkCallBesideLook measures a read while the file is looked through, and reports the slowest.
func BenchmarkCallBesideLook(b *testing.B) {
	s := newStore(b, 8)
	words := newLexicon(3)
	for range 50 {
		var batch []memory.Record
		for range 400 {
			batch = append(batch, fact("ann", words.sentence(300)))
		}
		insert(b, s, nil, batch...)
	}
	for _, looking := range []bool{false, true} {
		b.Run(fmt.Sprint("looking=", looking), func(b *testing.B) {
			ctx, stop := context.WithCancel(b.Context())
			var work sync.WaitGroup
			if looking {
				s.care.tempo = tempo{time.Millisecond, time.Millisecond, time.Millisecond, 0}
				work.Go(func() { s.Tend(ctx) })
			}
			var took []time.Duration
			for b.Loop() {
				time.Sleep(5 * time.Millisecond)
				begun := time.Now()
				if _, err := s.Records(ctx, "ann", []string{"x"}); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(begun))
			}
			stop()
			work.Wait()
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
			b.ReportMetric(float64(took[len(took)-1].Microseconds()), "max-µs")
		})
	}
}

// TestDamageIsLoggedOnce: what is found while nobody calls stands in the log, with what
// to do about it, and not again at every look.
func TestDamageIsLoggedOnce(t *testing.T) {
	path := richFile(t)
	for n := 3; ; n++ {
		damaged := copyTo(t, path)
		damage(t, damaged, n, rand.New(rand.NewPCG(uint64(n), 8)))
		var log strings.Builder
		s, err := Open(t.Context(), damaged, Options{Embedder: embedder(8), Clock: clock, Log: slog.New(slog.NewTextHandler(&log, nil))})
		if err != nil {
			continue
		}
		broken := looked(t, s).Broken()
		broken = looked(t, s).Broken() && broken // what is derived is made anew at the first look
		if err := s.Close(); !broken {           // made anew
			continue
		} else if err != nil && memory.CodeOf(err) != memory.CodeUnavailable {
			t.Error(err)
		}
		lines := strings.Split(strings.TrimSpace(log.String()), "\n")
		slices.Sort(lines)
		said := map[string]bool{}
		for _, line := range lines {
			_, found, _ := strings.Cut(line, "level=")
			if said[found] || !strings.Contains(line, "the database is damaged") || !strings.Contains(line, "doctor --repair") {
				t.Errorf("page %d: %s", n, line)
			}
			said[found] = true
		}
		return
	}
}
