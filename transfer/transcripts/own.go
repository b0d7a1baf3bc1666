package transcripts

import "strings"

// OwnTool tells the tools of this program by the names that hosts give to the tools
// of servers, as far as the server is called as `install` calls it.
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
