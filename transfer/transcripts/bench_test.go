package transcripts_test

import (
	"bytes"
	"testing"
	"time"

	"mcp-memory/internal/testtranscript"
	"mcp-memory/transfer/transcripts"
)

// BenchmarkRead measures reading alone, of a session as Claude Code writes it.
func BenchmarkRead(b *testing.B) {
	text := testtranscript.ClaudeCode(testtranscript.Session{
		ID: "s", Dir: "/home/ann/api", Start: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC), Bytes: 8 << 20,
	})
	b.SetBytes(int64(len(text)))
	for name, limit := range map[string]int{"whole": 0, "shortened": 2048} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			turns, kept := 0, 0
			for b.Loop() {
				_, err := transcripts.Read(bytes.NewReader(text), transcripts.Options{MaxResult: limit}, func(t transcripts.Turn) error {
					turns++
					kept += len(t.Content)
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(turns)/float64(b.N)/(float64(len(text))/1e6), "turns/MB")
			b.ReportMetric(float64(kept)/float64(b.N)/float64(len(text)), "kept/byte")
		})
	}
}
