package stdio

import (
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
)

// withID puts the original id into an answer. The library has read it into a float64, which rounds
// large numbers.
func withID(answer mcp.JSONRPCMessage, id json.RawMessage) mcp.JSONRPCMessage {
	switch a := answer.(type) {
	case mcp.JSONRPCResponse:
		a.ID = mcp.NewRequestId(id)
		return a
	case mcp.JSONRPCError:
		a.ID = mcp.NewRequestId(id)
		return a
	}
	return answer
}

// failed reports whether an answer is an error of the protocol or of a tool.
func failed(answer mcp.JSONRPCMessage) bool {
	switch a := answer.(type) {
	case mcp.JSONRPCResponse:
		switch r := a.Result.(type) {
		case *mcp.CallToolResult:
			return r.IsError
		case mcp.CallToolResult:
			return r.IsError
		}
		return false
	case mcp.JSONRPCError:
		return true
	}
	return false
}
