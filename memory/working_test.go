package memory_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
)

// check says what a Validate method should find wrong.
type check struct {
	value interface{ Validate() error }
	code  memory.Code // empty if it is right
	names string      // what the message must name
}

func runChecks(t *testing.T, checks map[string]check) {
	for name, c := range checks {
		err := c.value.Validate()
		if memory.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want code %q", name, err, c.code)
		}
		if c.code != "" && !strings.Contains(err.Error(), c.names) {
			t.Errorf("%s: %v does not name %s", name, err, c.names)
		}
	}
}

// changed returns a copy with one edit.
func changed[T any](v T, edit func(*T)) T {
	edit(&v)
	return v
}

var (
	now  = time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	huge = strings.Repeat("x", memory.MaxTurnBytes+1)
)

func TestTurnDetails(t *testing.T) {
	turn := func(d memory.TurnDetails) memory.Turn {
		return memory.Turn{Session: "s", Content: "x", Details: &d}
	}
	calls := func(c ...memory.ToolCall) memory.Turn { return turn(memory.TurnDetails{ToolCalls: c}) }
	runChecks(t, map[string]check{
		"none":  {memory.Turn{Session: "s", Content: "x"}, "", ""},
		"empty": {turn(memory.TurnDetails{}), "", ""},
		"full": {turn(memory.TurnDetails{InputSource: "chat", Thinking: "Hm.", ToolCallID: "c",
			Classification: memory.ClassIdle}), "", ""},
		"no content": {changed(turn(memory.TurnDetails{Tokens: 1}), func(t *memory.Turn) { t.Content = " " }),
			memory.CodeInvalidArgument, "text"},
		"only calls":    {changed(calls(memory.ToolCall{Name: "ls"}), func(t *memory.Turn) { t.Content = "" }), "", ""},
		"class":         {turn(memory.TurnDetails{Classification: "lazy"}), memory.CodeInvalidArgument, "classification"},
		"long source":   {turn(memory.TurnDetails{InputSource: huge[:300]}), memory.CodeTooLarge, "input_source"},
		"long thoughts": {turn(memory.TurnDetails{Thinking: huge}), memory.CodeTooLarge, "thinking"},
		"call of none":  {calls(memory.ToolCall{Result: "x"}), memory.CodeInvalidArgument, "name"},
		"broken JSON":   {calls(memory.ToolCall{Name: "ls", Arguments: json.RawMessage(`{`)}), memory.CodeInvalidArgument, "arguments"},
		"long result":   {calls(memory.ToolCall{Name: "ls", Result: huge}), memory.CodeTooLarge, "tool_calls"},
		"long together": {calls(memory.ToolCall{Name: "a", Result: huge[:600_000]}, memory.ToolCall{Name: "b", Error: huge[:600_000]}),
			memory.CodeTooLarge, "tool_calls"},
		"bytes":          {calls(memory.ToolCall{Name: "ls", Result: "\xff"}), memory.CodeInvalidArgument, "tool_calls"},
		"long call name": {calls(memory.ToolCall{Name: huge[:300]}), memory.CodeTooLarge, "name"},
	})
}

func TestContextEvent(t *testing.T) {
	event := func(edit func(*memory.ContextEvent)) memory.ContextEvent {
		return changed(memory.ContextEvent{Session: "s", Type: "tool", Content: "x"}, edit)
	}
	runChecks(t, map[string]check{
		"plain":      {event(func(*memory.ContextEvent) {}), "", ""},
		"no content": {event(func(e *memory.ContextEvent) { e.Content = "" }), "", ""},
		"no session": {event(func(e *memory.ContextEvent) { e.Session = " " }), memory.CodeInvalidArgument, "session_id"},
		"no type":    {event(func(e *memory.ContextEvent) { e.Type = "" }), memory.CodeInvalidArgument, "type"},
		"long goal":  {event(func(e *memory.ContextEvent) { e.GoalID = huge[:300] }), memory.CodeTooLarge, "goal_id"},
		"NUL":        {event(func(e *memory.ContextEvent) { e.TaskID = "\x00" }), memory.CodeInvalidArgument, "task_id"},
		"long name":  {event(func(e *memory.ContextEvent) { e.ExternalID = huge[:300] }), memory.CodeTooLarge, "external_id"},
		"long content": {event(func(e *memory.ContextEvent) { e.Content = huge[:memory.MaxContentBytes+1] }),
			memory.CodeTooLarge, "content"},
	})
}
