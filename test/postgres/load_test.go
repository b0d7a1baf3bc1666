//go:build postgres

package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mcp-memory/db"
	"mcp-memory/memory"
)

func now() time.Time { return time.Now() }

var ids = memory.NewIDs(now)

func fact(agent, content string) memory.Record {
	return memory.Record{
		ID: ids.New(), Agent: agent, Kind: memory.KindFact, Category: memory.CategoryOther, Content: content,
		Importance: memory.DefaultImportance, Source: memory.SourceUser, Confirmations: 1, CreatedAt: now(),
	}
}

func trySave(ctx context.Context, s memory.Store, agent, content string) error {
	return s.Write(ctx, agent, func(tx memory.Tx) error { return tx.InsertRecord(fact(agent, content), nil) })
}

func save(t *testing.T, s memory.Store, agent, content string) {
	t.Helper()
	if err := trySave(t.Context(), s, agent, content); err != nil {
		t.Fatal(err)
	}
}

// contents returns what a bank has, in order of arrival.
func contents(t *testing.T, s memory.Store, agent string) (all []string) {
	t.Helper()
	if err := s.EachRecord(t.Context(), agent, func(r memory.Record) error {
		all = append(all, r.Content)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// openAt opens a store that waits for so long for a database that is away.
func openAt(t *testing.T, url string, patience time.Duration) memory.Store {
	t.Helper()
	s, err := db.Open(t.Context(), url, db.Options{Embedder: fingerprint, Clock: now, BusyTimeout: patience})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// report prints what a test has counted; run.sh shows it.
func report(t *testing.T, format string, args ...any) {
	fmt.Printf("postgres: %s: %s\n", t.Name(), fmt.Sprintf(format, args...))
}

// refused reports whether an error tells a caller that the database is away, and what to do.
func refused(err error) bool {
	var known *memory.Error
	return errors.As(err, &known) && known.Code == memory.CodeUnavailable && known.Hint != ""
}

// callTime is what a call has under load, far less than in real use.
const callTime = 5 * time.Second

// load is what callers see of a store while something happens to its database.
type load struct {
	t                               *testing.T
	acknowledged, refused, answered atomic.Int64
	missed                          atomic.Int64 // reads that were refused
	longest                         atomic.Int64 // call, in nanoseconds
	mu                              sync.Mutex
	kept                            map[string]bool // agent: content
}

// call runs one and looks at its error. It reports whether the call was done.
func (l *load) call(what string, fn func(ctx context.Context) error) bool {
	ctx, cancel := context.WithTimeout(l.t.Context(), callTime)
	defer cancel()
	began := time.Now()
	err := fn(ctx)
	if took := time.Since(began).Nanoseconds(); took > l.longest.Load() {
		l.longest.Store(took)
	}
	if err != nil && !refused(err) {
		l.t.Errorf("%s: %v (%v)", what, err, errors.Unwrap(err))
	}
	return err == nil
}

func (l *load) write(s memory.Store, stop context.Context, w int) {
	agent := fmt.Sprint("agent", w%2)
	for n := 0; stop.Err() == nil && !l.t.Failed(); n++ {
		content := fmt.Sprintf("%s, %d of writer %d", ids.New(), n, w)
		if l.call("save", func(ctx context.Context) error { return trySave(ctx, s, agent, content) }) {
			l.mu.Lock()
			l.kept[agent+": "+content] = true
			l.mu.Unlock()
			l.acknowledged.Add(1)
		} else {
			l.refused.Add(1)
			time.Sleep(time.Millisecond)
		}
	}
}

func (l *load) read(s memory.Store, stop context.Context) {
	for stop.Err() == nil && !l.t.Failed() {
		var before, after memory.Changes
		if l.call("read", func(ctx context.Context) (err error) { before, err = s.Changes(ctx, "agent0"); return err }) {
			l.answered.Add(1)
		} else {
			l.missed.Add(1)
		}
		if l.call("read", func(ctx context.Context) (err error) { after, err = s.Changes(ctx, "agent0"); return err }) &&
			after.Writes < before.Writes {
			l.t.Errorf("the bank went back from change %d to %d", before.Writes, after.Writes)
		}
		time.Sleep(time.Millisecond)
	}
}

// underLoad saves and reads from several goroutines while disturb does its worst, waits until
// saves succeed again, and compares what was acknowledged with what is there: nothing is lost,
// and nothing is doubled.
func underLoad(t *testing.T, s memory.Store, disturb func()) *load {
	t.Helper()
	l := &load{t: t, kept: map[string]bool{}}
	stop, end := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() { l.write(s, stop, w) })
	}
	wg.Go(func() { l.read(s, stop) })
	disturb()
	before, waited := l.acknowledged.Load(), time.Now()
	for l.acknowledged.Load() < before+10 && !t.Failed() { // it recovers without a restart
		if time.Sleep(10 * time.Millisecond); time.Since(waited) > time.Minute {
			t.Error("a minute later it has not recovered")
		}
	}
	end()
	wg.Wait()
	lost, doubled := l.compare(s)
	report(t, "%d acknowledged, %d refused, %d lost, %d doubled; %d reads, %d refused; the longest call %.1f s",
		l.acknowledged.Load(), l.refused.Load(), lost, doubled,
		l.answered.Load(), l.missed.Load(), time.Duration(l.longest.Load()).Seconds())
	if lost > 0 || doubled > 0 {
		t.Errorf("%d lost, %d doubled", lost, doubled)
	}
	return l
}

// compare returns how much of what was acknowledged is not there, or twice.
func (l *load) compare(s memory.Store) (lost, doubled int) {
	l.t.Helper()
	found := map[string]int{}
	for _, agent := range []string{"agent0", "agent1"} {
		for _, content := range contents(l.t, s, agent) {
			found[agent+": "+content]++
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for what := range maps.Keys(l.kept) {
		if found[what] == 0 {
			lost++
		}
	}
	for _, n := range found {
		if n > 1 {
			doubled++
		}
	}
	return lost, doubled
}
