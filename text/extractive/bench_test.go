package extractive_test

import (
	"context"
	"fmt"
	"testing"

	"mcp-memory/memory"
)

// conversation returns n turns of statements between small talk.
func conversation(n int) (turns []memory.Turn, bytes int) {
	for round := 1; len(turns) < n; round++ {
		more, _ := statements(round)
		turns = append(turns, more...)
	}
	for _, t := range turns[:n] {
		bytes += len(t.Content)
	}
	return turns[:n], bytes
}

func BenchmarkSummarize(b *testing.B) {
	for _, n := range []int{1000, 6500} { // the latter is about 100,000 tokens
		turns, bytes := conversation(n)
		b.Run(fmt.Sprintf("turns=%d", n), func(b *testing.B) {
			b.SetBytes(int64(bytes))
			for b.Loop() {
				summarize(b, memory.SummaryRequest{Turns: turns, MaxTokens: 2000})
			}
		})
	}
}

func BenchmarkExtract(b *testing.B) {
	turns, bytes := conversation(1000)
	b.SetBytes(int64(bytes))
	d := newSummarizer()
	for b.Loop() {
		if _, err := d.Extract(context.Background(), memory.ExtractRequest{Turns: turns}); err != nil {
			b.Fatal(err)
		}
	}
}
