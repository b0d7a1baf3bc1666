package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"mcp-memory/memory"
)

// patience is how long a test waits for what should happen at once.
const patience = 30 * time.Second

// inOneBatch starts one write that ends only when the others wait in the
// queue, so that they are its batch, and returns the outcome of each; of a
// panic what it said.
func inOneBatch(t *testing.T, s *Store, first func(memory.Tx) error, others ...func(memory.Tx) error) (outcomes []error) {
	t.Helper()
	outcomes = make([]error, 1+len(others))
	write := func(i int, fn func(memory.Tx) error) {
		defer func() {
			if p := recover(); p != nil {
				outcomes[i] = fmt.Errorf("panic: %v", p)
			}
		}()
		outcomes[i] = s.Write(t.Context(), "ann", fn)
	}
	var wg sync.WaitGroup
	entered := make(chan struct{})
	wg.Go(func() {
		write(0, func(tx memory.Tx) error {
			close(entered)
			for begun := time.Now(); queuedWrites(s) < len(others) && time.Since(begun) < patience/2; {
				time.Sleep(time.Millisecond)
			}
			return first(tx)
		})
	})
	<-entered
	for i, fn := range others {
		wg.Go(func() { write(i+1, fn) })
		for i < len(others)-1 && queuedWrites(s) <= i { // the order is part of the tests
			time.Sleep(time.Millisecond)
		}
	}
	// A failure of the test would wait for Close, and that for the write.
	defer time.AfterFunc(patience, func() { panic("a write never ended") }).Stop()
	wg.Wait()
	return outcomes
}

func queuedWrites(s *Store) int {
	s.writer.queue.mu.Lock()
	defer s.writer.queue.mu.Unlock()
	return len(s.writer.queue.writes)
}

func inserting(r memory.Record) func(memory.Tx) error {
	return func(tx memory.Tx) error { return tx.InsertRecord(r, normal([]float32{1, 0, 0, 0, 0, 0, 0, 1})) }
}

// TestGroupCommit: one commit for all that waited, and each has its own
// outcome. What failed has left nothing behind, in no index.
func TestGroupCommit(t *testing.T) {
	s := newStore(t, 8)
	outcomes := inOneBatch(t, s,
		inserting(fact("ann", "The harbour is deep.")),
		func(tx memory.Tx) error {
			if n := count(t, s, "records"); n != 0 {
				t.Errorf("%d records before the commit", n)
			}
			if known, err := tx.RecordByContent("", memory.KindFact, "the harbour is deep"); err != nil || known == nil {
				t.Errorf("the write in front: %v, %v", known, err)
			}
			return inserting(fact("ann", "The harbour is wide."))(tx)
		},
		func(tx memory.Tx) error {
			_ = inserting(fact("ann", "The harbour is closed."))(tx)
			return errors.New("refused")
		},
		func(tx memory.Tx) error {
			_ = inserting(fact("ann", "The harbour is on fire."))(tx)
			panic("flames")
		},
		inserting(fact("ann", "The harbour is old.")),
	)
	for i, want := range []string{"", "", "refused", "flames", ""} {
		if err := outcomes[i]; (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("write %d: %v, want %q", i, err, want)
		}
	}
	for _, table := range []string{"records", "memories_words", "memories_parts", s.vector.table(memory.Memories)} {
		if n := count(t, s, table); n != 3 {
			t.Errorf("%d rows in %s", n, table)
		}
	}
	stats, err := s.Statistics(t.Context(), "ann", memory.Memories, []string{"harbour", "fire", "close"})
	if err != nil || stats.Documents != 3 || stats.Frequency["harbour"] != 3 || stats.Frequency["fire"]+stats.Frequency["close"] != 0 {
		t.Errorf("%+v, %v", stats, err)
	}
	integrity(t, s)
}

// TestFirstFails: writes that waited for one that fails are not touched by it.
func TestFirstFails(t *testing.T) {
	s := newStore(t, 8)
	refused := errors.New("refused")
	outcomes := inOneBatch(t, s, func(tx memory.Tx) error {
		_ = inserting(fact("ann", "closed"))(tx)
		return refused
	}, inserting(fact("ann", "open")), inserting(fact("ann", "wide")))
	if !errors.Is(outcomes[0], refused) || outcomes[1] != nil || outcomes[2] != nil {
		t.Errorf("%v", outcomes)
	}
	if n := count(t, s, "records"); n != 2 {
		t.Errorf("%d records", n)
	}
}

// TestCancelledInBatch: a write that is cancelled while it waits is not done, and one
// that is cancelled inside is rolled back.
func TestCancelledInBatch(t *testing.T) {
	s := newStore(t, 8)
	before, inside := make(chan error, 1), make(chan error, 1)
	err := s.Write(t.Context(), "ann", func(tx memory.Tx) error {
		early, cancelEarly := context.WithCancel(t.Context())
		go func() {
			before <- s.Write(early, "ann", func(memory.Tx) error { t.Error("got in"); return nil })
		}()
		for queuedWrites(s) < 1 {
			time.Sleep(time.Millisecond)
		}
		cancelEarly()
		wantUnavailable(t, <-before) // at once: this write has not ended
		late, cancelLate := context.WithCancel(t.Context())
		go func() {
			inside <- s.writer.do(late, func(w *writer) error {
				defer cancelLate()
				return w.exec(late, `INSERT INTO banks (agent, bank, last_seq, created_at) VALUES ('late', 9, 0, 0)`)
			})
		}()
		for queuedWrites(s) < 1 {
			time.Sleep(time.Millisecond)
		}
		return inserting(fact("ann", "in time"))(tx)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-inside; !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled inside: %v", err)
	}
	if records, banks := count(t, s, "records"), count(t, s, "banks"); records != 1 || banks != 1 {
		t.Errorf("%d records, %d banks", records, banks)
	}
}

// TestTransactionEndsInBatch: SQLite may end a transaction with an error. Then
// nothing of it was written, and everybody in it is told so.
func TestTransactionEndsInBatch(t *testing.T) {
	s := newStore(t, 8)
	ended := errors.New("out of memory")
	outcomes := inOneBatch(t, s,
		inserting(fact("ann", "in front")),
		inserting(fact("ann", "second")),
		func(memory.Tx) error {
			return errors.Join(ended, s.writer.exec(t.Context(), "ROLLBACK"))
		},
	)
	for i, err := range outcomes {
		if !errors.Is(err, ended) {
			t.Errorf("write %d: %v", i, err)
		}
	}
	if n := count(t, s, "records"); n != 0 {
		t.Errorf("%d records", n)
	}
	insert(t, s, nil, fact("ann", "afterwards"))
	integrity(t, s)
}

// TestDiskFullInBatch: where there is no room for all, nobody is told that a
// write is done which is not.
func TestDiskFullInBatch(t *testing.T) {
	s := newStore(t, 8)
	insert(t, s, nil, fact("ann", "before"))
	if err := s.writer.script(t.Context(), `PRAGMA max_page_count = 1`); err != nil { // not below what there is
		t.Fatal(err)
	}
	large := func(tx memory.Tx) error {
		for range 200 {
			if err := tx.InsertRecord(fact("ann", newLexicon(1).sentence(2000)), nil); err != nil {
				return err
			}
		}
		return nil
	}
	small := []memory.Record{fact("ann", "one"), fact("ann", "two")}
	outcomes := inOneBatch(t, s, inserting(small[0]), large, inserting(small[1]))
	wantUnavailable(t, outcomes[1])
	if memory.Public(outcomes[1]).Message != "the disk is full" {
		t.Errorf("full: %v", outcomes[1])
	}
	for i, r := range small {
		kept, err := s.Records(t.Context(), "ann", []string{r.ID})
		if err != nil || len(kept) == 1 != (outcomes[2*i] == nil) {
			t.Errorf("%q: %d kept, %v; told %v", r.Content, len(kept), err, outcomes[2*i])
		}
	}
	if err := s.writer.script(t.Context(), `PRAGMA max_page_count = 1000000`); err != nil {
		t.Fatal(err)
	}
	insert(t, s, nil, fact("ann", "afterwards"))
	integrity(t, s)
}
