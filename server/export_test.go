package server

import "context"

// Truncate is truncate.
var Truncate = truncate

// Instructions returns the instructions of a handshake.
func (s *Server) Instructions(ctx context.Context) string { return s.instructions(ctx) }

// Watching returns how many subscriptions there are, and whether they are
// looked at.
func (s *Server) Watching() (n int, running bool) {
	s.subscriptions.mu.Lock()
	defer s.subscriptions.mu.Unlock()
	return len(s.subscriptions.subs), s.subscriptions.running
}
