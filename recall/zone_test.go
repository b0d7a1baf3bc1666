package recall_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall"
)

// TestQuestionsAreInTheUsersDays around midnight and where the clocks change, by
// the index and by the database.
func TestQuestionsAreInTheUsersDays(t *testing.T) {
	b := newBank(t, builtin())
	at := func(when string) func(*memory.Record) {
		moment, err := time.Parse(time.RFC3339, when)
		if err != nil {
			t.Fatal(err)
		}
		return func(r *memory.Record) { r.OccurredAt = moment }
	}
	b.save(t, b.Store,
		b.record("The mast broke.", at("2026-03-01T04:30:00Z")),       // 28 February in New York, 13:30 in Tokyo
		b.record("The anchor was lost.", at("2026-03-01T16:00:00Z")),  // 2 March in Tokyo
		b.record("The sail was mended.", at("2026-03-02T00:00:00Z")),  // a date: 2 March everywhere
		b.record("The rudder was found.", at("2026-03-02T04:59:59Z")), // 1 March in New York
		b.record("The keel was painted.", at("2026-03-02T05:00:00Z")),
		b.record("The winter began.", at("2026-03-28T22:59:00Z")), // 23:59 in Oslo
		b.record("The clocks were changed.", at("2026-03-29T21:59:59Z")),
		b.record("The summer began.", at("2026-03-29T22:00:00Z")),
	)
	for _, c := range []struct{ zone, now, question, want string }{
		{"America/New_York", "2026-03-02T20:00:00Z", "What happened yesterday?", "The anchor was lost. The rudder was found."},
		{"America/New_York", "2026-03-03T04:00:00Z", "What happened today?", "The keel was painted. The sail was mended."},
		{"America/New_York", "2026-03-03T05:00:00Z", "What happened yesterday?", "The keel was painted. The sail was mended."},
		{"Asia/Tokyo", "2026-03-02T20:00:00Z", "What happened yesterday?",
			"The anchor was lost. The keel was painted. The rudder was found. The sail was mended."},
		{"Asia/Tokyo", "2026-03-02T14:59:59Z", "What happened yesterday?", "The mast broke."},
		{"UTC", "2026-03-02T20:00:00Z", "What happened yesterday?", "The anchor was lost. The mast broke."},
		{"America/New_York", "2026-03-05T20:00:00Z", "What happened last Sunday?", "The anchor was lost. The rudder was found."},
		{"UTC", "2026-03-05T20:00:00Z", "What happened last Sunday?", "The anchor was lost. The mast broke."},
		// The day on which the clocks change has 23 hours.
		{"Europe/Oslo", "2026-03-30T08:00:00Z", "What happened yesterday?", "The clocks were changed."},
		{"Europe/Oslo", "2026-03-30T08:00:00Z", "What happened this week?", "The summer began."},
		{"UTC", "2026-03-30T08:00:00Z", "What happened yesterday?", "The clocks were changed. The summer began."},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		for name, store := range map[string]recall.Store{"index": b.Store, "database": &unreadable{Store: b.Store}} {
			o := b.all.RecallOptions()
			o.Store, o.Clock = store, func() time.Time { return now.In(zone) }
			service := recall.New(o)
			if name == "database" {
				service.IndexAtOnce(-1)
			}
			got := contents(ask(t, service, c.question))
			slices.Sort(got)
			if text := strings.Join(got, " "); text != c.want {
				t.Errorf("%s in %s at %s by the %s: %q, want %q", c.question, c.zone, c.now, name, text, c.want)
			}
			if name == "database" {
				continue
			}
			// A caller's own moment is in the same zone.
			o.Clock = func() time.Time { return now.AddDate(0, 2, 0).In(zone) }
			again := contents(ask(t, recall.New(o), c.question, func(r *recall.Request) { r.Now = now.UTC() }))
			if slices.Sort(again); !slices.Equal(got, again) {
				t.Errorf("%s asked of %s: %q", c.question, c.now, again)
			}
		}
	}
}
