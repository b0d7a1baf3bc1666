package contextwindow

import (
	"regexp"
	"strings"
)

// The kinds of text that this package injects into a conversation. Each stands
// between delimiters, so that it is known again when a host sends it back: it is
// nothing new then.
const (
	injectedSummary  = "summary"
	injectedMemories = "memories"
	injectedTodo     = "todo"
	injectedTask     = "task"
	injectedEvents   = "events"
)

// delimited returns text between the delimiters of a kind. Text cannot close them itself.
func delimited(kind, text string) string {
	return "<mcp-memory kind=\"" + kind + "\">\n" + escape.Replace(strings.TrimSpace(text)) + "\n</mcp-memory>"
}

var escape = strings.NewReplacer("</mcp-memory", `<\/mcp-memory`, "<mcp-memory", `<\mcp-memory`)

// injectedBlock is what stands between delimiters. One whose end was cut off goes on
// to the end of the text.
var injectedBlock = regexp.MustCompile(`(?s)<mcp-memory kind="[a-z]+">.*?(</mcp-memory>|\z)`)

// withoutInjected returns text without what this package has injected.
func withoutInjected(text string) string {
	if !strings.Contains(text, "<mcp-memory") {
		return text
	}
	return strings.TrimSpace(injectedBlock.ReplaceAllString(text, ""))
}
