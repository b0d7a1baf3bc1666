package job_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"mcp-memory/db/sqlite"
	"mcp-memory/internal/job"
	"mcp-memory/memory"
	"mcp-memory/test/backend"
)

const (
	agent   = "anna"
	kind    = "harvest"
	subject = "field"
	parked  = "waiting"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// bank is a database with a clock that stands still.
type bank struct {
	t     *testing.T
	store memory.Store
	now   atomic.Int64 // nanoseconds since start
}

func newBank(t *testing.T) *bank {
	t.Helper()
	b := &bank{t: t}
	store, err := backend.Open(t.Context(), filepath.Join(t.TempDir(), "bank.db"),
		sqlite.Options{Embedder: memory.Fingerprint{Model: "test", Dimensions: 8}, Clock: b.clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	b.store = store
	return b
}

func (b *bank) clock() time.Time { return start.Add(time.Duration(b.now.Load())) }

func (b *bank) later(d time.Duration) { b.now.Add(int64(d)) }

// worker is that of a process; those that are gone have ended.
func (b *bank) worker(process string, gone ...string) *job.Worker {
	return job.New(job.Options{
		Store: b.store, Kind: kind, Parked: parked, Clock: b.clock, IDs: memory.NewIDs(b.clock), Holder: process,
		Gone: func(holder string) bool { return slices.Contains(gone, holder) },
	})
}

// add stores a new job that has done a step.
func (b *bank) add(step string) {
	b.t.Helper()
	w := b.worker("planner")
	j, err := w.Draft(agent, subject, step, nil)
	if err == nil {
		err = w.Put(b.t.Context(), j)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// row is the job as it is stored, nil if there is none.
func (b *bank) row() *memory.Job {
	b.t.Helper()
	jobs, err := b.store.Jobs(b.t.Context(), agent, kind)
	if err != nil || len(jobs) > 1 {
		b.t.Fatal(jobs, err)
	}
	if len(jobs) == 0 {
		return nil
	}
	return &jobs[0]
}

// take takes the job, which has to be possible.
func (b *bank) take(w *job.Worker) *job.Lease {
	b.t.Helper()
	l, err := w.Take(b.t.Context(), agent, subject)
	if l == nil || err != nil {
		b.t.Fatalf("take: %v, %v", l, err)
	}
	return l
}

// TestTake tries to take a job that the process "first" has taken.
func TestTake(t *testing.T) {
	for name, c := range map[string]struct {
		after   time.Duration
		gone    []string
		release bool
		want    error
	}{
		"a live one":                        {want: job.ErrBusy},
		"a live one, at the last moment":    {after: job.Term - time.Microsecond, want: job.ErrBusy},
		"one whose lease is over":           {after: job.Term},
		"one whose lease is long over":      {after: 24 * time.Hour},
		"that of a dead process":            {gone: []string{"first"}},
		"that of a live one, another died":  {gone: []string{"fir", "second"}, want: job.ErrBusy},
		"one that was given back":           {release: true},
		"one that was given back, and long": {release: true, after: job.Term},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBank(t)
			b.add("planned")
			first := b.take(b.worker("first"))
			if c.release {
				if err := first.Release(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			b.later(c.after)
			w := b.worker("second", c.gone...)
			if wait := w.Wait(*b.row()); (wait > 0) != (c.want != nil) {
				t.Errorf("it has to wait for %v", wait)
			}
			l, err := w.Take(t.Context(), agent, subject)
			if !errors.Is(err, c.want) || (l != nil) != (c.want == nil) {
				t.Fatalf("%v, %v; want error %v", l, err, c.want)
			}
			if err := first.Record(t.Context(), "sown", nil); (err == nil) != (c.want != nil) ||
				err != nil && !errors.Is(err, job.ErrLost) {
				t.Errorf("who had it before records with %v", err)
			}
			if l == nil {
				return
			}
			if err := l.Record(t.Context(), "sown", nil); err != nil || b.row().Step != "sown" {
				t.Errorf("the new holder: %v, row %+v", err, b.row())
			}
		})
	}
}

// TestWait: a job waits for the end of its lease and for its next attempt.
func TestWait(t *testing.T) {
	w := newBank(t).worker("first", "dead", "")
	for name, c := range map[string]struct {
		holder           string
		heldFor, retryIn time.Duration // 0 is a time that is not set
		want             time.Duration
	}{
		"nothing":               {},
		"a lease":               {"alive/1", time.Minute, 0, time.Minute},
		"a failure":             {"", 0, time.Hour, time.Hour},
		"the longer: a lease":   {"alive/1", time.Hour, time.Minute, time.Hour},
		"the longer: a failure": {"alive/1", time.Minute, time.Hour, time.Hour},
		"a lease that is over":  {"alive/1", -time.Minute, 0, 0},
		"over, and a failure":   {"alive/1", -time.Minute, time.Hour, time.Hour},
		"of a dead process":     {"dead/1", time.Minute, 0, 0},
		"of a nameless process": {"/1", time.Minute, 0, time.Minute},
	} {
		j := memory.Job{Holder: c.holder}
		if c.heldFor != 0 {
			j.HeldUntil = start.Add(c.heldFor)
		}
		if c.retryIn != 0 {
			j.NotBefore = start.Add(c.retryIn)
		}
		if got := w.Wait(j); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestNothingToTake(t *testing.T) {
	b := newBank(t)
	w := b.worker("first")
	for name, take := range map[string]func(context.Context, string, string) (*job.Lease, error){"take": w.Take, "seize": w.Seize} {
		if l, err := take(t.Context(), agent, subject); l != nil || err != nil {
			t.Errorf("%s: %v, %v", name, l, err)
		}
	}
	b.add(parked)
	if l, err := w.Take(t.Context(), agent, subject); l != nil || err != nil {
		t.Errorf("one that waits for somebody outside: %v, %v", l, err)
	}
}

// TestAdd: a subject has one job, but a parked one gives way.
func TestAdd(t *testing.T) {
	b := newBank(t)
	w := b.worker("first")
	b.add(parked)
	waiting := b.row()
	offer := w.Optimistic(*waiting)
	j, err := w.Draft(agent, subject, "planned", map[string]int{"acres": 3})
	if err != nil {
		t.Fatal(err)
	}
	l, err := w.Start(t.Context(), j)
	if err != nil || b.row().ID != j.ID || b.row().Holder == "" || string(b.row().Data) != `{"acres":3}` {
		t.Fatalf("%+v, %v", b.row(), err)
	}
	if err := offer.Drop(t.Context()); !errors.Is(err, job.ErrLost) {
		t.Errorf("the one that gave way: %v", err)
	}
	if _, err := b.worker("second").Start(t.Context(), j); !errors.Is(err, job.ErrBusy) {
		t.Errorf("a second one: %v", err)
	}
	if err := l.Drop(t.Context()); err != nil || b.row() != nil {
		t.Errorf("dropped: %v, %+v", err, b.row())
	}
}

// TestOptimistic: a lease that was not taken holds until another job waits in the
// place of the one that was read.
func TestOptimistic(t *testing.T) {
	b := newBank(t)
	w := b.worker("first")
	b.add(parked)
	late, first := w.Optimistic(*b.row()), b.row().ID
	b.later(time.Minute)
	b.add(parked)
	if b.row().ID == first {
		t.Fatal("the parked job did not give way")
	}
	if err := late.Drop(t.Context()); !errors.Is(err, job.ErrLost) || b.row() == nil {
		t.Errorf("the earlier one: %v", err)
	}
	if err := w.Optimistic(*b.row()).Drop(t.Context()); err != nil || b.row() != nil {
		t.Errorf("the one that waits: %v", err)
	}
}

// TestSeize takes what is held or has to wait; the other notices.
func TestSeize(t *testing.T) {
	b := newBank(t)
	b.add("planned")
	first := b.take(b.worker("first"))
	l, err := b.worker("second").Seize(t.Context(), agent, subject)
	if l == nil || err != nil {
		t.Fatal(l, err)
	}
	if err := first.Finish(t.Context(), "done", func(memory.Tx) error { t.Error("it went on"); return nil }); !errors.Is(err, job.ErrLost) {
		t.Errorf("who lost it: %v", err)
	}
	if err := l.Retry(t.Context(), "no rain"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.worker("third").Take(t.Context(), agent, subject); !errors.Is(err, job.ErrBusy) {
		t.Errorf("before its time: %v", err)
	}
	if l, err := b.worker("third").Seize(t.Context(), agent, subject); l == nil || err != nil {
		t.Errorf("before its time, by force: %v, %v", l, err)
	}
}

// TestKeep: the lease does not end while it is kept, and what runs under it ends
// when it is lost.
func TestKeep(t *testing.T) {
	b := newBank(t)
	b.add("planned")
	w, other := b.worker("first"), b.worker("second")
	l := b.take(w)
	kept, stop := l.Keep(t.Context(), time.Millisecond)
	defer stop()
	for range 3 {
		b.later(job.Term - time.Second)
		eventually(t, "the lease is renewed", func() bool { return b.row().HeldUntil.Equal(b.clock().Add(job.Term)) })
	}
	if _, err := other.Take(t.Context(), agent, subject); !errors.Is(err, job.ErrBusy) {
		t.Errorf("a second holder: %v", err)
	}
	if kept.Err() != nil {
		t.Errorf("its context ended: %v", context.Cause(kept))
	}
	if _, err := other.Seize(t.Context(), agent, subject); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the context of a lost job ends", func() bool { return kept.Err() != nil })
	if !job.Lost(kept, kept.Err()) {
		t.Errorf("it ended because of %v", context.Cause(kept))
	}
}

// TestKeepEndsWithTheJob: what is finished or given back is not renewed, nor is
// it told to be lost.
func TestKeepEndsWithTheJob(t *testing.T) {
	for name, end := range map[string]func(context.Context, *job.Lease) error{
		"finished": func(ctx context.Context, l *job.Lease) error {
			return l.Finish(ctx, "done", func(memory.Tx) error { return nil })
		},
		"dropped":    func(ctx context.Context, l *job.Lease) error { return l.Drop(ctx) },
		"given back": func(ctx context.Context, l *job.Lease) error { return l.Release(ctx) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBank(t)
			b.add("planned")
			l := b.take(b.worker("first"))
			if err := end(t.Context(), l); err != nil {
				t.Fatal(err)
			}
			if err := l.Renew(t.Context()); err != nil {
				t.Errorf("renewed: %v", err)
			}
			if j := b.row(); j != nil && j.Holder != "" {
				t.Errorf("it is held: %+v", j)
			}
		})
	}
}

// TestDo: steps are recorded with what they found out. After a failure the next
// attempt goes on behind the last one, with a growing wait.
func TestDo(t *testing.T) {
	b := newBank(t)
	b.add("planned")
	var done []string
	dry := errors.New("no water")
	steps := func(fails string) []job.Step {
		var list []job.Step
		for _, name := range []string{"ploughed", "sown", "watered", "reaped"} {
			list = append(list, job.Step{Name: name, Do: func(context.Context) error {
				if name == fails {
					return dry
				}
				done = append(done, name)
				return nil
			}})
		}
		return list
	}
	for attempt, wait := range []time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second} {
		l := b.take(b.worker("first"))
		err := l.Do(t.Context(), job.Left(steps("watered"), l.Job.Step), &done)
		if !errors.Is(err, dry) || job.Lost(t.Context(), err) {
			t.Fatalf("attempt %d: %v", attempt, err)
		}
		if err := l.Retry(t.Context(), []string{"no water"}); err != nil {
			t.Fatal(err)
		}
		j := b.row()
		if j.Step != "sown" || j.Attempts != attempt+1 || j.Holder != "" || string(j.Data) != `["no water"]` ||
			!j.NotBefore.Equal(b.clock().Add(wait)) {
			t.Errorf("attempt %d leaves %+v", attempt, j)
		}
		b.later(wait)
	}
	l := b.take(b.worker("second"))
	if err := l.Do(t.Context(), job.Left(steps(""), l.Job.Step), &done); err != nil {
		t.Fatal(err)
	}
	if want := []string{"ploughed", "sown", "watered", "reaped"}; !slices.Equal(done, want) {
		t.Errorf("done %q, want %q", done, want)
	}
	var data []string
	if err := json.Unmarshal(b.row().Data, &data); err != nil || !slices.Equal(data, done) {
		t.Errorf("recorded %q, %v", data, err)
	}
	if err := l.Finish(t.Context(), "sold", func(memory.Tx) error { return dry }); !errors.Is(err, dry) || b.row() == nil {
		t.Errorf("a last step that fails: %v, row %+v", err, b.row())
	}
	sold := func(tx memory.Tx) error { return tx.SetState("sold", json.RawMessage(`true`)) }
	if err := l.Finish(t.Context(), "sold", sold); err != nil || b.row() != nil {
		t.Errorf("the last step: %v, row %+v", err, b.row())
	}
	if v, err := b.store.State(t.Context(), agent, "sold"); v == nil || err != nil {
		t.Errorf("the last step did %s, %v", v, err)
	}
}

// TestLongestWait: however often a job fails, it is tried again.
func TestLongestWait(t *testing.T) {
	b := newBank(t)
	b.add("planned")
	for range 40 {
		if err := b.take(b.worker("first")).Retry(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if wait := b.row().NotBefore.Sub(b.clock()); wait <= 0 || wait > 10*time.Minute {
			t.Fatalf("attempt %d: it waits for %v", b.row().Attempts, wait)
		}
		b.later(10 * time.Minute)
	}
}

// TestInterrupted: a process that has to end gives its job back as it was.
func TestInterrupted(t *testing.T) {
	b := newBank(t)
	b.add("planned")
	before := *b.row()
	l := b.take(b.worker("first"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Record(ctx, "sown", nil); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if err := l.Release(ctx); err != nil {
		t.Fatal(err)
	}
	if j := b.row(); j.Step != before.Step || j.Holder != "" || j.Attempts != 0 || !j.NotBefore.IsZero() {
		t.Errorf("left as %+v", j)
	}
}

// eventually waits for what another goroutine does, for at most a few seconds.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 2000 {
		if is() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("%s: it never happened", what)
}
