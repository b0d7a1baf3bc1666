package memory_test

import (
	"testing"
	"time"

	"mcp-memory/memory"
)

func TestSupersededWith(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, time.March, n, 9, 0, 0, 0, time.UTC) }
	for name, c := range map[string]struct {
		ended            time.Time // of the old record's validity
		occurred, from   time.Time // of the successor
		wantUntil, since time.Time // of the old record, of the successor
	}{
		"from when it was recorded":    {wantUntil: day(20), since: day(20)},
		"from when it occurred":        {occurred: day(12), wantUntil: day(12), since: day(12)},
		"from when it says":            {occurred: day(12), from: day(14), wantUntil: day(14), since: day(14)},
		"what ended before stays so":   {ended: day(5), from: day(14), wantUntil: day(5), since: day(14)},
		"what would end later is over": {ended: day(25), from: day(14), wantUntil: day(14), since: day(14)},
	} {
		t.Run(name, func(t *testing.T) {
			old := memory.Record{ID: "old", CreatedAt: day(1), ValidUntil: c.ended}
			successor := memory.Record{ID: "new", CreatedAt: day(20), OccurredAt: c.occurred, ValidFrom: c.from}
			closed := old.SupersededWith(&successor)
			if closed.SupersededBy != "new" || !closed.SupersededAt.Equal(day(20)) || closed.ID != "old" {
				t.Errorf("closed: %+v", closed)
			}
			if !closed.ValidUntil.Equal(c.wantUntil) || !successor.ValidFrom.Equal(c.since) {
				t.Errorf("the old one is true until %v, want %v; the new one since %v, want %v", closed.ValidUntil, c.wantUntil,
					successor.ValidFrom, c.since)
			}
			if old.SupersededBy != "" {
				t.Error("the record given was changed")
			}
		})
	}
}

func TestContradicts(t *testing.T) {
	episode := func(outcome string, valence float64) memory.KindDetails {
		return memory.KindDetails{Episode: &memory.EpisodeDetails{Outcome: outcome, EmotionalValence: valence}}
	}
	for name, c := range map[string]struct {
		known, said memory.KindDetails
		want        bool
	}{
		"same outcome":     {episode("won", 0), episode(" WON ", 0), false},
		"another outcome":  {episode("won", 0), episode("lost", 0), true},
		"only one knows":   {episode("won", 0), episode("", 0), false},
		"another valence":  {episode("won", 0.5), episode("won", -0.5), true},
		"valence is added": {episode("won", 0), episode("won", -0.5), false},
		"no details":       {memory.KindDetails{}, episode("won", 1), false},
	} {
		if got := c.known.Contradicts(c.said); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestStoredTime(t *testing.T) {
	at := time.Date(2026, time.March, 1, 12, 0, 0, 123456789, time.FixedZone("", 2*3600))
	want := time.Date(2026, time.March, 1, 10, 0, 0, 123456000, time.UTC)
	if got := memory.StoredTime(at); got != want {
		t.Errorf("stored %v, want %v", got, want)
	}
	if got := (memory.Clock)(func() time.Time { return at }).Now(); got != want {
		t.Errorf("now is %v, want %v", got, want)
	}
}

func TestCheckWritable(t *testing.T) {
	for project, ok := range map[string]bool{"": true, "garden": true, memory.AllProjects: false} {
		err := memory.Scope{Agent: "anna", Project: project}.CheckWritable()
		if (err == nil) != ok || err != nil && memory.CodeOf(err) != memory.CodeInvalidArgument {
			t.Errorf("%q: %v", project, err)
		}
	}
}
