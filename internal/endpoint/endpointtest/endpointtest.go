// Package endpointtest serves the HTTP APIs of models from this machine, for
// tests of what asks them.
package endpointtest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// Request is what a server got; Body is its JSON.
type Request[B any] struct {
	Body B
	Path string
	Key  string // the header Authorization
}

// Answer answers the request of a number, from 0.
type Answer[B any] func(n int, r Request[B], w http.ResponseWriter, hr *http.Request)

// Server answers as its test says and notes what it is asked.
type Server[B any] struct {
	*httptest.Server
	mu       sync.Mutex
	requests []Request[B]
	released chan struct{} // closed at the end of the test
}

// Serve starts a server that ends with the test.
func Serve[B any](t *testing.T, answer Answer[B]) *Server[B] {
	t.Helper()
	s := &Server[B]{released: make(chan struct{})}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, hr *http.Request) {
		r := Request[B]{Path: hr.URL.Path, Key: hr.Header.Get("Authorization")}
		if err := json.NewDecoder(hr.Body).Decode(&r.Body); err != nil {
			t.Errorf("request: %v", err)
		}
		s.mu.Lock()
		n := len(s.requests)
		s.requests = append(s.requests, r)
		s.mu.Unlock()
		answer(n, r, w, hr)
	}))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(s.released) }) // before the server waits for its handlers
	return s
}

// Requests returns what was asked so far.
func (s *Server[B]) Requests() []Request[B] {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Hang keeps a request open until its client is gone.
func (s *Server[B]) Hang(hr *http.Request) {
	select {
	case <-hr.Context().Done():
	case <-s.released:
	}
}
