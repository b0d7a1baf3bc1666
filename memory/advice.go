package memory

import (
	"errors"
	"strings"
)

// Advice says what to do next in the words of either reader: a model, which calls tools,
// and a person, who types commands. They stand together where the advice is made, as no
// door can tell the one from the other in a text.
type Advice struct{ Tool, Command string }

// Where the ids of records and of changes, and the names of conversations, are found.
var (
	FindRecords  = Advice{"memory_recall and memory_search return ids", "`mcp-memory list` shows what there is"}
	FindChanges  = Advice{"the answers of memory_save, memory_forget and self_care have undo ids", "`mcp-memory log` shows what undo takes"}
	FindSessions = Advice{"memory_search returns sessions", "`mcp-memory search` shows sessions"}
)

// WithAdvice is [Error.WithHint] for a hint that names tools.
func (e *Error) WithAdvice(a Advice) *Error {
	c := *e
	c.Hint, c.typed = a.Tool, a.Command
	return &c
}

// InCommands is err.Error() for a person at a terminal: a hint that names tools names
// commands instead.
func InCommands(err error) string {
	var e *Error
	if !errors.As(err, &e) || e.typed == "" {
		return err.Error()
	}
	forPerson := *e
	forPerson.Hint = e.typed
	return strings.Replace(err.Error(), e.Error(), forPerson.Error(), 1)
}
