package contextwindow_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mcp-memory/contextwindow"
	"mcp-memory/memory"
	"mcp-memory/text/tokens"
)

func (b *bank) saidIn(session, project, speaker, content string) {
	b.t.Helper()
	scope := anna
	scope.Project = project
	_, err := b.Append(b.t.Context(), contextwindow.AppendRequest{Scope: scope, Session: session, Messages: []contextwindow.Message{
		{Role: memory.RoleUser, Name: speaker, Content: content}, {Role: memory.RoleAssistant, Content: "Noted."},
	}})
	if err != nil {
		b.t.Fatal(err)
	}
}

// What was said elsewhere about the subject is in a prompt, with its session and day:
// the summary first, nothing of the conversation itself, nothing of other projects.
func TestPromptKnowsOtherConversations(t *testing.T) {
	b := newBank(t)
	b.saidIn("monday", "", "Tove", "The lighthouse lamp needs a new prism before winter.")
	b.saidIn("garden", "", "", "Potatoes go into the raised bed behind the shed.")
	b.saidIn("elsewhere", "harbour", "", "The lighthouse lamp is none of your business.")
	_, err := b.Compact(t.Context(),
		contextwindow.CompactRequest{Scope: anna, Session: "monday", Summary: "They planned the repair of the lighthouse lamp.",
			KeepLast: 1})
	if err != nil {
		t.Fatal(err)
	}
	b.later(48 * time.Hour)
	b.append(contextwindow.Message{Role: memory.RoleUser, Content: "What was wrong with the lighthouse lamp?"})
	got := text(b.assemble(contextwindow.AssembleRequest{}))
	want := "Said in other conversations:\n- 2026-03-01, conversation monday, in short: They planned the repair of the lighthouse lamp.\n" +
		"- 2026-03-01, conversation monday: Tove: The lighthouse lamp needs a new prism before winter.\n</mcp-memory>"
	if !strings.Contains(got, want) || strings.Contains(got, "Potatoes") || strings.Contains(got, "business") ||
		strings.Contains(got, "conversation "+session) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	own, err := b.Assemble(t.Context(), contextwindow.AssembleRequest{Scope: anna, Session: "monday", Query: "lighthouse lamp prism"})
	if err != nil || strings.Contains(text(own), "conversation monday") || !strings.Contains(text(own), "conversation "+session) {
		t.Errorf("its own: %v\n%s", err, text(own))
	}
	for name, r := range map[string]contextwindow.AssembleRequest{
		"another subject": {Query: "Which tax form is due in April?"}, "no room": {MemoryBudget: new(int)},
	} {
		if got := text(b.assemble(r)); strings.Contains(got, "monday") {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

// Other conversations take a small part of the room, however much they have.
func TestOtherConversationsTakeLittle(t *testing.T) {
	b := newBank(t)
	for i := range 30 {
		b.saidIn(fmt.Sprint("day ", i), "", "",
			fmt.Sprintf("Rehearsal %d of the brass band begins at seven, and the brass band brings its own music stands.", i))
	}
	b.append(contextwindow.Message{Role: memory.RoleUser, Content: "When does the brass band rehearse?"})
	budget := 1000
	got := text(b.assemble(contextwindow.AssembleRequest{MemoryBudget: &budget, Total: 20000}))
	_, block, found := strings.Cut(got, "Said in other conversations:")
	block, _, _ = strings.Cut(block, "</mcp-memory>")
	if n := tokens.NewCounter("").Count(block); !found || n > 150 || n < 75 {
		t.Errorf("%d tokens\n%s", n, got)
	}
}
