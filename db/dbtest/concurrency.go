package dbtest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"mcp-memory/memory"
)

var concurrencyTests = map[string]func(*testing.T, *env){
	"one store, many writers":     oneStore,
	"two stores, many writers":    twoStores,
	"what one wrote others see":   othersSee,
	"read, then write":            readThenWrite,
	"cancelled while waiting":     cancelledWaiting,
	"cancelled inside":            cancelledInside,
	"cancelled before":            cancelledBefore,
	"reading during a long write": readDuringWrite,
}

func oneStore(t *testing.T, e *env) { manyWriters(t, e, e.Store) }

func twoStores(t *testing.T, e *env) { manyWriters(t, e, e.Store, e.another(t, Fingerprint)) }

// manyWriters saves from several goroutines through each store while others search, and then
// compares the statistics with the number of writes.
func manyWriters(t *testing.T, e *env, stores ...memory.Store) {
	const writers, each = 3, 8
	var wg sync.WaitGroup
	for i, s := range stores {
		for w := range writers {
			wg.Go(func() {
				for n := range each {
					r := e.record(fmt.Sprintf("harbour %d of %d at %d", n, w, i))
					said := e.turn("harbour", func(t *memory.Turn) { t.ExternalID = r.ID })
					err := s.Write(t.Context(), agent, func(tx memory.Tx) error {
						if _, err := tx.InsertTurns([]memory.Turn{said}, nil); err != nil {
							return err
						}
						return tx.InsertRecord(r, towards(0.5))
					})
					if err != nil {
						t.Errorf("write: %v", err)
					}
				}
			})
			wg.Go(func() {
				for range each {
					for way, search := range searches {
						if _, err := search(t.Context(), s, memory.Memories, memory.Filter{Agent: agent}, 10); err != nil {
							t.Errorf("%s: %v", way, err)
						}
					}
				}
			})
		}
	}
	wg.Wait()
	want := len(stores) * writers * each
	for _, c := range memory.Corpora() {
		stats, err := e.Statistics(t.Context(), agent, c, []string{"harbour"})
		if err != nil || stats.Documents != want || stats.Frequency["harbour"] != want {
			t.Errorf("%s: %+v, %v; want %d", c, stats, err, want)
		}
	}
	for way, search := range searches {
		if hits, err := search(t.Context(), e, memory.Memories, memory.Filter{Agent: agent}, 1000); len(hits) != want || err != nil {
			t.Errorf("%s: %d hits, %v; want %d", way, len(hits), err, want)
		}
	}
	for i, turn := range everyTurn(t, e) {
		if turn.Index != i {
			t.Errorf("turn %d has index %d", i, turn.Index)
		}
	}
}

func othersSee(t *testing.T, e *env) {
	other := e.another(t, Fingerprint)
	r := e.record("The harbour is deep.")
	e.save(t, towards(1), r)
	for way, search := range searches {
		if hits, err := search(t.Context(), other, memory.Memories, memory.Filter{Agent: agent}, 5); len(hits) != 1 || err != nil {
			t.Errorf("%s: %v, %v", way, hits, err)
		}
	}
	err := other.Write(t.Context(), agent, func(tx memory.Tx) error { return tx.EraseRecord(r.ID) })
	if err != nil {
		t.Fatal(err)
	}
	if got, err := e.Records(t.Context(), agent, []string{r.ID}); len(got) != 0 || err != nil {
		t.Errorf("after the other erased it: %v, %v", got, err)
	}
}

// readThenWrite increments a counter in parallel: what a transaction has read must not change until
// it commits.
func readThenWrite(t *testing.T, e *env) {
	r := e.record("counter")
	r.Confirmations = 0
	e.save(t, nil, r)
	stores := []memory.Store{e.Store, e.another(t, Fingerprint)}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 6 {
				err := stores[i%2].Write(t.Context(), agent, func(tx memory.Tx) error {
					now, err := tx.Record(r.ID)
					if err != nil {
						return err
					}
					now.Confirmations++
					return tx.UpdateRecord(now)
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	got, err := e.Records(t.Context(), agent, []string{r.ID})
	if err != nil || len(got) != 1 || got[0].Confirmations != 24 {
		t.Errorf("counted to %+v, %v; want 24", got, err)
	}
}

// cancelledWaiting cancels a write that waits for another one, through the same store and through
// another one.
func cancelledWaiting(t *testing.T, e *env) {
	other := e.another(t, Fingerprint)
	for name, s := range map[string]memory.Store{"same store": e.Store, "other store": other} {
		entered, leave, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
		go func() {
			done <- e.Write(t.Context(), agent, func(memory.Tx) error {
				close(entered)
				<-leave
				return nil
			})
		}()
		<-entered
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(10*time.Millisecond, cancel) // any moment will do
		err := s.Write(ctx, agent, func(tx memory.Tx) error {
			t.Errorf("%s: got in", name)
			return tx.InsertRecord(e.record("harbour"), nil)
		})
		wantCode(t, err, memory.CodeUnavailable)
		close(leave)
		if err := <-done; err != nil {
			t.Errorf("%s: the write in front: %v", name, err)
		}
		stillEmpty(t, e, s)
	}
}

func cancelledInside(t *testing.T, e *env) {
	e.write(t, func(memory.Tx) error { return nil })
	for name, also := range map[string]func(memory.Tx) error{
		"last":      func(memory.Tx) error { return nil },
		"then goes": func(tx memory.Tx) error { return tx.InsertRecord(e.record("another harbour"), nil) },
		"ignores it": func(tx memory.Tx) error {
			_ = tx.InsertRecord(e.record("another harbour"), nil)
			return nil
		},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		err := e.Write(ctx, agent, func(tx memory.Tx) error {
			if err := tx.InsertRecord(e.record("harbour"), nil); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			cancel()
			return also(tx)
		})
		wantCode(t, err, memory.CodeUnavailable)
		stillEmpty(t, e, e.Store)
	}
}

func cancelledBefore(t *testing.T, e *env) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := e.Write(ctx, agent, func(memory.Tx) error { t.Error("got in"); return nil })
	wantCode(t, err, memory.CodeUnavailable)
	_, err = searches["words"](ctx, e, memory.Memories, memory.Filter{Agent: agent}, 5)
	wantCode(t, err, memory.CodeUnavailable)
	stillEmpty(t, e, e.Store)
}

// stillEmpty checks that nothing was saved and that a store still works.
func stillEmpty(t *testing.T, e *env, s memory.Store) {
	t.Helper()
	stats, err := s.Stats(t.Context(), agent)
	if err != nil || stats.Records != 0 {
		t.Errorf("%+v, %v; want no record", stats, err)
	}
	r := e.record("works")
	for _, fn := range []func(memory.Tx) error{
		func(tx memory.Tx) error { return tx.InsertRecord(r, nil) },
		func(tx memory.Tx) error { return tx.EraseRecord(r.ID) },
	} {
		if err := s.Write(t.Context(), agent, fn); err != nil {
			t.Errorf("writing afterwards: %v", err)
		}
	}
}

func readDuringWrite(t *testing.T, e *env) {
	e.save(t, towards(1), e.record("harbour before"))
	e.write(t, func(tx memory.Tx) error {
		if err := tx.InsertRecord(e.record("harbour during"), towards(1)); err != nil {
			return err
		}
		for way, search := range searches {
			hits, err := search(t.Context(), e, memory.Memories, memory.Filter{Agent: agent}, 5)
			if got := e.names(t, memory.Memories, agent, hits, err); len(got) != 1 || got[0] != "harbour before" {
				t.Errorf("%s: %q", way, got)
			}
		}
		return nil
	})
}
