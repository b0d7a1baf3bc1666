package sqlite

import (
	"testing"

	"mcp-memory/memory"
)

// BenchmarkDocuments reads what a recall reads of a bank that has only facts.
func BenchmarkDocuments(b *testing.B) {
	s := filled(b)
	seqs, err := s.Select(b.Context(), memory.Memories, memory.Filter{Agent: "ann"})
	if err != nil {
		b.Fatal(err)
	}
	few := make([]int64, 50)
	for i := range few {
		few[i] = seqs[i*199]
	}
	for b.Loop() {
		docs, err := s.Documents(b.Context(), memory.Memories, memory.Filter{Agent: "ann"}, few)
		if err != nil || len(docs) != 50 {
			b.Fatal(len(docs), err)
		}
	}
}
