package contextwindow

import (
	"context"
	"sync"
	"time"
)

// queue hands sessions with a job to a few workers. A session is in it at most
// once. What does not fit is refused: the jobs themselves are in the database.
type queue struct {
	do      func(context.Context, key)
	workers int
	waiting chan key
	ctx     context.Context // of the work
	cancel  context.CancelFunc
	running sync.WaitGroup

	mu      sync.Mutex
	started int
	closed  bool
	empty   chan struct{} // closed when the last session leaves; nil while there is none
	in      map[key]int   // how often it was added
	timer   *time.Timer   // of the next look at jobs that had to wait
	due     time.Time     // when it ends
}

func newQueue(workers, limit int, do func(context.Context, key)) *queue {
	q := &queue{do: do, workers: max(1, workers), waiting: make(chan key, max(1, limit)), in: map[key]int{}}
	q.ctx, q.cancel = context.WithCancel(context.Background())
	return q
}

// add puts a session in, or leaves it there; false if there is no room or the
// queue is closed.
func (q *queue) add(k key) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	if q.in[k] > 0 {
		q.in[k]++ // its worker may be about to drop the session, and has to look again
		return true
	}
	select {
	case q.waiting <- k:
	default:
		return false
	}
	q.in[k] = 1
	if q.empty == nil {
		q.empty = make(chan struct{})
	}
	if q.started < min(q.workers, len(q.in)) {
		q.started++
		q.running.Go(q.run)
	}
	return true
}

func (q *queue) run() {
	for k := range q.waiting {
		for seen := q.left(k, 0); seen > 0; seen = q.left(k, seen) {
			q.do(q.ctx, k)
		}
	}
}

// left returns how often a session was added, if that is more than the worker has seen: then
// there may be new work. Otherwise it takes the session out of the queue and returns 0.
func (q *queue) left(k key, seen int) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	if n := q.in[k]; n > seen && !q.closed {
		return n
	}
	delete(q.in, k)
	if len(q.in) == 0 && q.empty != nil {
		close(q.empty)
		q.empty = nil
	}
	return 0
}

// idle waits until no session is in the queue, or ctx ends.
func (q *queue) idle(ctx context.Context) error {
	q.mu.Lock()
	empty := q.empty
	q.mu.Unlock()
	if empty == nil {
		return nil
	}
	select {
	case <-empty:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// later calls fn once after a while; the earliest of several calls counts.
func (q *queue) later(wait time.Duration, fn func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	at := time.Now().Add(wait)
	if q.closed || q.timer != nil && q.due.Before(at) {
		return
	}
	if q.timer != nil {
		q.timer.Stop()
	}
	q.due = at
	q.timer = time.AfterFunc(wait, func() {
		q.mu.Lock()
		q.timer = nil
		closed := q.closed
		if !closed {
			q.running.Add(1)
		}
		q.mu.Unlock()
		if !closed {
			defer q.running.Done()
			fn()
		}
	})
}

// close lets the work under way finish until ctx ends, and then interrupts it. Sessions that
// still wait are dropped: their jobs are in the database, for the next process.
func (q *queue) close(ctx context.Context) error {
	q.mu.Lock()
	if !q.closed {
		q.closed = true
		close(q.waiting)
		if q.timer != nil {
			q.timer.Stop()
		}
	}
	q.mu.Unlock()
	done := make(chan struct{})
	go func() {
		q.running.Wait()
		close(done)
	}()
	select {
	case <-done:
		q.cancel()
		return nil
	case <-ctx.Done():
		q.cancel()
		<-done
		return ctx.Err()
	}
}
