package contextwindow

import (
	"regexp"
	"strings"
)

// What this package puts into a conversation stands between marks, so that it
// is known again when a host sends it back: it is no news then.
const (
	markSummary  = "summary"
	markMemories = "memories"
	markTodo     = "todo"
	markTask     = "task"
	markEvents   = "events"
)

// marked returns text between marks of a kind. Text cannot close them itself.
func marked(kind, text string) string {
	return "<mcp-memory kind=\"" + kind + "\">\n" + unmark.Replace(strings.TrimSpace(text)) + "\n</mcp-memory>"
}

var unmark = strings.NewReplacer("</mcp-memory", `<\/mcp-memory`, "<mcp-memory", `<\mcp-memory`)

// markedBlock is what stands between marks. One whose end was cut off goes on
// to the end of the text.
var markedBlock = regexp.MustCompile(`(?s)<mcp-memory kind="[a-z]+">.*?(</mcp-memory>|\z)`)

// withoutMarked returns text without what this package has put into it.
func withoutMarked(text string) string {
	if !strings.Contains(text, "<mcp-memory") {
		return text
	}
	return strings.TrimSpace(markedBlock.ReplaceAllString(text, ""))
}
