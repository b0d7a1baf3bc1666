package recall_test

import (
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall"
)

// TestTheVersionOfATime: a question about a time is answered by what held then, and so is one that
// is asked of a day; what came later stands last, what happened in the time first.
func TestTheVersionOfATime(t *testing.T) {
	b := newBank(t, builtin())
	s := b.service(b.Store)
	for _, one := range []struct {
		content string
		at      time.Time
	}{
		{"My dentist is Dr Huber.", day("2023-05-01")}, {"My dentist is Dr Weiss now, Huber retired.", day("2025-01-15")},
		{"I switched to Dr Lang as my dentist.", day("2026-01-20")},
	} {
		b.save(t, b.Store, b.record(one.content, func(r *memory.Record) { r.OccurredAt = one.at }))
	}
	for _, c := range []struct {
		question string
		asOf     time.Time
		want     string
	}{
		{"Who is my dentist?", time.Time{}, "I switched to Dr Lang as my dentist."},
		{"Who is my dentist?", day("2023-09-01"), "My dentist is Dr Huber."},
		{"Who is my dentist?", day("2025-09-01"), "My dentist is Dr Weiss now, Huber retired."},
		{"Who is my dentist?", day("2026-02-20"), "I switched to Dr Lang as my dentist."},
		{"Who was my dentist in 2024?", time.Time{}, "My dentist is Dr Huber."},
		{"Who was my dentist in March 2025?", time.Time{}, "My dentist is Dr Weiss now, Huber retired."},
		{"Who was my dentist in February 2026?", time.Time{}, "I switched to Dr Lang as my dentist."},
	} {
		got := ask(t, s, c.question, func(r *recall.Request) { r.Filter.AsOf = c.asOf })
		if len(got) == 0 || got[0].Content != c.want {
			t.Errorf("%s as of %s: %q, want %q", c.question, c.asOf.Format(time.DateOnly), contents(got), c.want)
		}
	}
}
