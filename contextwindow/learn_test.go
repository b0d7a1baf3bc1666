package contextwindow_test

import (
	"encoding/json"
	"slices"
	"testing"

	"mcp-memory/contextwindow"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

// What is learned of a finished conversation is what a flush of it would have
// saved, and saving it twice saves it once.
func TestLearn(t *testing.T) {
	said := []contextwindow.Message{
		say("My locker is blue."),
		{Role: memory.RoleAssistant, Content: "I look.",
			ToolCalls: []memory.ToolCall{{ID: "c1", Name: "Bash", Arguments: json.RawMessage(`{"command":"go test"}`)}}},
		{Role: memory.RoleTool, Content: "Error: FAIL", ToolCallID: "c1"},
		say("My bike is green."),
	}
	flushed := newBank(t, byTokens)
	flushed.append(said...)
	flushed.flush()

	model := &rules{remote: true}
	b := newBank(t, func(o *contextwindow.Options) { o.Summarizers = []memory.Summarizer{model, &rules{}} })
	var turns []memory.Turn
	for i, m := range said {
		turns = append(turns, memory.Turn{
			ID: "turn" + string(rune('0'+i)), Agent: anna.Agent, Session: session,
			Index: i, Role: m.Role, Speaker: string(m.Role), Content: m.Content, SaidAt: b.clock(),
			Details: &memory.TurnDetails{ToolCalls: m.ToolCalls, ToolCallID: m.ToolCallID},
		})
	}
	b.Classify(turns)
	for range 2 {
		facts, others, err := b.Learn(t.Context(), anna, session, turns)
		if err != nil || len(facts) != 2 {
			t.Fatalf("%d facts, %v", len(facts), err)
		}
		batch := remember.New(b.rememberOptions()).NewBatch(anna)
		for _, r := range append(facts, others...) {
			if err := batch.Add(r); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := batch.Save(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	got, want := b.facts(), flushed.facts()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || len(want) < 4 {
		t.Errorf("learned %q, a flush saved %q", got, want)
	}
	if model.asked.Load() > 0 {
		t.Error("a model was asked")
	}
	if turns[2].Details.Classification != memory.ClassError {
		t.Errorf("a failure is %q", turns[2].Details.Classification)
	}
	if w, err := b.store.Window(t.Context(), anna.Agent, session); w != nil || err != nil {
		t.Errorf("a window %+v, %v", w, err)
	}
	if facts, others, err := b.Learn(t.Context(), anna, session, nil); len(facts)+len(others) > 0 || err != nil {
		t.Errorf("of nothing: %v %v %v", facts, others, err)
	}
}
