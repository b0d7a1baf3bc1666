// Package injected marks the text that this program puts into a conversation,
// so that it is known again when a host sends the conversation back: it is
// nothing new then, and nothing must be learned from it.
package injected

import (
	"strings"

	"mcp-memory/text/lazyregexp"
)

// The kinds of text that a managed context window has.
const (
	Summary  = "summary"
	Memories = "memories"
	Todo     = "todo"
	Task     = "task"
	Events   = "events"
)

// RecallTag is the name of the element in which a hook shows memories.
const RecallTag = "mcp-memory-recall"

// Block returns text between the delimiters of a kind. Text cannot close them itself.
func Block(kind, text string) string {
	return "<mcp-memory kind=\"" + kind + "\">\n" + escape.Replace(strings.TrimSpace(text)) + "\n</mcp-memory>"
}

// Recall returns memories as a hook shows them. Text cannot end the element itself.
func Recall(text string) string {
	return "<" + RecallTag + ">\n" + escape.Replace(strings.TrimSpace(text)) + "\n</" + RecallTag + ">"
}

var escape = strings.NewReplacer("</mcp-memory", `<\/mcp-memory`, "<mcp-memory", `<\mcp-memory`)

// block is what stands between delimiters. One whose end was cut off goes on to
// the end of the text.
var block = lazyregexp.New(`(?s)<mcp-memory kind="[a-z]+">.*?(</mcp-memory>|\z)|<` + RecallTag + `>\r?\n.*?(</` + RecallTag + `>|\z)`)

// Without returns text without what this program has injected, and without the
// blanks around the rest if there was something.
func Without(text string) string {
	if !strings.Contains(text, "<mcp-memory") {
		return text
	}
	return strings.TrimSpace(block().ReplaceAllString(text, ""))
}
