package memory_test

import (
	"testing"

	"mcp-memory/memory"
)

func TestLink(t *testing.T) {
	link := func(edit func(*memory.Link)) memory.Link {
		return changed(memory.Link{To: "ann", From: "bob", Status: memory.LinkPending}, edit)
	}
	runChecks(t, map[string]check{
		"plain":             {link(func(*memory.Link) {}), "", ""},
		"full":              {link(func(l *memory.Link) { l.Kinds, l.SharedCategories = memory.Kinds(), []string{"goal"} }), "", ""},
		"nobody":            {link(func(l *memory.Link) { l.From = " " }), memory.CodeInvalidArgument, "agent"},
		"oneself":           {link(func(l *memory.Link) { l.From = "ann" }), memory.CodeInvalidArgument, "agent"},
		"long agent":        {link(func(l *memory.Link) { l.From = huge[:300] }), memory.CodeTooLarge, "agent"},
		"long message":      {link(func(l *memory.Link) { l.Message = huge }), memory.CodeTooLarge, "message"},
		"note":              {link(func(l *memory.Link) { l.Note = "\xff" }), memory.CodeInvalidArgument, "note"},
		"kind":              {link(func(l *memory.Link) { l.Kinds = []memory.Kind{"dream"} }), memory.CodeInvalidArgument, "kinds"},
		"shared kind":       {link(func(l *memory.Link) { l.SharedKinds = []memory.Kind{""} }), memory.CodeInvalidArgument, "kinds"},
		"many categories":   {link(func(l *memory.Link) { l.Categories = make([]string, 65) }), memory.CodeTooLarge, "categories"},
		"category":          {link(func(l *memory.Link) { l.Categories = []string{huge[:300]} }), memory.CodeTooLarge, "categories"},
		"shared categories": {link(func(l *memory.Link) { l.SharedCategories = make([]string, 65) }), memory.CodeTooLarge, "categories"},
		"status":            {link(func(l *memory.Link) { l.Status = "maybe" }), memory.CodeInvalidArgument, "status"},
	})
}
