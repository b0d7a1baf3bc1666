package remember_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

// manyFacts saves n facts of about 2.7 KB with words of their own, and returns their ids.
func manyFacts(t testing.TB, s *remember.Service, scope memory.Scope, n int) (ids []string) {
	t.Helper()
	random := rand.New(rand.NewPCG(7, 7))
	for from := 0; from < n; from += 100 {
		var batch []remember.SaveRequest
		for i := from; i < min(from+100, n); i++ {
			text := fmt.Sprintf("Note %d of the archive:", i)
			for len(text) < 2700 {
				text += fmt.Sprintf(" w%04dx", random.IntN(5000))
			}
			batch = append(batch, remember.SaveRequest{Content: text, Quiet: true})
		}
		results, err := s.SaveBatch(t.Context(), scope, batch)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// fewWrites is a store whose process dies after some writes.
type fewWrites struct {
	memory.Store
	left int
}

var errDied = errors.New("the process has died")

func (f *fewWrites) Write(ctx context.Context, agent string, fn func(memory.Tx) error) error {
	if f.left == 0 {
		return errDied
	}
	f.left--
	return f.Store.Write(ctx, agent, fn)
}

// TestErasureGoesOnAfterACrash: what a process could not erase any more the next one does.
func TestErasureGoesOnAfterACrash(t *testing.T) {
	all := testbank.New(t, testbank.Options{})
	ids := manyFacts(t, all.Remember, anna, 100)
	o := all.RememberOptions()
	o.Store = &fewWrites{Store: all.Store, left: 8} // two to read them, two to look for later versions
	request := remember.ForgetRequest{Query: "archive", Permanent: true, Confirm: true}
	if _, err := remember.New(o).Forget(t.Context(), anna, request); !errors.Is(err, errDied) {
		t.Fatalf("it was done in eight writes: %v", err)
	}
	left := func() int {
		t.Helper()
		records, err := all.Store.Records(t.Context(), "anna", ids)
		if err != nil {
			t.Fatal(err)
		}
		return len(records)
	}
	if n := left(); n == 0 || n == len(ids) {
		t.Fatalf("%d are left after the crash", n)
	}
	if err := all.Store.Scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	if st, err := all.Store.Stats(t.Context(), "anna"); err != nil || !st.ErasePending {
		t.Errorf("nothing is pending after the crash: %v", err)
	}
	if err := all.Remember.ResumeErasures(t.Context()); err != nil || left() != 0 {
		t.Errorf("%d are left, %v", left(), err)
	}
	cleared(t, all.Store)
	if st, err := all.Store.Stats(t.Context(), "anna"); err != nil || st.ErasePending || st.Records != 0 {
		t.Errorf("afterwards: %+v, %v", st, err)
	}
}

// besideErase erases n records while another process saves, and returns the longest that one of
// its saves took, how long the erasure did, and the same of as many saves that nothing is beside: what
// else the machine does.
func besideErase(t testing.TB, n int) (longest, alone, whole time.Duration, saves int) {
	t.Helper()
	own := testbank.New(t, testbank.Options{})
	other := testbank.New(t, testbank.Options{Dir: own.Dir})
	manyFacts(t, own.Remember, anna, n)
	done := make(chan error, 1)
	begun := time.Now()
	go func() {
		got, err := own.Remember.Forget(t.Context(), anna, remember.ForgetRequest{Query: "archive", Permanent: true, Confirm: true})
		if err == nil && got.Forgotten != n {
			err = fmt.Errorf("%d are erased of %d", got.Forgotten, n)
		}
		done <- err
	}()
	number := 0
	save := func() time.Duration {
		begun := time.Now()
		number++
		if _, err := other.Remember.Save(t.Context(), boris,
			remember.SaveRequest{Content: fmt.Sprintf("Crate %d stands in hall %d.", number, number%7), Quiet: true}); err != nil {
			t.Fatal(err)
		}
		return time.Since(begun)
	}
	for {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			whole = time.Since(begun)
			for range saves {
				time.Sleep(5 * time.Millisecond)
				alone = max(alone, save())
			}
			return longest, alone, whole, saves
		case <-time.After(5 * time.Millisecond):
		}
		longest, saves = max(longest, save()), saves+1
	}
}

// BenchmarkSaveBesideErasure reports the longest that a save of another process took while 2,000
// records of 2.7 KB were erased, and the longest of as many afterwards.
func BenchmarkSaveBesideErasure(b *testing.B) {
	for b.Loop() {
		longest, alone, whole, saves := besideErase(b, 2000)
		b.ReportMetric(float64(longest.Milliseconds()), "ms/longest")
		b.ReportMetric(float64(alone.Milliseconds()), "ms/alone")
		b.ReportMetric(whole.Seconds(), "s/erasure")
		b.ReportMetric(float64(saves), "saves")
	}
}

// counted counts the records that each transaction reads one by one, and erases.
type counted struct {
	memory.Store
	mostRead int
	erased   []int // of the transactions that erase some, in order
}

func (c *counted) Write(ctx context.Context, agent string, fn func(memory.Tx) error) error {
	return c.Store.Write(ctx, agent, func(tx memory.Tx) error {
		counting := &countedTx{Tx: tx}
		defer func() {
			c.mostRead = max(c.mostRead, counting.read)
			if counting.erased > 0 {
				c.erased = append(c.erased, counting.erased)
			}
		}()
		return fn(counting)
	})
}

type countedTx struct {
	memory.Tx
	read, erased int
}

func (c *countedTx) Record(id string) (memory.Record, error) {
	c.read++
	return c.Tx.Record(id)
}

func (c *countedTx) EraseRecord(id string) error {
	c.erased++
	return c.Tx.EraseRecord(id)
}

// No transaction of an erasure reads or erases all of it, for others wait for each: it begins
// with few, and does at most twice as many as before.
func TestAnErasureGoesInSteps(t *testing.T) {
	all := testbank.New(t, testbank.Options{})
	manyFacts(t, all.Remember, anna, 80)
	o := all.RememberOptions()
	steps := &counted{Store: all.Store}
	o.Store = steps
	got, err := remember.New(o).Forget(t.Context(), anna, remember.ForgetRequest{Query: "archive", Permanent: true, Confirm: true})
	if err != nil || got.Forgotten != 80 {
		t.Fatalf("%+v, %v", got, err)
	}
	if steps.mostRead > 64 {
		t.Errorf("%d records are read in a transaction", steps.mostRead)
	}
	before, sum := 2, 0
	for _, n := range steps.erased {
		if n > 2*before {
			t.Errorf("steps of %v records", steps.erased)
		}
		before, sum = n, sum+n
	}
	if sum != 80 {
		t.Errorf("steps of %v records, of 80", steps.erased)
	}
}

// cancelling is a store whose caller gives up during a write.
type cancelling struct {
	memory.Store
	left   int
	cancel context.CancelFunc
}

func (c *cancelling) Write(ctx context.Context, agent string, fn func(memory.Tx) error) error {
	if c.left--; c.left == 0 {
		c.cancel()
	}
	return c.Store.Write(ctx, agent, fn)
}

// A call that is cut off in the midst of an erasure is told that it goes on, not that nothing was written.
func TestAnErasureThatIsCutOff(t *testing.T) {
	all := testbank.New(t, testbank.Options{})
	manyFacts(t, all.Remember, anna, 30)
	ctx, cancel := context.WithCancel(t.Context())
	o := all.RememberOptions()
	o.Store = &cancelling{Store: all.Store, left: 5, cancel: cancel} // one to read them, one to look for later versions
	_, err := remember.New(o).Forget(ctx, anna, remember.ForgetRequest{Query: "archive", Permanent: true, Confirm: true})
	if err == nil || memory.Public(err).Message != "what is to be erased is not all erased yet" {
		t.Errorf("%v", err)
	}
	if err := all.Remember.ResumeErasures(t.Context()); err != nil {
		t.Fatal(err)
	}
	if st, err := all.Store.Stats(t.Context(), "anna"); err != nil || st.Records != 0 {
		t.Errorf("%d are left, %v", st.Records, err)
	}
}
