package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// commitQueue holds the writes that wait for the writer's lock, for group commit: the goroutine
// that holds the lock also runs the writes that have come meanwhile, and commits all of them at
// once. Most of the cost of a small write is its commit, which syncs the log and changes pages that
// every write changes. Each write of such a batch runs inside a savepoint of its own, so that one
// that fails is rolled back alone; its caller gets the result after the commit.
type commitQueue struct {
	mu     sync.Mutex
	writes []*write // in order of arrival
}

// write is a write that waits in the queue or is in the batch of another goroutine.
type write struct {
	ctx      context.Context
	fn       func(*writer) error
	done     chan struct{} // closed when it has ended; then the fields below are set
	err      error
	panicked any // value and stack trace of a panic of fn, nil for none
}

// maxBatchTime is for how long writes are added to a batch, as the first of them waits for the last.
const maxBatchTime = 20 * time.Millisecond

func (q *commitQueue) push(ctx context.Context, fn func(*writer) error) *write {
	own := &write{ctx: ctx, fn: fn, done: make(chan struct{})}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.writes = append(q.writes, own)
	return own
}

// remove takes a write out of the queue. It reports false if the write is not there, because another
// goroutine has it in a batch.
func (q *commitQueue) remove(one *write) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.writes, one)
	if i >= 0 {
		q.writes = slices.Delete(q.writes, i, i+1)
	}
	return i >= 0
}

// pop takes the write that has waited longest out of the queue, or returns nil.
func (q *commitQueue) pop() *write {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.writes) == 0 {
		return nil
	}
	one := q.writes[0]
	q.writes = slices.Delete(q.writes, 0, 1)
	return one
}

// cancel takes a write out of the queue and returns why. If another goroutine has the write in a
// batch already, it waits for that and returns the write's own error.
func (q *commitQueue) cancel(one *write, why error) error {
	if q.remove(one) {
		return why
	}
	return one.wait()
}

// wait waits until another goroutine has run the write in a batch, and returns its error or panics
// as it did.
func (o *write) wait() error {
	<-o.done
	if o.panicked != nil {
		panic(o.panicked)
	}
	return o.err
}

// finish wakes the goroutine that waits for the write, with the write's own error or, if it has
// none, that of the commit.
func (o *write) finish(commit error) {
	if o.err == nil {
		o.err = commit
	}
	close(o.done)
}

// runBatch runs the writes in the queue, for at most about maxBatchTime, and appends them to batch.
// If it returns an error the whole transaction has to be given up.
func (w *writer) runBatch(batch *[]*write) error {
	for begun := time.Now(); time.Since(begun) < maxBatchTime; {
		one := w.queue.pop()
		if one == nil {
			break
		}
		*batch = append(*batch, one)
		if err := w.inSavepoint(one); err != nil {
			return err
		}
	}
	return nil
}

// inSavepoint runs a write in a savepoint, and rolls that back if the write fails. Its own error is
// one that ends the whole transaction.
func (w *writer) inSavepoint(one *write) error {
	ctx := context.Background()
	if err := w.exec(ctx, "SAVEPOINT write"); err != nil {
		return err
	}
	one.run(w)
	if one.err != nil || one.panicked != nil {
		if err := w.exec(ctx, "ROLLBACK TO write"); err != nil {
			return errors.Join(one.err, err) // SQLite has ended the whole transaction: the disk is full, for example
		}
	}
	return w.exec(ctx, "RELEASE write")
}

// run calls fn unless the context has ended, and fails also if it has ended
// meanwhile. A panic is kept for the goroutine that waits for the write.
func (o *write) run(w *writer) {
	defer func() {
		if p := recover(); p != nil {
			o.panicked = fmt.Sprintf("%v\n%s", p, debug.Stack())
		}
	}()
	if o.err = o.ctx.Err(); o.err != nil {
		return
	}
	if o.err = o.fn(w); o.err == nil {
		o.err = cmp.Or(w.mergeAgain(context.Background()), o.ctx.Err())
	}
	w.unmerged = false // else it is rolled back
}
