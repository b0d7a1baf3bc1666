package when_test

import (
	"testing"
	"time"

	"mcp-memory/text/when"
)

func BenchmarkMentions(b *testing.B) {
	said := time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)
	for name, text := range map[string]string{
		"without": "The nightly build of the parser takes forty minutes on the small machine, and nobody knows why.",
		"with":    "The plumber comes on Friday, and the lease ends at the end of March.",
		"german":  "Übermorgen kommt der Schornsteinfeger, und die Leiter muss frei sein.",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				when.Mentions(text, said)
			}
		})
	}
}
