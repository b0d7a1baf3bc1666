package contextwindow_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mcp-memory/contextwindow"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/text/tokens"
	"mcp-memory/workspace"
)

func promptTokens(messages []contextwindow.Message) (n int) {
	counter := tokens.NewCounter("")
	for _, m := range messages {
		n += contextwindow.MessageTokens(counter, m)
	}
	return n
}

// TestPromptNeverExceedsItsBudget: whatever the input, a prompt fits into
// total − reserve, and the last turns are in it.
func TestPromptNeverExceedsItsBudget(t *testing.T) {
	b := newBank(t)
	for i := range 40 {
		save(b, remember.SaveRequest{Content: fmt.Sprintf("Fact %d: the harbour has %d cranes.", i, i)})
	}
	n := 0
	long := func(t *rapid.T, name string) string {
		return strings.Repeat(rapid.StringN(0, 30, -1).Draw(t, name), rapid.SampledFrom([]int{1, 1, 5, 200}).Draw(t, name+" times"))
	}
	clean := func(s string) string { return strings.ReplaceAll(strings.ToValidUTF8(s, "?"), "\x00", "") }
	rapid.Check(t, func(t *rapid.T) {
		n++
		name := fmt.Sprint("session ", n)
		capacity := rapid.IntRange(contextwindow.MinCapacity, 4000).Draw(t, "capacity")
		reserve := rapid.IntRange(0, 500).Draw(t, "reserve")
		request := contextwindow.AppendRequest{Scope: anna, Session: name, Total: 1 << 20, Reserve: new(int)}
		for i := range rapid.IntRange(0, 12).Draw(t, "messages") {
			m := contextwindow.Message{
				Role:    rapid.SampledFrom(memory.Roles()).Draw(t, "role"),
				Content: clean(long(t, "content")), Name: clean(rapid.StringN(0, 40, 250).Draw(t, "name")),
			}
			if rapid.Bool().Draw(t, "calls") {
				for range rapid.SampledFrom([]int{1, 2, 60}).Draw(t, "number of calls") {
					m.ToolCalls = append(m.ToolCalls, memory.ToolCall{
						ID: fmt.Sprint(i), Name: "tool",
						Arguments: json.RawMessage(`{"a":"` + strings.Repeat("b ", 30) + `"}`), Result: clean(long(t, "result")),
					})
				}
			}
			if strings.TrimSpace(m.Content) == "" {
				m.Content += "x"
			}
			request.Messages = append(request.Messages, m)
		}
		for range rapid.IntRange(0, 5).Draw(t, "events") {
			request.Events = append(request.Events, contextwindow.Event{Type: "e", Content: clean(long(t, "event"))})
		}
		if _, err := b.Append(b.t.Context(), request); err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "compacted") {
			_, err := b.Compact(b.t.Context(), contextwindow.CompactRequest{
				Scope: anna, Session: name, Facts: []contextwindow.GivenFact{}, Summary: "They spoke. " + clean(long(t, "summary")),
				KeepLast: rapid.IntRange(1, 5).Draw(t, "kept"),
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		s, err := b.Status(b.t.Context(), anna, name)
		if err != nil {
			t.Fatal(err)
		}
		live, total := s.Turns-s.Compacted, capacity+reserve
		memories := rapid.SampledFrom([]int{0, 30, 100, 2000, 1 << 20}).Draw(t, "memory budget")
		a, err := b.Assemble(b.t.Context(), contextwindow.AssembleRequest{
			Scope: anna, Session: name, Total: total, Reserve: &reserve, SystemPrompt: clean(long(t, "system prompt")),
			Todo: clean(long(t, "todo")), Task: clean(long(t, "task")), Query: "How many cranes has the harbour?",
			MemoryBudget: &memories,
		})
		if memory.CodeOf(err) == memory.CodeTooLarge {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		used := promptTokens(a.Messages)
		if used > capacity || used != a.Budget.Used() || used != a.Utilization.UsedTokens {
			t.Fatalf("%d tokens, budget says %d, utilisation %d; capacity %d", used, a.Budget.Used(), a.Utilization.UsedTokens, capacity)
		}
		if a.Budget.MemoryTokens > memories {
			t.Fatalf("%d tokens of memories, %d are allowed", a.Budget.MemoryTokens, memories)
		}
		if a.Utilization.TurnsInContext < min(3, live) {
			t.Fatalf("%d turns of %d are in the prompt", a.Utilization.TurnsInContext, live)
		}
	})
}

func save(b *bank, r remember.SaveRequest) string {
	b.t.Helper()
	r.Quiet = true
	result, err := remember.New(b.rememberOptions()).Save(b.t.Context(), anna, r)
	if err != nil {
		b.t.Fatal(err)
	}
	return result.ID
}

func (b *bank) assemble(r contextwindow.AssembleRequest) contextwindow.Assembled {
	b.t.Helper()
	r.Scope, r.Session = anna, session
	a, err := b.Assemble(b.t.Context(), r)
	if err != nil {
		b.t.Fatal(err)
	}
	return a
}

// text is the prompt as one string.
func text(a contextwindow.Assembled) string {
	var b strings.Builder
	for _, m := range a.Messages {
		fmt.Fprintf(&b, "[%s] %s\n", m.Role, m.Content)
	}
	return b.String()
}

func TestAssemblePriorities(t *testing.T) {
	b := newBank(t, func(o *contextwindow.Options) { o.Settings.Compaction = contextwindow.TriggerMessages })
	save(b, remember.SaveRequest{Content: "The harbour has nine cranes."})
	save(b, remember.SaveRequest{Content: "Deploy the harbour service: run tests, build, push.", Kind: memory.KindProcedure,
		KindDetails: memory.KindDetails{Procedure: &memory.ProcedureDetails{Name: "deploy harbour", Executed: 10, Succeeded: 2}}})
	save(b, remember.SaveRequest{Content: "Check the harbour cranes every morning.", Kind: memory.KindProcedure,
		KindDetails: memory.KindDetails{Procedure: &memory.ProcedureDetails{Name: "check cranes", Executed: 10, Succeeded: 9}}})
	err := b.store.Write(t.Context(), anna.Agent, func(tx memory.Tx) error {
		return tx.InsertTodo(memory.Todo{ID: "019ca945-0a00-7000-8000-000000000001", Agent: anna.Agent, Title: "Oil the cranes",
			Priority: memory.PriorityHigh, CreatedAt: start})
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		b.append(contextwindow.Message{Role: memory.RoleUser, Content: fmt.Sprintf("turn %d about the harbour cranes", i)})
	}
	if _, err := b.Append(t.Context(),
		contextwindow.AppendRequest{Scope: anna, Session: session,
			Events: []contextwindow.Event{{Type: "docked", Content: "a ship"}}}); err != nil {
		t.Fatal(err)
	}
	a := b.assemble(contextwindow.AssembleRequest{SystemPrompt: "Be kind.", Task: "Count the cranes."})
	got := text(a)
	last := -1
	for _, part := range []string{"[system] Be kind.", "Oil the cranes (high)", "Task:\nCount the cranes.", "The harbour has nine cranes.",
		"Check the harbour cranes", "docked: a ship", "turn 0 ", "turn 29 "} {
		at := strings.Index(got, part)
		if at <= last {
			t.Errorf("%q is at %d, after %d, in\n%s", part, at, last, got)
		}
		last = at
	}
	if strings.Contains(got, "Deploy the harbour") {
		t.Error("a procedure that fails is in the prompt")
	}
	if u := a.Budget; u.SystemPromptTokens == 0 || u.TodoTokens == 0 || u.TaskTokens == 0 || u.MemoryTokens == 0 || u.EventTokens == 0 ||
		u.TurnTokens == 0 || u.CompressionHeadroom == 0 {
		t.Errorf("budget %+v", u)
	}
	if e := a.Events; len(e.Events) != 1 || !strings.Contains(got, e.Events[0].Reference) || e.OriginalTokens == 0 ||
		e.CompactTokens == 0 || e.Ratio == 0 {
		t.Errorf("events %+v", e)
	}
	// With less room the least important goes first.
	zero := 0
	small := b.assemble(contextwindow.AssembleRequest{SystemPrompt: "Be kind.", Todo: "Mine", Task: "Count the cranes.", Total: 270,
		Reserve: &zero})
	got = text(small)
	for _, part := range []string{"Be kind.", "Mine", "Count the cranes.", "turn 27 ", "turn 28 ", "turn 29 "} {
		if !strings.Contains(got, part) {
			t.Errorf("%q is not in the small prompt\n%s", part, got)
		}
	}
	if strings.Contains(got, "turn 0 ") || strings.Contains(got, "docked") || strings.Contains(got, "Oil") {
		t.Errorf("the small prompt is\n%s", got)
	}
	none := b.assemble(contextwindow.AssembleRequest{MemoryBudget: &zero})
	if none.Budget.MemoryTokens != 0 {
		t.Error("memories without a budget")
	}
}

func TestAssembleKeepsCallsAndResults(t *testing.T) {
	b := newBank(t)
	b.append(say("look"),
		contextwindow.Message{Role: memory.RoleAssistant,
			ToolCalls: []memory.ToolCall{{ID: "1", Name: "read"}, {ID: "2", Name: "read"}, {ID: "3", Name: "read"}}},
		contextwindow.Message{Role: memory.RoleTool, Content: "one", ToolCallID: "1"},
		contextwindow.Message{Role: memory.RoleTool, Content: "two", ToolCallID: "2"},
		contextwindow.Message{Role: memory.RoleTool, Content: strings.Repeat("three ", 3000), ToolCallID: "3"})
	a := b.assemble(contextwindow.AssembleRequest{})
	if len(a.Messages) < 4 || len(a.Messages[len(a.Messages)-4].ToolCalls) != 3 {
		t.Errorf("%d messages: %+v", len(a.Messages), a.Messages)
	}
	if big := a.Messages[len(a.Messages)-1].Content; !strings.HasPrefix(big, "three") || !strings.HasSuffix(big, "three ") ||
		!strings.Contains(big, "left out") {
		t.Errorf("the result is cut to %.80q", big)
	}
}

func TestAssembleTooLarge(t *testing.T) {
	b := newBank(t)
	b.append(say("hi"))
	_, err := b.Assemble(t.Context(),
		contextwindow.AssembleRequest{Scope: anna, Session: session, SystemPrompt: strings.Repeat("rules ", 5000)})
	wantCode(t, err, memory.CodeTooLarge)
	if err == nil || !strings.Contains(err.Error(), "system_prompt") {
		t.Errorf("%v does not name system_prompt", err)
	}
	a := b.assemble(contextwindow.AssembleRequest{Task: strings.Repeat("task ", 5000), Todo: strings.Repeat("todo ", 5000)})
	if n := promptTokens(a.Messages); n > 1600 || n < 1000 {
		t.Errorf("%d tokens", n)
	}
	if _, err := b.Assemble(t.Context(), contextwindow.AssembleRequest{Scope: anna, Session: "unknown", SystemPrompt: "x"}); err != nil {
		t.Errorf("a session that is new: %v", err)
	}
}

// TestGiantsShareTheRoom: a giant among the last turns leaves a quarter of the room for a task that needs it, and
// no task takes more from it.
func TestGiantsShareTheRoom(t *testing.T) {
	b := newBank(t)
	b.append(say(strings.Repeat("The crane lifts a crate. ", 2000)))
	a := b.assemble(contextwindow.AssembleRequest{Task: strings.Repeat("Count the cranes again. ", 2000)})
	if task, all := a.Budget.TaskTokens, a.Budget.TaskTokens+a.Budget.TurnTokens; task*10 < all*2 || task*10 > all*3 {
		t.Errorf("the task has %d of %d tokens", task, all)
	}
}

// TestAssembleQuotesTheFiles has a prompt carry what a person wrote in the workspace.
func TestAssembleQuotesTheFiles(t *testing.T) {
	for _, name := range []string{"AGENTS.md", "SOUL.md", "USER.md", "MEMORY.md", "HEARTBEAT.md"} {
		b := newBank(t, func(o *contextwindow.Options) {
			dir := t.TempDir()
			o.Files = func(agent string) contextwindow.Files { return workspace.Open(dir, agent) }
			path := filepath.Join(workspace.Open(dir, "anna").Path(), name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700),
				os.WriteFile(path, []byte("The quincunx is moored.\n"), 0o600)); err != nil {
				t.Fatal(err)
			}
		})
		prompt, err := b.Assemble(t.Context(),
			contextwindow.AssembleRequest{Scope: memory.Scope{Agent: "anna"}, Session: "s", SystemPrompt: "Help."})
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprint(prompt.Messages)
		if !strings.Contains(text, "> The quincunx is moored.") || !strings.Contains(text, name) {
			t.Errorf("of %s the prompt has %s", name, text)
		}
	}
}
