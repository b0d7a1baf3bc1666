package hooks

import (
	"bytes"
	_ "embed"
	"encoding/json"
)

//go:embed opencode/mcp-memory.js
var openCodePlugin []byte

// OpenCodeFile is what the plug-in of [OpenCodePlugin] is called in the directory
// plugins of OpenCode's settings.
const OpenCodeFile = "mcp-memory.js"

// OpenCodePlugin is the plug-in by which OpenCode calls hooks: JavaScript that runs
// command, the path of this program.
func OpenCodePlugin(command string) []byte {
	quoted, err := json.Marshal(command)
	if err != nil { // texts always are JSON
		return openCodePlugin
	}
	return bytes.Replace(openCodePlugin, []byte(`const COMMAND = "mcp-memory"`), append([]byte("const COMMAND = "), quoted...), 1)
}
