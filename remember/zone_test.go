package remember_test

import (
	"testing"
	"time"

	"mcp-memory/remember"
)

// TestBeginningsAreInTheUsersDays: a Monday begins where the user is.
func TestBeginningsAreInTheUsersDays(t *testing.T) {
	for zone, want := range map[string]string{
		"UTC": "2026-03-02T00:00:00Z", "Asia/Tokyo": "2026-03-01T15:00:00Z", "America/New_York": "2026-03-02T05:00:00Z",
	} {
		location, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		b := newBank(t)
		b.now = start.In(location) // a Sunday
		b.say("I work at Blankwerk.")
		b.later()
		got := b.save(remember.SaveRequest{Content: "From Monday I work at Haukeland."})
		if from := b.record(got.ID).ValidFrom.Format(time.RFC3339); from != want {
			t.Errorf("in %s from %s, want %s", zone, from, want)
		}
	}
}
