package main

import (
	"strings"

	"mcp-memory/text/lazyregexp"
)

// inCommands puts what a tool's text or an error tells a model to call into what a
// person types: both come from the use cases, which know of tools alone.
func inCommands(text string) string {
	text = calledForUndo().ReplaceAllString(inCommandsOf.Replace(text), "mcp-memory undo $1")
	return calledToSettle().ReplaceAllString(text, "If $1 no longer holds: the same text again with --supersedes $1")
}

var inCommandsOf = strings.NewReplacer(
	"memory_recall and memory_search return ids", "`mcp-memory list` shows what there is",
	"list_todo returns ids", "`mcp-memory todo list --status all` shows them",
	"check_calendar returns ids", "`mcp-memory calendar list` shows them",
	"soul_list returns ids", "`mcp-memory soul list` shows them",
	"find_procedure shows what there is", "`mcp-memory procedures list` shows what there is",
	"neural_link with action pending returns ids", "`mcp-memory link list` shows them",
	"memory_get shows them", "`mcp-memory history ID` shows them",
	"to forget them as well call memory_forget with their ids", "`mcp-memory forget ID` forgets them as well",
	"memory_forget with ids of drawn forgets them", "`mcp-memory forget ID` forgets them",
	"report its messages with context_append first", "`mcp-memory context FILE` reports its messages",
	"soul_remove gives it up, with a reason; soul_add keeps another", "`mcp-memory soul remove` gives it up, with a reason; `soul add` keeps another",
	"soul_remove removes it, with a reason", "`mcp-memory soul remove` removes it, with a reason",
	"self_care returns an undo_id", "`mcp-memory self-care` prints an id for it",
	"call self_care", "call `mcp-memory self-care`",
	"The argument project reads another one.", "--project NAME reads another one.",
)

// calledToSettle finds the call that lets a memory give way to the one that was saved. Its
// text could not be typed into every shell as it is.
var calledToSettle = lazyregexp.New(`(?m)^If (\S+) no longer holds: memory_(?:save|forget) \{.*\}$`)

// calledForUndo finds the call that takes something back.
var calledForUndo = lazyregexp.New(`(?:memory_forget|self_care) with undo=([0-9A-Za-z-]+)(?: \(on the command line: mcp-memory undo\))?`)
