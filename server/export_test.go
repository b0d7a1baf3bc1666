package server

import "context"

// Truncate is truncate.
var Truncate = truncate

// Instructions returns the instructions of a handshake.
func (s *Server) Instructions(ctx context.Context) string { return s.instructions(ctx) }

// Watching returns how many subscriptions there are, and whether they are
// looked at.
func (s *Server) Watching() (n int, running bool) {
	s.changes.mu.Lock()
	defer s.changes.mu.Unlock()
	return len(s.changes.subs), s.changes.running
}
