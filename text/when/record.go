package when

import (
	"time"

	"mcp-memory/memory"
)

// OfRecord returns the times that a record's content speaks of, counted from when it happened, or
// else from when it was recorded. Days are those of the zone of OccurredAt if that has an offset
// from UTC, else of zone, the user's.
func OfRecord(r memory.Record, zone *time.Location) []memory.Mention {
	said := r.OccurredAt
	_, offset := said.Zone()
	switch {
	case said.IsZero():
		said = r.CreatedAt.In(zone)
	case memory.DateOnly(said): // a date without an hour is that date in every zone
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
