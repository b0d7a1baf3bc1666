package web

import (
	"context"
	"net/http"
	"sync"
	"time"

	"mcp-memory/memory"
)

// watch ends streams whose tokens have become invalid. It checks each token once every interval,
// however many streams it has. Safe for concurrent use.
type watch struct {
	access   Access
	interval time.Duration

	mu      sync.Mutex
	streams map[string]map[*watched]struct{} // by token, "" for requests without one
	running bool
}

// watched is a stream, with the function that ends it.
type watched struct{ end context.CancelFunc }

func newWatch(a Access, interval time.Duration) *watch {
	return &watch{access: a, interval: interval, streams: map[string]map[*watched]struct{}{}}
}

// add registers a stream: end is called when the token of its request becomes invalid. The caller
// calls remove when the stream has ended.
func (w *watch) add(r *http.Request, end context.CancelFunc) (remove func()) {
	token, _ := bearer(r.Header.Values("Authorization"))
	one := &watched{end}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.streams[token] == nil {
		w.streams[token] = map[*watched]struct{}{}
	}
	w.streams[token][one] = struct{}{}
	if !w.running {
		w.running = true
		go w.run()
	}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if delete(w.streams[token], one); len(w.streams[token]) == 0 {
			delete(w.streams, token)
		}
	}
}

// run checks the tokens every interval until there are no streams.
func (w *watch) run() {
	tick := time.NewTicker(w.interval)
	defer tick.Stop()
	for range tick.C {
		w.mu.Lock()
		if len(w.streams) == 0 {
			w.running = false
			w.mu.Unlock()
			return
		}
		tokens := make([]string, 0, len(w.streams))
		for token := range w.streams {
			tokens = append(tokens, token)
		}
		w.mu.Unlock()
		w.check(tokens)
	}
}

// check ends the streams of tokens that are no longer valid. If that cannot be decided, they go on.
func (w *watch) check(tokens []string) {
	required, err := w.access.Required(context.Background())
	if err != nil {
		return
	}
	for _, token := range tokens {
		over := required && token == ""
		if token != "" {
			ctx, cancel := context.WithTimeout(context.Background(), checkTimeout)
			_, err := w.access.Identify(ctx, token)
			cancel()
			over = memory.CodeOf(err) == memory.CodeForbidden
		}
		if over {
			w.endAll(token)
		}
	}
}

// checkTimeout limits one check, for which those of other tokens wait.
const checkTimeout = 2 * time.Second

func (w *watch) endAll(token string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for one := range w.streams[token] {
		one.end()
	}
}
