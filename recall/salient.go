package recall

import "mcp-memory/memory"

// Salience returns how present a record is now, 0 to 1: what package salience
// makes of its importance, its recalls and its age.
func (s *Service) Salience(r memory.Record) float64 { return s.salience.Of(r, s.clock.Now()) }
