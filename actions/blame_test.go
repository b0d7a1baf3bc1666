package actions_test

import (
	"strings"
	"testing"

	"mcp-memory/actions"
	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
)

// What the user said of a file counts as a reason for how it is, his questions and what the
// assistant said do not; and none of it is said before a call.
func TestBlameKnowsWhatWasSaid(t *testing.T) {
	bank := newBank(t)
	history(t, bank, barn, "s1", `~/work/barn/src/voucher.ts`)
	var turns []memory.Turn
	for i, said := range []string{
		"Vouchers never stack: in src/voucher.ts only the best one counts.",
		"What does src/voucher.ts do?", "I have read src/voucher.ts.", "In src/price.ts they do stack.",
	} {
		role := memory.RoleUser
		if i == 2 {
			role = memory.RoleAssistant
		}
		turns = append(turns, memory.Turn{
			ID: string(rune('a' + i)), Agent: barn.Agent, Project: barn.Project,
			Session: "s1", Index: i, Role: role, Speaker: string(role), Content: said,
			SaidAt: testbank.Start, CreatedAt: testbank.Start,
		})
	}
	if err := bank.Store.Write(t.Context(), barn.Agent, func(tx memory.Tx) error {
		_, err := tx.InsertTurns(turns, make([][]float32, len(turns)))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	blame, err := bank.Actions().Blame(t.Context(), barn, actions.BlameRequest{Path: "src/voucher.ts"})
	if err != nil || len(blame.Sessions) != 1 || len(blame.Decisions) != 1 ||
		!strings.Contains(blame.Decisions[0].Content, "only the best one") {
		t.Errorf("%+v, %v", blame, err)
	}
	if told, err := bank.Actions().Before(t.Context(), barn, actions.Call{Path: "src/voucher.ts"}); err != nil || told.Text != "" {
		t.Errorf("before a call: %+v, %v", told, err)
	}
}
