package server

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
)

// message is what of a JSON-RPC message decides how it is handled.
type message struct {
	raw    json.RawMessage
	id     json.RawMessage // as written; nil for notifications
	method string          // "" for responses
	reply  reply           // of a response
	params json.RawMessage
}

// reply is the client's answer to a request of ours.
type reply struct {
	result json.RawMessage
	err    error
}

// parse reads a line, or returns the answer to what is not a message.
func parse(ln line) (message, *mcp.JSONRPCError) {
	var in struct {
		ID     json.RawMessage `json:"id"`
		Method *string         `json:"method"`
		Params json.RawMessage `json:"params"`
		Result json.RawMessage `json:"result"`
		Error  *struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	err := json.Unmarshal(ln.data, &in)
	wrongID := in.ID != nil && !validID(in.ID)
	if wrongID {
		in.ID = nil
	}
	switch {
	case !utf8.Valid(ln.data):
		// encoding/json would replace what is not UTF-8 without a word.
		return message{}, rpcError(in.ID, mcp.PARSE_ERROR, "Parse error: the message is not valid UTF-8")
	case !json.Valid(ln.data):
		return message{}, rpcError(nil, mcp.PARSE_ERROR, "Parse error: this is not one JSON message")
	case ln.data[0] == '[':
		return message{}, rpcError(nil, mcp.INVALID_REQUEST, "Invalid request: batches are not supported, send one message at a time")
	case ln.data[0] != '{' || err != nil:
		return message{}, rpcError(in.ID, mcp.INVALID_REQUEST, "Invalid request: not a JSON-RPC message")
	}
	m := message{raw: ln.data, id: in.ID, params: in.Params}
	switch {
	case in.Method != nil:
		m.method = *in.Method
		if wrongID && !strings.HasPrefix(m.method, "notifications/") {
			return message{}, rpcError(nil, mcp.INVALID_REQUEST, "Invalid request: the id must be a string or a number")
		}
	case in.Error != nil:
		m.reply.err = fmt.Errorf("the client refused: %s (%d)", in.Error.Message, in.Error.Code)
	case in.Result != nil:
		m.reply.result = in.Result
	default:
		return message{}, rpcError(in.ID, mcp.INVALID_REQUEST, "Invalid request: there is no method")
	}
	return m, nil
}

// validID reports whether raw is a string or a number.
func validID(raw json.RawMessage) bool {
	return len(raw) > 0 && (raw[0] == '"' || raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9')
}

// rpcError makes a protocol error; a nil id becomes null.
func rpcError(id json.RawMessage, code int, text string) *mcp.JSONRPCError {
	e := &mcp.JSONRPCError{JSONRPC: mcp.JSONRPC_VERSION, Error: mcp.NewJSONRPCErrorDetails(code, text, nil)}
	if id != nil {
		e.ID = mcp.NewRequestId(id)
	}
	return e
}

// withID gives an answer the id as the client wrote it. The library has read
// it into a float64, in which large numbers are not exact.
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
