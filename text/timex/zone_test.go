package timex_test

import (
	"testing"
	"time"

	"mcp-memory/text/timex"
)

// TestDaysAreThoseOfTheZone around midnight and where the clocks change.
func TestDaysAreThoseOfTheZone(t *testing.T) {
	for _, c := range []struct{ zone, now, text, from, to string }{
		{"Asia/Tokyo", "2026-03-01T16:00:00Z", "yesterday", "2026-02-28T15:00:00Z", "2026-03-01T15:00:00Z"},
		{"America/New_York", "2026-03-01T03:00:00Z", "yesterday", "2026-02-27T05:00:00Z", "2026-02-28T05:00:00Z"},
		{"UTC", "2026-03-01T03:00:00Z", "yesterday", "2026-02-28T00:00:00Z", "2026-03-01T00:00:00Z"},
		{"Europe/Oslo", "2026-03-01T22:59:59Z", "today", "2026-02-28T23:00:00Z", "2026-03-01T23:00:00Z"},
		{"Europe/Oslo", "2026-03-01T23:00:00Z", "today", "2026-03-01T23:00:00Z", "2026-03-02T23:00:00Z"},
		// 29 March 2026 has 23 hours in Oslo, 25 October has 25.
		{"Europe/Oslo", "2026-03-30T08:00:00Z", "yesterday", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"},
		{"Europe/Oslo", "2026-10-26T08:00:00Z", "yesterday", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"},
		{"Europe/Oslo", "2026-03-30T08:00:00Z", "last week", "2026-03-22T23:00:00Z", "2026-03-29T22:00:00Z"},
		{"Europe/Oslo", "2026-03-30T08:00:00Z", "this week", "2026-03-29T22:00:00Z", "2026-04-05T22:00:00Z"},
		{"Pacific/Auckland", "2026-03-02T12:00:00Z", "last Tuesday", "2026-02-23T11:00:00Z", "2026-02-24T11:00:00Z"},
		{"Europe/Oslo", "2026-03-30T08:00:00Z", "in March 2026", "2026-02-28T23:00:00Z", "2026-03-31T22:00:00Z"},
		// An hour is an hour, also while the clocks are changed.
		{"Europe/Oslo", "2026-03-29T02:00:00Z", "two hours ago", "2026-03-28T23:30:00Z", "2026-03-29T00:30:00Z"},
		// In Cairo the clocks go from midnight to one: the day begins at what was midnight.
		{"Africa/Cairo", "2026-04-24T12:00:00Z", "today", "2026-04-23T22:00:00Z", "2026-04-24T21:00:00Z"},
		// A timestamp without a zone is in that of now, others say theirs.
		{"Asia/Tokyo", "2026-03-01T16:00:00Z", "2026-02-03T10:00", "2026-02-03T01:00:00Z", "2026-02-03T01:01:00Z"},
		{"Asia/Tokyo", "2026-03-01T16:00:00Z", "2026-02-03T10:00Z", "2026-02-03T10:00:00Z", "2026-02-03T10:01:00Z"},
		{"Asia/Tokyo", "2026-03-01T16:00:00Z", "2026-02-03T10:00:00+02:00", "2026-02-03T08:00:00Z", "2026-02-03T08:00:01Z"},
		{"Asia/Tokyo", "2026-03-01T16:00:00Z", "before 2020", "0001-01-01T00:00:00Z", "2019-12-31T15:00:00Z"},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		now, _ := time.Parse(time.RFC3339, c.now)
		spans := timex.Find("It was "+c.text+", I think.", now.In(zone))
		if len(spans) != 1 {
			t.Errorf("%s in %s: %v", c.text, c.zone, spans)
			continue
		}
		if from, to := spans[0].From.UTC().Format(time.RFC3339), spans[0].To.UTC().Format(time.RFC3339); from != c.from || to != c.to {
			t.Errorf("%s in %s at %s: %s to %s, want %s to %s", c.text, c.zone, c.now, from, to, c.from, c.to)
		}
	}
}

// TestWall: what clocks show, and back.
func TestWall(t *testing.T) {
	oslo := oslo()
	for wall, want := range map[string]string{
		"2026-03-29T01:59:59.5Z": "2026-03-29T00:59:59.5Z",
		"2026-03-29T02:30:00Z":   "2026-03-29T01:30:00Z", // skipped
		"2026-03-29T03:00:00Z":   "2026-03-29T01:00:00Z",
		"2026-10-25T02:30:00Z":   "2026-10-25T00:30:00Z", // twice
		"2026-10-25T03:00:00Z":   "2026-10-25T02:00:00Z",
	} {
		at, _ := time.Parse(time.RFC3339Nano, wall)
		if got := timex.InZone(at, oslo).UTC().Format(time.RFC3339Nano); got != want {
			t.Errorf("%s is %s, want %s", wall, got, want)
		}
	}
	for at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() == 2026; at = at.Add(7 * time.Hour) {
		if back := timex.InZone(timex.OnWall(at.In(oslo)), oslo); !back.Equal(at) && at.Month() != time.October {
			t.Fatalf("%s comes back as %s", at, back)
		}
	}
}
