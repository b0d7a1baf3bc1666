package transcripts

import "strings"

// OwnTool reports whether a tool belongs to this program, by the names that hosts give to tools of
// MCP servers. It works if the server has the name that `install` gives it.
func OwnTool(tool string) bool {
	if strings.Contains(tool, "mcp-memory") {
		return true
	}
	for _, prefix := range []string{"mcp__memory__", "mcp_memory_", "memory-memory_", "memory__memory_", "memory_memory_"} {
		if strings.HasPrefix(tool, prefix) {
			return true
		}
	}
	return false
}
