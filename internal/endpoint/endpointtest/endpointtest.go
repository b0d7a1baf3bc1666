// Package endpointtest serves the HTTP APIs of models on this machine, for tests of their clients.
package endpointtest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// Request is a request that a server received; Body is its decoded JSON.
type Request[B any] struct {
	Body B
	Path string
	Key  string // the header Authorization
}

// Answer answers a request; n is its number, from 0.
type Answer[B any] func(n int, r Request[B], w http.ResponseWriter, hr *http.Request)

// Server answers with the function of its test and keeps the requests.
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
	// must come before s.Close, which waits for handlers; cleanups run in reverse order
	t.Cleanup(func() { close(s.released) })
	return s
}

// Requests returns the requests so far.
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
