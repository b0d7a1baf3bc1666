package sqlite

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// waiting are the writes that wait for their turn. Most of what a small write
// takes is its commit: a sync of the log, and pages that every write changes.
// So whoever has the turn takes along what has come meanwhile: each write is
// done behind a savepoint of its own, and answered when all are committed. One
// that fails takes back only what it did itself.
type waiting struct {
	mu     sync.Mutex
	writes []*write // in order of arrival
}

// write is one that waits, or that somebody else is doing.
type write struct {
	ctx  context.Context
	fn   func(*writer) error
	over chan struct{} // closed when it is done; then the fields below are set
	err  error
	died any // what fn panicked with, and where
}

// longestAlong is how long writes are taken along: the first of them waits for
// the last.
const longestAlong = 20 * time.Millisecond

func (q *waiting) join(ctx context.Context, fn func(*writer) error) *write {
	own := &write{ctx: ctx, fn: fn, over: make(chan struct{})}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.writes = append(q.writes, own)
	return own
}

// take removes a write from the queue, to do it. It reports false if that is
// not there: somebody else has taken it.
func (q *waiting) take(one *write) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.writes, one)
	if i >= 0 {
		q.writes = slices.Delete(q.writes, i, i+1)
	}
	return i >= 0
}

// next takes the write that has waited longest, or nil.
func (q *waiting) next() *write {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.writes) == 0 {
		return nil
	}
	one := q.writes[0]
	q.writes = slices.Delete(q.writes, 0, 1)
	return one
}

// leave gives up waiting for a reason. If somebody is already doing the write,
// its own outcome is returned.
func (q *waiting) leave(one *write, why error) error {
	if q.take(one) {
		return why
	}
	return one.outcome()
}

// outcome waits for the end of a write that somebody else does.
func (o *write) outcome() error {
	<-o.over
	if o.died != nil {
		panic(o.died)
	}
	return o.err
}

// finish tells the outcome: its own error, else that of the commit.
func (o *write) finish(commit error) {
	if o.err == nil {
		o.err = commit
	}
	close(o.over)
}

// takeAlong does the writes that wait, for a while, and adds them to along.
// After an error the transaction cannot go on.
func (w *writer) takeAlong(along *[]*write) error {
	for begun := time.Now(); time.Since(begun) < longestAlong; {
		one := w.waiting.next()
		if one == nil {
			break
		}
		*along = append(*along, one)
		if err := w.behindSavepoint(one); err != nil {
			return err
		}
	}
	return nil
}

// behindSavepoint does a write that can be taken back alone.
func (w *writer) behindSavepoint(one *write) error {
	ctx := context.Background()
	if err := w.exec(ctx, "SAVEPOINT write"); err != nil {
		return err
	}
	one.attempt(w)
	if one.err != nil || one.died != nil {
		if err := w.exec(ctx, "ROLLBACK TO write"); err != nil {
			return errors.Join(one.err, err) // SQLite has ended the whole transaction: the disk is full, for example
		}
	}
	return w.exec(ctx, "RELEASE write")
}

// attempt runs fn unless the context has ended, and fails also if it has ended
// meanwhile. A panic is kept for the goroutine that waits for the write.
func (o *write) attempt(w *writer) {
	defer func() {
		if p := recover(); p != nil {
			o.died = fmt.Sprintf("%v\n%s", p, debug.Stack())
		}
	}()
	if o.err = o.ctx.Err(); o.err != nil {
		return
	}
	if o.err = o.fn(w); o.err == nil {
		o.err = o.ctx.Err()
	}
}
