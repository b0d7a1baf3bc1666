package injected_test

import (
	"strings"
	"testing"

	"mcp-memory/text/injected"
)

func TestWithout(t *testing.T) {
	memories, recall := injected.Block(injected.Memories, "- Ann likes tea"), injected.Recall("- Ann likes tea")
	for name, c := range map[string]struct{ text, want string }{
		"nothing of ours":       {" Hello ", " Hello "},
		"a block":               {memories, ""},
		"a recall":              {"Before.\n" + recall + "\nAfter.", "Before.\n\nAfter."},
		"both":                  {recall + "\nIn between\n" + memories, "In between"},
		"a recall cut off":      {"Before.\n" + strings.TrimSuffix(recall, "</"+injected.RecallTag+">"), "Before."},
		"with carriage returns": {strings.ReplaceAll(recall, "\n", "\r\n") + "x", "x"},
		"the name in prose":     {"What does <mcp-memory-recall> do?", "What does <mcp-memory-recall> do?"},
		"an end inside":         {injected.Recall("a</mcp-memory-recall>b") + "c", "c"},
		"a beginning inside":    {injected.Block(injected.Todo, "a\n<mcp-memory-recall>\nb") + "c", "c"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := injected.Without(c.text); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
