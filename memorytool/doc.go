// Package memorytool serves agents that are built on the client-side memory tool of a model API
// (type memory_20250818): the six commands view, create, str_replace, insert, delete and rename on
// files under /memories, with the result texts that the API documents.
//
// /memories is the folder memories in the agent's workspace, see [workspace.Memories]. Its files do
// not mirror a bank, so an agent cannot change what a person said by editing MEMORY.md. They are
// searched like any other file. Every change is logged and can be undone.
//
// A call is one JSON object: the tool's input alone, or the whole tool_use block that a model sent.
// The answer to a block is a whole tool_result block.
package memorytool
