package embed

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

const (
	workerBatch   = 64      // jobs at once
	jobBytes      = 4 << 10 // bytes; a batch has at most this much text for each job that it may have
	workerPoll    = 30 * time.Second
	firstDelay    = time.Second
	longestOutage = time.Hour      // the longest time that a job is deferred while the embedder does not answer
	longestDelay  = 24 * time.Hour // the longest time that a document is deferred that could not be embedded
)

// A second embedder (see [memory.Fingerprint.Second]) takes milliseconds for a text, and a
// conversation has many turns. So it embeds only the first turnBytes of a turn, and no turn with
// fewer than leastTurnWords words other than stop words. Turns of people who talk with each other
// are not embedded at all, since they are found no better by it.
const (
	turnBytes      = 600
	leastTurnWords = 3
)

// Worker makes vectors for the documents in a [memory.VectorQueue]: those that were saved while the
// embedder did not answer, and all of them after a change of model. Several workers, also of other
// processes, may share a queue.
//
// If the whole embedder fails, the batch is deferred and the worker pauses. Any other failure may
// be due to one document, so the documents of the batch are tried one by one. Some servers answer
// both cases alike. Therefore a batch of jobs that failed before has half as many jobs with every
// attempt, down to one, and a document that cannot be embedded ends up alone. It is tried again all
// the same, since another model or a repaired server may accept it: each time after twice as long,
// up to a day, or up to an hour if the embedder may be what fails.
type Worker struct {
	// Rest is how long Run waits before it begins, unless it is woken: programs often start
	// together, and somebody is waiting for them.
	Rest time.Duration

	queue    memory.VectorQueue
	embedder memory.Embedder
	clock    memory.Clock
	log      *slog.Logger
	wake     chan struct{}
	most     int // jobs at once
}

// NewWorker returns a worker that does nothing before Run or Drain is called. A batch that is not
// done when the context ends is lost. So an embedder that is slow may have a method Batch that
// returns how many texts it takes at once, if above 0.
func NewWorker(queue memory.VectorQueue, e memory.Embedder, clock memory.Clock, log *slog.Logger) *Worker {
	most := workerBatch
	if slow, ok := e.(interface{ Batch() int }); ok && slow.Batch() > 0 {
		most = min(most, slow.Batch())
	}
	return &Worker{queue: queue, embedder: e, clock: clock, log: log, wake: make(chan struct{}, 1), most: most}
}

// Wake tells Run that something was queued. It never blocks, and does not end
// a pause after a failure.
func (w *Worker) Wake() {
	select {
	case w.wake <- struct{}{}:
	default: // a wake-up is pending already
	}
}

// Run drains the queue after Rest, and again when it is woken, when a deferred job may be due, and
// every 30 seconds, because other processes queue documents too. Failures are logged and tried
// again. It returns the context's error when that ends, and never before.
func (w *Worker) Run(ctx context.Context) error {
	if err := sleep(ctx, w.Rest, w.wake); err != nil {
		return err
	}
	failures := 0
	for {
		run := w.newRun()
		err := run.drain(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if run.done > 0 {
			w.log.Debug("embedded documents", "count", run.done)
		}
		pause, wake := min(workerPoll, run.retryIn), (<-chan struct{})(w.wake)
		if err == nil {
			failures = 0
		} else {
			w.log.Warn("embedding is deferred", "error", err, "failures", failures+1)
			// Every save wakes the worker: without an answer that would be a request for each.
			pause, wake = delay(failures, workerPoll), nil
			failures++
		}
		if err := sleep(ctx, pause, wake); err != nil {
			return err
		}
	}
}

// sleep waits for d or for wake. It returns the context's error if that ends first.
func sleep(ctx context.Context, d time.Duration, wake <-chan struct{}) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
	case <-wake:
	}
	return nil
}

// Drain embeds until no job in the queue is due, and returns how many vectors it has stored.
// Documents that could not be embedded are deferred and logged; they are no error. Errors are
// [memory.CodeUnavailable] if the embedder does not answer, and those of the queue and the context.
func (w *Worker) Drain(ctx context.Context) (done int, err error) {
	run := w.newRun()
	err = run.drain(ctx)
	return run.done, err
}

// DrainFew embeds the queued memories if they are at most `most`, and else does nothing.
func (w *Worker) DrainFew(ctx context.Context, most int) error {
	jobs, err := w.queue.VectorJobs(ctx, w.clock(), most+1, memory.Memories)
	if err != nil || len(jobs) > most {
		return err
	}
	return w.newRun().work(ctx, jobs)
}

// run is one pass over the queue.
type run struct {
	*Worker
	done    int
	retryIn time.Duration // until the first deferred job is due
}

func (w *Worker) newRun() *run { return &run{Worker: w, retryIn: longestDelay} }

func (r *run) drain(ctx context.Context) error {
	for {
		jobs, err := r.queue.VectorJobs(ctx, r.clock(), workerBatch)
		if err != nil {
			return fmt.Errorf("read the queue of documents to embed: %w", err)
		}
		if len(jobs) == 0 {
			return nil
		}
		for i := range jobs {
			jobs[i].Content = r.textOf(jobs[i])
		}
		if err := r.work(ctx, jobs); err != nil {
			return err
		}
	}
}

// work embeds jobs in batches of batchSize.
func (r *run) work(ctx context.Context, jobs []memory.VectorJob) error {
	for len(jobs) > 0 {
		n := batchSize(jobs, r.most)
		if err := r.batch(ctx, jobs[:n]); err != nil {
			return err
		}
		jobs = jobs[n:]
	}
	return nil
}

// batch embeds jobs in one call and stores their vectors, or defers them. An error means that the
// run should end.
func (r *run) batch(ctx context.Context, jobs []memory.VectorJob) error {
	vectors, err := r.embed(ctx, jobs)
	switch {
	case err == nil:
		if err := r.queue.FinishVectorJobs(ctx, jobs, vectors); err != nil {
			return fmt.Errorf("store vectors: %w", err)
		}
		r.done += len(jobs)
		return nil
	case ctx.Err() != nil:
		return ctx.Err() // this does not count as an attempt
	case memory.CodeOf(err) == memory.CodeUnavailable:
		if deferErr := r.deferJobs(ctx, jobs, longestOutage, err); deferErr != nil {
			return deferErr
		}
		return err
	case len(jobs) == 1:
		r.log.Warn("a document cannot be embedded", "corpus", jobs[0].Corpus, "seq", jobs[0].Seq,
			"attempts", jobs[0].Attempts+1, "error", err)
		return r.deferJobs(ctx, jobs, longestDelay, err)
	}
	for i := range jobs {
		if err := r.batch(ctx, jobs[i:i+1]); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) embed(ctx context.Context, jobs []memory.VectorJob) ([][]float32, error) {
	texts := make([]string, len(jobs))
	for i, j := range jobs {
		texts[i] = j.Content
	}
	vectors, err := r.embedder.EmbedDocuments(ctx, texts)
	if err == nil && len(vectors) != len(jobs) {
		err = fmt.Errorf("the embedder made %d vectors of %d texts", len(vectors), len(jobs))
	}
	return vectors, err
}

// textOf returns the text of a document that is to be embedded, "" for none.
func (r *run) textOf(j memory.VectorJob) string {
	if j.Corpus != memory.Conversations || !r.embedder.Fingerprint().Second() {
		return j.Content
	}
	if j.People {
		return ""
	}
	read := strings.ToValidUTF8(j.Content[:min(turnBytes, len(j.Content))], "")
	if len(analysis.Content(read)) < leastTurnWords {
		return ""
	}
	return read
}

// deferJobs defers each job, by its own number of attempts, for at most the longest time.
func (r *run) deferJobs(ctx context.Context, jobs []memory.VectorJob, longest time.Duration, why error) error {
	byAttempts := map[int][]memory.VectorJob{}
	for _, j := range jobs {
		byAttempts[j.Attempts] = append(byAttempts[j.Attempts], j)
	}
	reason := memory.Public(why).Error()
	for attempts, some := range byAttempts {
		wait := delay(attempts, longest)
		r.retryIn = min(r.retryIn, wait)
		if err := r.queue.DeferVectorJobs(ctx, some, r.clock().Add(wait), reason); err != nil {
			return fmt.Errorf("defer documents to embed: %w", err)
		}
	}
	return nil
}

// batchSize returns how many of the first jobs are embedded in one call, at least one and at most
// `most`.
func batchSize(jobs []memory.VectorJob, most int) int {
	limit, bytes := most, 0
	for i, j := range jobs {
		limit = min(limit, max(1, workerBatch>>min(max(j.Attempts, 0), 30)))
		bytes += len(j.Content)
		if i > 0 && (i >= limit || bytes > most*jobBytes) {
			return i
		}
	}
	return len(jobs)
}

// delay returns the backoff after a failure that follows `failures` others: a second, doubled for
// each of them, at most `longest`, which must not be above a day.
func delay(failures int, longest time.Duration) time.Duration {
	const doublings = 17 // firstDelay<<doublings is more than a day
	return min(firstDelay<<min(max(failures, 0), doublings), longest)
}
