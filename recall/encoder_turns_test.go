package recall_test

import (
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall"
)

func TestTurnsAreFoundByTheirMeaning(t *testing.T) {
	said := []string{
		"The car needs a new exhaust before the summer.", "Mrs Petrov from downstairs waters the plants while we are away.",
		"Igor takes the bus to work.", "The ferry sails at noon in May.", "The garage sent the estimate for the brakes.",
	}
	for _, people := range []bool{false, true} {
		b := newEncodedBank(t)
		var turns []memory.Turn
		for i, content := range said {
			b.pass(time.Minute)
			turn := memory.Turn{ID: b.ids.New(), Agent: "ann", Session: "s", Index: i,
				Role: []memory.Role{memory.RoleUser, memory.RoleAssistant}[i%2], Content: content, SaidAt: b.clock(), CreatedAt: b.clock()}
			if people {
				turn.Role, turn.Speaker = "", []string{"Rosa", "Igor"}[i%2]
			}
			turns = append(turns, turn)
		}
		err := b.Write(t.Context(), "ann", func(tx memory.Tx) error {
			_, err := tx.InsertTurns(turns, make([][]float32, len(turns)))
			return err
		})
		if err == nil {
			err = b.all.Encode(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		question := recall.Request{Query: "Who gives my flowers a drink during our holiday?", Scope: memory.Scope{Agent: "ann"},
			Corpora: []memory.Corpus{memory.Conversations}, Explain: true}
		answer, err := recall.New(b.all.RecallOptions()).Recall(t.Context(), question)
		if err != nil || len(answer.Results) == 0 {
			t.Fatalf("%+v, %v", answer, err)
		}
		first := answer.Results[0]
		if part := first.Why.Part("encoder"); first.Content != said[1] || people && part != 0 || !people && part < 0.1 {
			t.Errorf("among people %t: first is %q, of which the encoder has %.2f", people, first.Content, part)
		}
	}
}
