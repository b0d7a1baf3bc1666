package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mcp-memory/memory"
)

// fullBank stores many records, some of them with a word that is nowhere else, and
// returns those.
func fullBank(t testing.TB, s *Store, n, every int) (secrets []memory.Record) {
	t.Helper()
	words, random := newLexicon(4), rand.New(rand.NewPCG(4, 4))
	var batch []memory.Record
	for i := range n {
		r := fact("ann", words.sentence(20+random.IntN(300)))
		if random.IntN(50) == 0 {
			r.Content = words.sentence(9000) // overflow pages
		}
		if every > 0 && i%every == 0 {
			r.Content = fmt.Sprintf("%s The locker has the number zyq%05dumbra.", r.Content, i)
			secrets = append(secrets, r)
		}
		if batch = append(batch, r); len(batch) == 250 || i == n-1 {
			insert(t, s, unit(random, 8), batch...)
			batch = nil
		}
	}
	return secrets
}

// TestNothingOfManyIsLeft erases records in the midst of others, which lie in pages that
// were split and filled again; none of their words is in the files afterwards, and the others are as they were.
func TestNothingOfManyIsLeft(t *testing.T) {
	t.Parallel()
	s := newStore(t, 8)
	secrets := fullBank(t, s, 1500, 10)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(secrets), func(i, j int) { secrets[i], secrets[j] = secrets[j], secrets[i] })
	for some := range slices.Chunk(secrets, 50) {
		erase(t, s, some...)
		if st, err := s.Stats(t.Context(), "ann"); err != nil || !st.ErasePending {
			t.Errorf("%+v, %v", st, err)
		}
		if err := s.Scrub(t.Context()); err != nil {
			t.Fatal(err)
		}
		var all []byte
		for _, suffix := range []string{"", "-wal"} {
			text, err := os.ReadFile(s.path + suffix)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, text...)
		}
		text := string(all)
		for _, r := range some {
			word := r.Content[len(r.Content)-len("zyq00000umbra."):]
			if strings.Contains(text, word[:8]) {
				t.Errorf("%s is still there", word)
			}
		}
	}
	st, err := s.Stats(t.Context(), "ann")
	if err != nil || st.ErasePending || st.Records != 1350 {
		t.Errorf("%+v, %v", st, err)
	}
	integrity(t, s)
	if said := broken(Examine(t.Context(), s.path)); said != "" {
		t.Error(said)
	}
}

// Who cannot wait is told so, and whoever tends the store goes on.
func TestScrubGoesOn(t *testing.T) {
	s := newStore(t, 8)
	if !s.stepwise(t.Context()) {
		t.Skip("this SQLite does not show its pages")
	}
	secrets := fullBank(t, s, 600, 50)
	erase(t, s, secrets...)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := s.Scrub(ctx); memory.CodeOf(err) != memory.CodeUnavailable {
		t.Fatalf("in a millisecond: %v", err)
	}
	tending, stop := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() { s.Tend(tending) })
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		st, err := s.Stats(t.Context(), "ann")
		if err != nil || time.Now().After(deadline) {
			t.Fatal(st, err)
		}
		if !st.ErasePending {
			break
		}
	}
	stop()
	work.Wait()
	if holds(t, s.path, []byte("zyq00")) {
		t.Error("it is still there")
	}
}

// BenchmarkSaveBesideErase measures saves while a record is erased from a large file, and
// reports the slowest. MCP_MEMORY_BENCH_RECORDS is how many there are.
func BenchmarkSaveBesideErase(b *testing.B) {
	s := newStore(b, 8)
	n := 20_000
	fmt.Sscan(os.Getenv("MCP_MEMORY_BENCH_RECORDS"), &n)
	secrets := fullBank(b, s, n, 100)
	vector := unit(rand.New(rand.NewPCG(1, 2)), 8)
	b.ReportMetric(float64(size(b, s.path))/(1<<20), "MiB")
	var took []time.Duration
	var scrubbing time.Duration
	for b.Loop() {
		erase(b, s, secrets[0])
		secrets = secrets[1:]
		done := make(chan error)
		begun := time.Now()
		go func() { done <- s.Scrub(b.Context()) }()
		for ended := false; !ended; {
			one := time.Now()
			insert(b, s, vector, fact("ann", "The harbour opens at nine."))
			took = append(took, time.Since(one))
			select {
			case err := <-done:
				if ended = true; err != nil {
					b.Fatal(err)
				}
			case <-time.After(5 * time.Millisecond):
			}
		}
		scrubbing = time.Since(begun)
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "slowest-ms")
	b.ReportMetric(scrubbing.Seconds(), "last-scrub-s")
}
