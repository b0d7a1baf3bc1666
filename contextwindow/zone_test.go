package contextwindow_test

import (
	"strings"
	"testing"
	"time"

	"mcp-memory/contextwindow"
	"mcp-memory/memory"
)

// TestFlushCountsTheUsersDays: "yesterday" of a fact that a flush finds is the day
// before where the user is, also around midnight.
func TestFlushCountsTheUsersDays(t *testing.T) {
	for _, c := range []struct{ zone, said, want, at string }{
		{"UTC", "2026-03-01T23:30:00Z", "28 February 2026", "2026-02-28T00:00:00Z"},
		{"Asia/Tokyo", "2026-03-01T23:30:00Z", "1 March 2026", "2026-03-01T00:00:00Z"},
		{"America/New_York", "2026-03-01T04:30:00Z", "27 February 2026", "2026-02-27T00:00:00Z"},
		{"Europe/Oslo", "2026-03-29T22:10:00Z", "29 March 2026", "2026-03-29T00:00:00Z"},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		said, err := time.Parse(time.RFC3339, c.said)
		if err != nil {
			t.Fatal(err)
		}
		b := newBank(t)
		service := b.service(func(o *contextwindow.Options) {
			o.Summarizers, o.Clock = b.all.Summarizers(), func() time.Time { return said.In(zone) }
		})
		_, err = service.Append(t.Context(), contextwindow.AppendRequest{Scope: anna, Session: session, Messages: []contextwindow.Message{
			{Role: memory.RoleUser, Content: "I signed the contract with Jonas Lind yesterday.", TS: said},
			{Role: memory.RoleAssistant, Content: "Congratulations.", TS: said},
		}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := service.Compact(t.Context(),
			contextwindow.CompactRequest{Scope: anna, Session: session, Mode: contextwindow.ModeFlush}); err != nil {
			t.Fatal(err)
		}
		facts := 0
		err = b.store.EachRecord(t.Context(), anna.Agent, func(r memory.Record) error {
			if facts++; !strings.Contains(r.Content, c.want) || r.OccurredAt.Format(time.RFC3339) != c.at {
				t.Errorf("in %s: %q of %s, want %s", c.zone, r.Content, r.OccurredAt, c.want)
			}
			return nil
		})
		if err != nil || facts == 0 {
			t.Errorf("in %s: %d facts, %v", c.zone, facts, err)
		}
	}
}
