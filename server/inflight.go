package server

import (
	"context"
	"sync"
)

// inflight counts the calls in progress.
type inflight struct {
	mu   sync.Mutex
	n    int
	idle chan struct{} // closed when n is 0; nil unless somebody waits
}

func (i *inflight) add(n int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.n += n
	if i.n == 0 && i.idle != nil {
		close(i.idle)
		i.idle = nil
	}
}

// wait returns when no call is in progress, or when ctx is done.
func (i *inflight) wait(ctx context.Context) {
	i.mu.Lock()
	if i.n == 0 {
		i.mu.Unlock()
		return
	}
	if i.idle == nil {
		i.idle = make(chan struct{})
	}
	idle := i.idle
	i.mu.Unlock()
	select {
	case <-idle:
	case <-ctx.Done():
	}
}

// WaitIdle waits until no tool call is in progress, or ctx is done.
func (s *Server) WaitIdle(ctx context.Context) { s.inflight.wait(ctx) }
