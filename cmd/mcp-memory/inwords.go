package main

import (
	"strings"

	"mcp-memory/text/lazyregexp"
)

// inCommands puts what a tool's text or an error tells a model to call into what a
// person types: both come from the use cases, which know of tools alone.
func inCommands(text string) string {
	return calledForUndo().ReplaceAllString(inCommandsOf.Replace(text), "mcp-memory undo $1")
}

var inCommandsOf = strings.NewReplacer(
	"memory_recall and memory_search return ids", "`mcp-memory list` shows what there is",
	"list_todo returns ids", "`mcp-memory todo list --status all` shows them",
	"check_calendar returns ids", "`mcp-memory calendar list` shows them",
	"soul_list returns ids", "`mcp-memory soul list` shows them",
	"find_procedure shows what there is", "`mcp-memory procedures list` shows what there is",
	"neural_link with action pending returns ids", "`mcp-memory link list` shows them",
	"memory_get shows them", "`mcp-memory history ID` shows them",
	"The argument project reads another one.", "--project NAME reads another one.",
)

// calledForUndo finds the call that takes something back.
var calledForUndo = lazyregexp.New(`(?:memory_forget|self_care) with undo=([0-9A-Za-z-]+)(?: \(on the command line: mcp-memory undo\))?`)
