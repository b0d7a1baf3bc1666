package review_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/review"
)

// gate is a store whose looks wait until the test lets them go on.
type gate struct {
	review.Store
	begun chan struct{}
	pass  chan struct{}
}

func (g gate) Documents(ctx context.Context, corpus memory.Corpus, f memory.Filter, seqs []int64) ([]memory.Document, error) {
	g.begun <- struct{}{}
	select {
	case <-g.pass:
		return g.Store.Documents(ctx, corpus, f, seqs)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// world is a bank with two facts that say the same, and the review of it.
type world struct {
	*testing.T
	bank   *testbank.Bank
	gate   gate
	review *review.Service
	ids    []string
}

func newWorld(t *testing.T) *world {
	w := &world{T: t, bank: testbank.New(t, testbank.Options{})}
	w.gate = gate{w.bank.Store, make(chan struct{}, 10), make(chan struct{})}
	w.review = review.New(review.Options{Store: w.gate, Clock: w.bank.Clock, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(w.review.Close)
	w.save("The harbour office opens at seven in the morning.")
	w.save("The harbour office opens in the morning at seven.")
	return w
}

func (w *world) save(content string) {
	w.Helper()
	saved, err := w.bank.Remember.Save(w.Context(), memory.Scope{Agent: "default"}, remember.SaveRequest{Content: content})
	if err != nil {
		w.Fatal(err)
	}
	w.ids = append(w.ids, saved.ID)
}

// must finds so many items.
func (w *world) must(items int, looked, again bool) []review.Item {
	w.Helper()
	found, err := w.review.Items(w.Context(), "default")
	if err != nil || len(found.Items) != items || found.Looked != looked || found.Again != again {
		w.Fatalf("%d items, looked %v, again %v, %v", len(found.Items), found.Looked, found.Again, err)
	}
	return found.Items
}

// ended waits until so many looks have.
func (w *world) ended(looks int) {
	w.Helper()
	for try := 0; w.review.Looks("default") < looks; try++ {
		if try == 1000 {
			w.Fatal("the look does not end")
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (w *world) forget(id string) {
	w.Helper()
	if _, err := w.bank.Remember.Forget(w.Context(), memory.Scope{Agent: "default"},
		remember.ForgetRequest{IDs: []string{id}}); err != nil {
		w.Fatal(err)
	}
}

// TestNobodyWaitsForALook: while one is under way there is what the last one found, less what was decided since.
func TestNobodyWaitsForALook(t *testing.T) {
	w := newWorld(t)
	w.must(0, false, false)
	if n, known := w.review.Count("default"); known {
		t.Errorf("%d are known before the first look", n)
	}
	<-w.gate.begun
	w.must(0, false, false)
	w.gate.pass <- struct{}{}
	w.ended(1)
	w.must(1, true, false)

	w.save("The harbour office opens at seven, in the morning!")
	w.must(1, true, true)
	<-w.gate.begun
	w.must(1, true, true)
	if n, known := w.review.Count("default"); n != 1 || !known {
		t.Errorf("%d are counted, %v", n, known)
	}
	if len(w.gate.begun) > 0 {
		t.Error("two looks at once")
	}
	w.gate.pass <- struct{}{}
	w.ended(2)
	w.must(3, true, false)
}

// TestDecidedIsGoneAtOnce, and comes back at once where the last look knows it.
func TestDecidedIsGoneAtOnce(t *testing.T) {
	w := newWorld(t)
	w.must(0, false, false)
	w.gate.pass <- struct{}{}
	w.ended(1)
	item := w.must(1, true, false)[0]
	keep := func(again bool) {
		t.Helper()
		if err := w.review.Keep(t.Context(), "default", item.Key, again); err != nil {
			t.Fatal(err)
		}
	}
	keep(false)
	w.must(0, true, true)
	if n, _ := w.review.Count("default"); n != 0 {
		t.Errorf("%d are counted", n)
	}
	keep(true)
	w.must(1, true, true)
	// Another text makes it another question, which the next look finds.
	changed := "The harbour office opens at nine."
	if _, err := w.bank.Remember.Update(t.Context(), memory.Scope{Agent: "default"},
		remember.UpdateRequest{ID: item.Newer.ID, Content: &changed}); err != nil {
		t.Fatal(err)
	}
	w.must(0, true, true)
}

// TestWriteDuringALook is seen by the next one, which follows without anybody's asking again.
func TestWriteDuringALook(t *testing.T) {
	w := newWorld(t)
	w.must(0, false, false)
	<-w.gate.begun
	w.forget(w.ids[0])
	w.must(0, false, false)
	w.gate.pass <- struct{}{}
	w.gate.pass <- struct{}{}
	w.ended(2)
	w.must(0, true, false)
}

// TestCloseEndsALook, and no look starts after it.
func TestCloseEndsALook(t *testing.T) {
	w := newWorld(t)
	w.must(0, false, false)
	<-w.gate.begun
	w.review.Close()
	w.must(0, false, false)
	if len(w.gate.begun) > 0 || w.review.Looks("default") != 0 {
		t.Error("it goes on looking")
	}
}
