package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-memory/server/jsonrpc"
)

// limitBody refuses what is posted if it is too long or compressed, and stops
// reading what turns out to be too long.
func (s *Server) limitBody(next handler) handler {
	limit := int64(s.server.Options().MaxLine)
	return func(x *exchange) *refusal {
		if x.r.Method != http.MethodPost {
			return next(x)
		}
		if encoding := x.r.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
			return refuse(http.StatusUnsupportedMediaType, "compressed requests are not supported")
		}
		if x.r.ContentLength > limit {
			return tooLarge(limit)
		}
		x.r.Body = http.MaxBytesReader(x.ResponseWriter, x.r.Body, limit)
		return next(x)
	}
}

func tooLarge(limit int64) *refusal {
	return refuse(http.StatusRequestEntityTooLarge, "too_large: a message may have up to "+strconv.FormatInt(limit, 10)+" bytes")
}

// readMessage reads the message that was posted. The body is put back, for the
// library to read.
func (x *exchange) readMessage() (jsonrpc.Message, *refusal) {
	data, err := io.ReadAll(x.r.Body)
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return jsonrpc.Message{}, tooLarge(over.Limit)
	case err != nil:
		return jsonrpc.Message{}, refuse(http.StatusRequestTimeout, "the message did not arrive")
	}
	// What follows may last as long as it likes.
	_ = x.control.SetReadDeadline(never) // a recorder in a test has none
	data = jsonrpc.Trim(data)
	if len(data) == 0 {
		return jsonrpc.Message{}, &refusal{status: http.StatusBadRequest, code: mcp.PARSE_ERROR, text: "Parse error: the body is empty"}
	}
	m, wrong := jsonrpc.Parse(data)
	if wrong != nil {
		why := &refusal{status: http.StatusBadRequest, code: wrong.Error.Code, text: wrong.Error.Message}
		if id, ok := wrong.ID.Value().(json.RawMessage); ok {
			why.id = id
		}
		return m, why
	}
	x.r.Body = io.NopCloser(bytes.NewReader(m.Raw))
	return m, nil
}
