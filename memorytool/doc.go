// Package memorytool is a door for agents that are built on the client-side memory tool
// of a model API (type memory_20250818): the six commands view, create, str_replace,
// insert, delete and rename on files under /memories, with the documented result texts.
//
// /memories is the folder memories of the agent's workspace, see [workspace.Memories]: its
// files mirror no bank, so an agent cannot reword what a person said by editing MEMORY.md,
// and what it writes there is searched like any other file. Every change is kept and can be taken back.
//
// A call is one JSON object: the input of the tool, or the whole tool_use block that a model sent, whose
// answer is then a whole tool_result block.
package memorytool
