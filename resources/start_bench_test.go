package resources

import (
	"fmt"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/salience"
)

// BenchmarkChoose is what choosing adds to the start (50 records, words only) and
// to a page (200 records, with slots).
func BenchmarkChoose(b *testing.B) {
	now := time.Date(2026, 6, 1, 9, 0, 0, 0, time.UTC)
	s := &Service{clock: func() time.Time { return now }, salience: salience.Default()}
	sentences := []string{
		"We switched from Jenkins to Woodpecker in service %d.", "Decided: no exports for customer %d before the audit in July.",
		"The report number %d must be sent by 30 June, and two of the figures are still missing.", "Team %d has nine members.",
	}
	for name, size := range map[string]int{"briefing": 50, "page": 200} {
		pool := make([]memory.Record, size)
		for i := range pool {
			pool[i] = memory.Record{ID: fmt.Sprint(i), Kind: memory.KindFact, Importance: 0.5, Content: fmt.Sprintf(sentences[i%4], i),
				CreatedAt: now}
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s.choose(pool, memory.Scope{Agent: "ann"}, name == "page")
			}
		})
	}
}
