package remember

import (
	"mcp-memory/memory"
	"mcp-memory/text/when"
)

// mentions returns the times that a record speaks of, reading them if nobody has.
func (s *Service) mentions(r memory.Record) []memory.Mention {
	if r.Mentions != nil {
		return r.Mentions
	}
	return when.OfRecord(r, s.clock.Zone())
}
