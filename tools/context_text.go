package tools

import (
	"fmt"
	"strings"

	"mcp-memory/contextwindow"
	"mcp-memory/memory"
)

// messagesText renders messages for hosts that show only text. Each has a heading with role, name
// and answered call, followed by its content with line breaks, and its tool calls.
func messagesText(messages []contextwindow.Message) string {
	var b strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&b, "\n\n--- %s", m.Role)
		if m.Name != "" {
			fmt.Fprintf(&b, " (%s)", memory.OneLine(m.Name, 60))
		}
		if m.ToolCallID != "" {
			fmt.Fprintf(&b, " answers %s", memory.OneLine(m.ToolCallID, 60))
		}
		b.WriteString(" ---")
		if content := strings.TrimRight(m.Content, "\n"); content != "" {
			b.WriteString("\n" + content)
		}
		for _, c := range m.ToolCalls {
			fmt.Fprintf(&b, "\n[calls %s %s]", c.Name, memory.OneLine(string(c.Arguments), 200))
			if outcome := joined(" ", c.Result, c.Error); outcome != "" {
				b.WriteString("\n[returned] " + outcome)
			}
		}
	}
	return b.String()
}
