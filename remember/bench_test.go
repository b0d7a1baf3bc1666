package remember_test

import (
	"fmt"
	"testing"
	"time"

	"mcp-memory/internal/testbank"
	"mcp-memory/remember"
)

// BenchmarkSave saves a sentence into a bank of 5,000: one that takes the place
// of a known one, one that fills a slot of nobody known, and one without slots.
func BenchmarkSave(b *testing.B) {
	now := start
	bank := testbank.New(b, testbank.Options{Clock: func() time.Time { now = now.Add(time.Second); return now }})
	for i := range 10 {
		requests := make([]remember.SaveRequest, 500)
		for k := range requests {
			requests[k] = remember.SaveRequest{Content: fmt.Sprintf("Keeper %d of the harbour lives in house %d.", k%50, 500*i+k),
				Quiet: true}
		}
		if _, err := bank.Remember.SaveBatch(b.Context(), anna, requests); err != nil {
			b.Fatal(err)
		}
	}
	cities := []string{"Oslo", "Graz", "Lyon", "Turin", "Kyoto", "Quito"}
	n := 0
	for name, content := range map[string]func() string{
		"successor":    func() string { return "I moved to " + cities[n%len(cities)] + "." },
		"nobody known": func() string { return fmt.Sprintf("Visitor %d lives in Graz.", n) },
		"no slots":     func() string { return fmt.Sprintf("%d gulls over the harbour, and rain.", n) },
	} {
		b.Run(name, func(b *testing.B) {
			replaced := 0
			for b.Loop() {
				n++
				r, err := bank.Remember.Save(b.Context(), anna, remember.SaveRequest{Content: content()})
				if err != nil {
					b.Fatal(err)
				}
				replaced += len(r.Superseded)
			}
			if (name == "successor") != (replaced > 0) && b.N > 1 {
				b.Errorf("%d of %d took the place of another", replaced, b.N)
			}
		})
	}
}
