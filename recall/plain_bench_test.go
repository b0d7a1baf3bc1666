package recall_test

import (
	"fmt"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/recall"
)

// BenchmarkPlainQuestion asks a bank of a few thousand records plain questions.
func BenchmarkPlainQuestion(b *testing.B) {
	bank := newBank(b, builtin())
	var all []memory.Record
	for i := range 3000 {
		all = append(all, bank.record(fmt.Sprintf("%s It was noted by clerk %d in room %d.", sayings[i%len(sayings)], i, i%37)))
	}
	bank.save(b, bank.Store, all...)
	s := bank.service(bank.Store)
	asked := []string{"Which editor do I use?", "Who was the best man at my wedding?", "What is my favourite tea?",
		"How long does the deploy take?", "Who is our dentist?"}
	for i := 0; b.Loop(); i++ {
		if _, err := s.Recall(b.Context(),
			recall.Request{Query: asked[i%len(asked)], Scope: memory.Scope{Agent: "ann"}, MinScore: recall.Floor,
				Lenient: true}); err != nil {
			b.Fatal(err)
		}
	}
}
