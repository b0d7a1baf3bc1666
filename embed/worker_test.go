package embed_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"mcp-memory/embed"
	"mcp-memory/embed/encoder/minilm"
	"mcp-memory/memory"
)

// queue is a VectorQueue in memory.
type queue struct {
	mu       sync.Mutex
	jobs     []memory.VectorJob
	due      map[int64]time.Time
	finished map[int64][]float32
	reads    int
	fail     func(method string) error // nil never fails
}

var _ memory.VectorQueue = (*queue)(nil)

func newQueue(contents ...string) *queue {
	q := &queue{due: map[int64]time.Time{}, finished: map[int64][]float32{}}
	q.add(contents...)
	return q
}

func (q *queue) add(contents ...string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, c := range contents {
		seq := int64(len(q.jobs) + len(q.finished) + 1)
		q.jobs = append(q.jobs, memory.VectorJob{Agent: "a", Corpus: memory.Memories, Seq: seq, Content: c})
	}
}

func (q *queue) failure(method string) error {
	if q.fail == nil {
		return nil
	}
	return q.fail(method)
}

func (q *queue) VectorJobs(_ context.Context, now time.Time, limit int, of ...memory.Corpus) ([]memory.VectorJob, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.reads++
	var jobs []memory.VectorJob
	for _, j := range q.jobs {
		if len(jobs) < limit && (len(of) == 0 || slices.Contains(of, j.Corpus)) && !q.due[j.Seq].After(now) {
			jobs = append(jobs, j)
		}
	}
	return jobs, q.failure("read")
}

func (q *queue) FinishVectorJobs(_ context.Context, jobs []memory.VectorJob, vectors [][]float32) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.failure("finish"); err != nil {
		return err
	}
	for i, j := range jobs {
		q.finished[j.Seq] = vectors[i]
		for k := range q.jobs {
			if q.jobs[k].Seq == j.Seq {
				q.jobs = append(q.jobs[:k:k], q.jobs[k+1:]...)
				break
			}
		}
	}
	return nil
}

func (q *queue) DeferVectorJobs(_ context.Context, jobs []memory.VectorJob, until time.Time, _ string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, j := range jobs {
		q.due[j.Seq] = until
		for k := range q.jobs {
			if q.jobs[k].Seq == j.Seq {
				q.jobs[k].Attempts++
			}
		}
	}
	return q.failure("defer")
}

func (q *queue) VectorBacklog(context.Context) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.jobs), nil
}

func (q *queue) count() (waiting, finished, reads int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.jobs), len(q.finished), q.reads
}

// fake is an embedder made of one function.
type fake struct {
	documents func(ctx context.Context, texts []string) ([][]float32, error)
}

var _ memory.Embedder = fake{}

func (f fake) Fingerprint() memory.Fingerprint {
	return memory.Fingerprint{Model: "fake", Dimensions: 1}
}
func (f fake) Local() bool { return false }
func (f fake) EmbedDocuments(ctx context.Context, texts []string) ([][]float32, error) {
	return f.documents(ctx, texts)
}
func (f fake) EmbedQuery(context.Context, string) ([]float32, error) { panic("not a worker's call") }

func vectors(texts []string) [][]float32 {
	v := make([][]float32, len(texts))
	for i := range v {
		v[i] = []float32{1}
	}
	return v
}

func works(_ context.Context, texts []string) ([][]float32, error) { return vectors(texts), nil }

var errAway = memory.Errorf(memory.CodeUnavailable, "away")

// refuses fails as code wherever a text is "bad".
func refuses(code memory.Code) func(context.Context, []string) ([][]float32, error) {
	return func(_ context.Context, texts []string) ([][]float32, error) {
		for _, text := range texts {
			if text == "bad" {
				return nil, memory.Errorf(code, "no vector")
			}
		}
		return vectors(texts), nil
	}
}

func worker(q *queue, documents func(context.Context, []string) ([][]float32, error)) *embed.Worker {
	return embed.NewWorker(q, fake{documents}, time.Now, slog.New(slog.NewTextHandler(io.Discard, nil)))
}

func many(n int) []string { return strings.Fields(strings.Repeat("good ", n)) }

func TestDrainEmptiesTheQueue(t *testing.T) {
	q := newQueue(many(150)...)
	largest := 0
	done, err := worker(q, func(_ context.Context, texts []string) ([][]float32, error) {
		largest = max(largest, len(texts))
		return vectors(texts), nil
	}).Drain(t.Context())
	if waiting, finished, _ := q.count(); done != 150 || err != nil || waiting != 0 || finished != 150 || largest != 64 {
		t.Errorf("done %d, %v; %d wait, %d finished, batches up to %d", done, err, waiting, finished, largest)
	}
}

// Few are done, many are left alone.
func TestDrainFew(t *testing.T) {
	for n, want := range map[int]int{0: 0, 5: 5, 6: 0} {
		q := newQueue(many(n)...)
		if err := embed.NewWorker(q, embed.NewBuiltin(), time.Now, slog.New(slog.DiscardHandler)).DrainFew(t.Context(), 5); err != nil {
			t.Error(err)
		}
		if _, stored, _ := q.count(); stored != want {
			t.Errorf("of %d, %d are done, want %d", n, stored, want)
		}
	}
}

// Before a question memories are encoded, turns never, however many wait.
func TestDrainFewLeavesTurns(t *testing.T) {
	q := newQueue(many(40)...)
	for i := range q.jobs[3:] {
		q.jobs[3+i].Corpus = memory.Conversations
	}
	if err := embed.NewWorker(q, embed.NewBuiltin(), time.Now, slog.New(slog.DiscardHandler)).DrainFew(t.Context(), 5); err != nil {
		t.Error(err)
	}
	if waiting, stored, _ := q.count(); stored != 3 || waiting != 37 {
		t.Errorf("%d are done, %d wait, want 3 and 37", stored, waiting)
	}
}

// secondFake is a bank's second embedder, which notes what it reads.
type secondFake struct{ fake }

func (secondFake) Fingerprint() memory.Fingerprint {
	return memory.Fingerprint{Model: memory.EncoderModels + "fake", Dimensions: 1}
}

// Of a turn the second embedder reads the beginning, and nothing of what says nothing or is
// said among people; a
// memory, and any text by the store's own, is read whole.
func TestWhatIsReadOfATurn(t *testing.T) {
	long := strings.Repeat("The ferry leaves at noon from the harbour ü. ", 40)
	texts := []string{"Yes, sure!", "The ferry leaves at noon from the harbour.", long, "Ann says that the ferry is late today."}
	for _, second := range []bool{false, true} {
		for _, c := range memory.Corpora() {
			q := newQueue(texts...)
			for i := range q.jobs {
				q.jobs[i].Corpus = c
			}
			q.jobs[3].People = c == memory.Conversations
			var read []string
			f := fake{func(_ context.Context, texts []string) ([][]float32, error) {
				read = append(read, texts...)
				return vectors(texts), nil
			}}
			var e memory.Embedder = f
			if second {
				e = secondFake{f}
			}
			if _, err := embed.NewWorker(q, e, time.Now, slog.New(slog.DiscardHandler)).Drain(t.Context()); err != nil {
				t.Fatal(err)
			}
			want := slices.Clone(texts)
			if second && c == memory.Conversations {
				want[0], want[2], want[3] = "", read[2], ""
				if n := len(read[2]); !strings.HasPrefix(long, read[2]) || n > 600 || n < 597 {
					t.Errorf("of a long turn %d bytes are read", n)
				}
			}
			if !slices.Equal(read, want) {
				t.Errorf("second %t, %s: read %q", second, c, read)
			}
		}
	}
}

func TestDrainBoundsTheBytesOfABatch(t *testing.T) {
	text := strings.Repeat("x", 100<<10)
	q := newQueue(text, text, text, strings.Repeat("y", 1<<20), text)
	done, err := worker(q, func(_ context.Context, texts []string) ([][]float32, error) {
		if all := len(strings.Join(texts, "")); len(texts) > 1 && all > 256<<10 {
			t.Errorf("%d texts of %d bytes", len(texts), all)
		}
		return vectors(texts), nil
	}).Drain(t.Context())
	if done != 5 || err != nil {
		t.Errorf("done %d, %v", done, err)
	}
}

func TestOneBadDocumentBlocksNoOther(t *testing.T) {
	for _, code := range []memory.Code{memory.CodeInvalidArgument, memory.CodeInternal} {
		q := newQueue(append(append(many(10), "bad"), many(100)...)...)
		done, err := worker(q, refuses(code)).Drain(t.Context())
		if waiting, _, _ := q.count(); done != 110 || err != nil || waiting != 1 || q.jobs[0].Attempts != 1 {
			t.Errorf("%s: done %d, %v; %d wait", code, done, err, waiting)
		}
	}
}

// A document that cannot be embedded is tried ever more rarely, but it is.
func TestBadDocumentIsTriedDaily(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue("bad")
		w := worker(q, refuses(memory.CodeInvalidArgument))
		last := time.Duration(0)
		for attempt := range 25 {
			start := time.Now()
			if _, err := w.Drain(t.Context()); err != nil || q.jobs[0].Attempts != attempt+1 {
				t.Fatalf("attempt %d: %v after %d", attempt+1, err, q.jobs[0].Attempts)
			}
			wait := q.due[1].Sub(start)
			if want := min(max(time.Second, 2*last), 24*time.Hour); wait != want {
				t.Fatalf("attempt %d: the next is in %v, want %v", attempt+1, wait, want)
			}
			last = wait
			time.Sleep(wait)
		}
	})
}

// Some servers answer a text that they cannot embed as if they were broken.
func TestBadDocumentThatLooksLikeAnOutageEndsUpAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		q := newQueue(append(append(many(40), "bad"), many(20)...)...)
		if err := worker(q, refuses(memory.CodeUnavailable)).Run(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Run: %v", err)
		}
		if waiting, finished, _ := q.count(); waiting != 1 || finished != 60 || q.jobs[0].Content != "bad" {
			t.Errorf("%d wait, %d finished", waiting, finished)
		}
	})
}

func TestDrainStopsWhenNothingAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, calls := newQueue(many(200)...), 0
		w := worker(q, func(context.Context, []string) ([][]float32, error) {
			calls++
			return nil, errAway
		})
		start := time.Now()
		done, err := w.Drain(t.Context())
		if done != 0 || !errors.Is(err, errAway) || calls != 1 {
			t.Errorf("done %d, %v after %d calls", done, err, calls)
		}
		// The first batch waits 1, 2, 4, … seconds, halved each time until its
		// first job is alone, and that waits up to an hour.
		for attempt, want := range []time.Duration{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600} {
			if got := q.due[1].Sub(start); q.jobs[0].Attempts != attempt+1 || got != want*time.Second {
				t.Fatalf("attempt %d: the next is in %v, want %v s", attempt+1, got, want)
			}
			time.Sleep(want * time.Second)
			start = time.Now()
			w.Drain(t.Context())
		}
	})
}

func TestRunLeavesABacklogAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		left := func(rest, after time.Duration, wake bool) int {
			t.Helper()
			q := newQueue("good")
			w := worker(q, works)
			w.Rest = rest
			go w.Run(ctx)
			time.Sleep(after)
			if wake {
				w.Wake()
			}
			synctest.Wait()
			waiting, _, _ := q.count()
			return waiting
		}
		if n := left(5*time.Second, 4*time.Second, false); n != 1 {
			t.Errorf("%d wait within the rest", n)
		}
		if n := left(5*time.Second, 6*time.Second, false); n != 0 {
			t.Errorf("%d wait after the rest", n)
		}
		if n := left(5*time.Second, time.Second, true); n != 0 {
			t.Errorf("%d wait though something was saved", n)
		}
	})
}

func TestRunWakesPollsAndRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		q := newQueue("good")
		w := worker(q, works)
		stopped := make(chan error, 1)
		go func() { stopped <- w.Run(ctx) }()
		synctest.Wait()
		if waiting, _, _ := q.count(); waiting != 0 {
			t.Error("what was there at the start waits")
		}

		q.add("good")
		w.Wake()
		w.Wake() // never blocks
		synctest.Wait()
		if waiting, _, _ := q.count(); waiting != 0 {
			t.Error("waits in spite of Wake")
		}

		q.add("good") // by another process
		time.Sleep(31 * time.Second)
		if waiting, _, _ := q.count(); waiting != 0 {
			t.Error("waits in spite of the poll")
		}

		_, _, before := q.count()
		time.Sleep(time.Hour)
		if _, _, after := q.count(); after-before > 121 {
			t.Errorf("read the empty queue %d times in an hour", after-before)
		}
		cancel()
		if err := <-stopped; !errors.Is(err, context.Canceled) {
			t.Errorf("Run: %v", err)
		}
	})
}

func TestRunRecoversAndIsNotHurriedMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		q := newQueue(many(5)...)
		var calls atomic.Int32
		var away atomic.Bool
		away.Store(true)
		w := worker(q, func(_ context.Context, texts []string) ([][]float32, error) {
			if calls.Add(1); away.Load() {
				return nil, errAway
			}
			return vectors(texts), nil
		})
		go w.Run(ctx)
		for range 600 { // ten minutes of saves
			q.add("good")
			w.Wake()
			time.Sleep(time.Second)
		}
		if n := calls.Load(); n > 60 {
			t.Errorf("%d calls to an embedder that is away", n)
		}
		away.Store(false)
		time.Sleep(6 * time.Minute)
		if waiting, finished, _ := q.count(); waiting != 0 || finished != 605 {
			t.Errorf("%d wait, %d finished", waiting, finished)
		}
	})
}

func TestEndOfContextIsNoFailedAttempt(t *testing.T) {
	q := newQueue(many(3)...)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := worker(q, func(ctx context.Context, _ []string) ([][]float32, error) {
		cancel()
		return nil, memory.Errorf(memory.CodeUnavailable, "no answer").WithCause(ctx.Err())
	}).Drain(ctx)
	if !errors.Is(err, context.Canceled) || q.jobs[0].Attempts != 0 {
		t.Errorf("%v, %d attempts", err, q.jobs[0].Attempts)
	}
}

func TestWrongNumberOfVectorsIsNotStored(t *testing.T) {
	q := newQueue(many(3)...)
	done, err := worker(q, func(context.Context, []string) ([][]float32, error) { return nil, nil }).Drain(t.Context())
	if waiting, _, _ := q.count(); done != 0 || err != nil || waiting != 3 {
		t.Errorf("done %d, %v; %d wait", done, err, waiting)
	}
}

func TestErrorsOfTheQueueEndADrain(t *testing.T) {
	locked := memory.Errorf(memory.CodeUnavailable, "locked")
	for method, documents := range map[string]func(context.Context, []string) ([][]float32, error){
		"read": works, "finish": works, "defer": refuses(memory.CodeInvalidArgument),
	} {
		q := newQueue("bad")
		q.fail = func(m string) error {
			if m == method {
				return locked
			}
			return nil
		}
		if done, err := worker(q, documents).Drain(t.Context()); done != 0 || !errors.Is(err, locked) {
			t.Errorf("%s: done %d, %v", method, done, err)
		}
	}
}

// inParts is an embedder that takes few texts at once.
type inParts struct {
	fake
	most int
}

func (e inParts) Batch() int { return e.most }

// A slow embedder gets on though the time is never enough for all that waits.
func TestWhatWasMadeBeforeTheEndIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(many(10)...)
		slow := inParts{fake{func(ctx context.Context, texts []string) ([][]float32, error) {
			time.Sleep(time.Duration(len(texts)) * 3 * time.Second)
			return vectors(texts), ctx.Err()
		}}, 1}
		for name, e := range map[string]memory.Embedder{"alone": slow, "paced": embed.NewPaced(slow)} {
			before := len(q.finished)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			done, err := embed.NewWorker(q, e, time.Now, slog.New(slog.DiscardHandler)).Drain(ctx)
			cancel()
			if want := map[string]int{"alone": 3, "paced": 2}[name]; done != want || len(q.finished)-before != want {
				t.Errorf("%s: %d done in 10 s of 3 s each, %d stored, want %d", name, done, len(q.finished)-before, want)
			}
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// Of long texts a slow embedder is given fewer at once.
func TestABatchOfLongTextsIsSmallerForASlowEmbedder(t *testing.T) {
	q := newQueue(slices.Repeat([]string{strings.Repeat("x", 8<<10)}, 6)...)
	var batches []int
	slow := inParts{fake{func(_ context.Context, texts []string) ([][]float32, error) {
		batches = append(batches, len(texts))
		return vectors(texts), nil
	}}, 4}
	done, err := embed.NewWorker(q, slow, time.Now, slog.New(slog.DiscardHandler)).Drain(t.Context())
	if err != nil || done != 6 {
		t.Fatalf("done %d, %v", done, err)
	}
	if !slices.Equal(batches, []int{2, 2, 2}) {
		t.Errorf("6 texts of 8 KiB went in batches of %d", batches)
	}
}

// In a session in which somebody calls all the time what is saved is encoded all the same.
func TestABusySessionIsEncoded(t *testing.T) {
	if !minilm.Available() {
		t.Skip("built without the encoder")
	}
	synctest.Test(t, func(t *testing.T) {
		q, e := newQueue(many(40)...), embed.NewPaced(minilm.New())
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		var callers sync.WaitGroup
		defer callers.Wait() // time stands still in a bubble whose first goroutine has ended
		callers.Go(func() {
			for ctx.Err() == nil {
				e.Called()
				time.Sleep(10 * time.Millisecond)
			}
		})
		done, err := embed.NewWorker(q, e, time.Now, slog.New(slog.DiscardHandler)).Drain(ctx)
		if _, stored, _ := q.count(); done != 40 || stored != done || err != nil {
			t.Errorf("%d done, %d stored, %v", done, stored, err)
		}
		cancel() // the caller
	})
}
