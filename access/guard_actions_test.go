package access_test

import (
	"testing"

	"mcp-memory/access"
	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

// TestGuardOfActions: a token of some projects sees what was done in these alone, and none of that
// takes a place of the limit.
func TestGuardOfActions(t *testing.T) {
	bank := testbank.New(t, testbank.Options{})
	scope := memory.Scope{Agent: "ann", Project: "shop"}
	if _, err := bank.Remember.Save(t.Context(), scope, remember.SaveRequest{Content: "The shop opens at nine."}); err != nil {
		t.Fatal(err)
	}
	var list []memory.Action
	for i, project := range []string{"shop", "mill", "", "mill"} {
		list = append(list, memory.Action{
			ID: string(rune('a' + i)), Project: project, Session: "s",
			Kind: memory.ActionCommand, Text: "make " + project, At: testbank.Start.Add(1 << uint(30+i)),
		})
	}
	if _, err := bank.Store.NoteActions(t.Context(), "ann", list); err != nil {
		t.Fatal(err)
	}
	guard := access.NewGuard(bank.Store, bank.Clock)
	ctx := access.With(t.Context(), access.Identity{Agent: "ann", Projects: []string{"shop"}})
	for _, f := range []memory.ActionFilter{{}, {Limit: 1}, {Projects: []string{"shop", "mill"}}} {
		if got, err := guard.Actions(ctx, "ann", f); err != nil || len(got) != 1 || got[0].Project != "shop" {
			t.Errorf("%+v: %+v, %v", f, got, err)
		}
	}
	if got, err := guard.Actions(ctx, "ann", memory.ActionFilter{Projects: []string{"mill"}}); err != nil || len(got) != 0 {
		t.Errorf("of another project: %+v, %v", got, err)
	}
	if got, err := guard.Actions(t.Context(), "ann", memory.ActionFilter{}); err != nil || len(got) != 4 {
		t.Errorf("without an identity: %+v, %v", got, err)
	}
}
