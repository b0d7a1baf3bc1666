package when

import (
	"time"

	"mcp-memory/memory"
)

// OfRecord reads the times that a record speaks of, as of when it happened or else
// was recorded: in days of the zone of that moment where it has one, else of the user's.
func OfRecord(r memory.Record, zone *time.Location) []memory.Mention {
	said := r.OccurredAt
	_, offset := said.Zone()
	switch {
	case said.IsZero():
		said = r.CreatedAt.In(zone)
	case memory.DateOnly(said): // that day, wherever somebody is
		said = time.Date(said.Year(), said.Month(), said.Day(), 12, 0, 0, 0, zone)
	case offset == 0:
		said = said.In(zone)
	}
	var list []memory.Mention
	for _, m := range Mentions(r.Content, said) {
		list = append(list, m.Mention)
	}
	return list
}
