// Package jsonrpc reads the messages that clients send, whatever transport they
// come by, and makes the protocol errors that answer what is not a message. It
// is stricter than the MCP library, which takes text that is not UTF-8, ids that
// are objects, and half a message as another error each; and it keeps ids as
// they were written.
package jsonrpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
)

// Message is what of a JSON-RPC message decides how it is handled.
type Message struct {
	Raw    json.RawMessage
	ID     json.RawMessage // as written; nil for notifications
	Method string          // "" for responses
	Reply  Reply           // of a response
	Params json.RawMessage
}

// Reply is the client's answer to a request of ours.
type Reply struct {
	Result json.RawMessage
	Err    error
}

// Trim takes blank space and a byte order mark off a message. What is left of
// a blank one is empty.
func Trim(data []byte) []byte { return bytes.TrimSpace(bytes.TrimPrefix(data, byteOrderMark)) }

var byteOrderMark = []byte("\xEF\xBB\xBF")

// Parse reads what [Trim] left, which must not be empty, or returns the answer
// to what is not a message.
func Parse(data []byte) (Message, *mcp.JSONRPCError) {
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
	err := json.Unmarshal(data, &in)
	wrongID := in.ID != nil && !ValidID(in.ID)
	if wrongID {
		in.ID = nil
	}
	switch {
	case !utf8.Valid(data):
		// encoding/json would replace what is not UTF-8 without a word.
		return Message{}, Error(in.ID, mcp.PARSE_ERROR, "Parse error: the message is not valid UTF-8")
	case !json.Valid(data):
		return Message{}, Error(nil, mcp.PARSE_ERROR, "Parse error: this is not one JSON message")
	case data[0] == '[':
		return Message{}, Error(nil, mcp.INVALID_REQUEST, "Invalid request: batches are not supported, send one message at a time")
	case data[0] != '{' || err != nil:
		return Message{}, Error(in.ID, mcp.INVALID_REQUEST, "Invalid request: not a JSON-RPC message")
	}
	m := Message{Raw: data, ID: in.ID, Params: in.Params}
	switch {
	case in.Method != nil:
		m.Method = *in.Method
		if wrongID && !strings.HasPrefix(m.Method, "notifications/") {
			return Message{}, Error(nil, mcp.INVALID_REQUEST, "Invalid request: the id must be a string or a number")
		}
		if wrong := tooLong(m); wrong != nil {
			return Message{}, wrong
		}
	case in.Error != nil:
		m.Reply.Err = fmt.Errorf("the client refused: %s (%d)", in.Error.Message, in.Error.Code)
	case in.Result != nil:
		m.Reply.Result = in.Result
	default:
		return Message{}, Error(in.ID, mcp.INVALID_REQUEST, "Invalid request: there is no method")
	}
	return m, nil
}

// maxName is how long a name may be that nothing here has, in bytes: the library repeats
// it whole when it says so.
const maxName = 200

// tooLong refuses a request that names what cannot be there; nil is none.
func tooLong(m Message) *mcp.JSONRPCError {
	if len(m.Method) > maxName {
		return Error(m.ID, mcp.METHOD_NOT_FOUND, fmt.Sprintf("Method not found: its name has %d bytes", len(m.Method)))
	}
	tool, completion := m.Method == string(mcp.MethodToolsCall), m.Method == string(mcp.MethodCompletionComplete)
	if !tool && !completion || len(m.Params) <= maxName {
		return nil
	}
	var params struct {
		Name string `json:"name"`
		Ref  struct {
			Type string `json:"type"`
		} `json:"ref"`
	}
	if json.Unmarshal(m.Params, &params) != nil {
		return nil // the library says what is wrong
	}
	switch {
	case tool && len(params.Name) > maxName:
		return Error(m.ID, mcp.INVALID_PARAMS, fmt.Sprintf("tool not found: its name has %d bytes", len(params.Name)))
	case completion && len(params.Ref.Type) > maxName:
		return Error(m.ID, mcp.INVALID_PARAMS, fmt.Sprintf("unknown reference type: it has %d bytes", len(params.Ref.Type)))
	}
	return nil
}

// ValidID reports whether raw, which is JSON, is a string or a number.
func ValidID(raw json.RawMessage) bool {
	return len(raw) > 0 && (raw[0] == '"' || raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9')
}

// Error makes a protocol error; a nil id becomes null.
func Error(id json.RawMessage, code int, text string) *mcp.JSONRPCError {
	e := &mcp.JSONRPCError{JSONRPC: mcp.JSONRPC_VERSION, Error: mcp.NewJSONRPCErrorDetails(code, text, nil)}
	if id != nil {
		e.ID = mcp.NewRequestId(id)
	}
	return e
}
