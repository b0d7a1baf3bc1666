package memory

import (
	"errors"
	"strings"
)

// Advice is a hint in two forms: Tool for a model, which calls tools, and Command for a person,
// who types commands. Both are given where the hint is made, as one cannot be derived from the
// other later.
type Advice struct{ Tool, Command string }

// Advice on where to find the ids of records and of changes, and the names of conversations.
var (
	FindRecords  = Advice{"memory_recall and memory_search return ids", "`mcp-memory list` shows what there is"}
	FindChanges  = Advice{"the answers of memory_save, memory_forget and self_care have undo ids", "`mcp-memory log` shows what undo takes"}
	FindSessions = Advice{"memory_search returns sessions", "`mcp-memory search` shows sessions"}
)

// WithAdvice returns a copy of e with a.Tool as its hint; [InCommands] shows a.Command instead.
func (e *Error) WithAdvice(a Advice) *Error {
	c := *e
	c.Hint, c.typed = a.Tool, a.Command
	return &c
}

// InCommands returns the text of an error for a person at a terminal: err.Error(), but with the
// commands of an [Advice] instead of the tools.
func InCommands(err error) string {
	var e *Error
	if !errors.As(err, &e) || e.typed == "" {
		return err.Error()
	}
	forPerson := *e
	forPerson.Hint = e.typed
	return strings.Replace(err.Error(), e.Error(), forPerson.Error(), 1)
}
