package server

import (
	"context"
	"runtime"
	"testing"
	"time"
)

// Waiting ends with the last call, not with the first, and with its context.
func TestInflight(t *testing.T) {
	var calls inflight
	wait := func(ctx context.Context) (ended chan struct{}) {
		ended = make(chan struct{})
		go func() { calls.wait(ctx); close(ended) }()
		return ended
	}
	in := func(ended chan struct{}, what string) {
		select {
		case <-ended:
		case <-time.After(30 * time.Second):
			t.Fatalf("the wait did not end %s", what)
		}
	}
	waiting := func() bool {
		calls.mu.Lock()
		defer calls.mu.Unlock()
		return calls.idle != nil
	}
	in(wait(context.Background()), "without a call")
	calls.add(2)
	ended := wait(context.Background())
	for !waiting() {
		runtime.Gosched()
	}
	calls.add(-1)
	if !waiting() {
		t.Error("the wait ended with the first of two calls")
	}
	calls.add(-1)
	in(ended, "with the last call")
	calls.add(1)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	in(wait(over), "with its context")
}
