// Package jsonrpc parses the messages of clients for every transport, and makes the protocol errors
// that answer what is not a message. It is stricter than the MCP library, which accepts text that
// is not UTF-8 and ids that are objects, and answers half a message with varying errors. It keeps
// ids as they were written.
package jsonrpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
)

// Message is a JSON-RPC message, with the parts that decide how it is handled.
type Message struct {
	Raw    json.RawMessage
	ID     json.RawMessage // as written; nil for notifications
	Method string          // "" for responses
	Reply  Reply           // of a response
	Params json.RawMessage
}

// Reply is a client's answer to a request of the server.
type Reply struct {
	Result json.RawMessage
	Err    error
}

// Trim removes a byte order mark at the beginning, and white space around the rest. The result is
// empty if there is nothing else.
func Trim(data []byte) []byte { return bytes.TrimSpace(bytes.TrimPrefix(data, byteOrderMark)) }

var byteOrderMark = []byte("\xEF\xBB\xBF")

// Parse parses a message that [Trim] has trimmed, which must not be empty. If it is no valid
// message it returns the error to answer with.
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
		// encoding/json silently replaces bytes that are not UTF-8.
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

// maxName is the length in bytes up to which an unknown name is passed to the library, which
// repeats it in full in its error.
const maxName = 200

// tooLong returns the error for a request with a name that is too long to be a known one, or nil.
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

// ValidID reports whether raw, which is valid JSON, is a string or a number.
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
