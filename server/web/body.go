package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-memory/server/jsonrpc"
)

// limitBody refuses a POST that is not JSON, too long or compressed, and limits how much of its
// body is read. Requiring a JSON content type protects against pages of other origins: a browser
// sends such a request for them only after a preflight.
func (s *Server) limitBody(next handler) handler {
	limit := int64(s.server.Options().MaxLine)
	return func(x *exchange) *refusal {
		if x.r.Method != http.MethodPost {
			return next(x)
		}
		if kind, _, err := mime.ParseMediaType(x.r.Header.Get("Content-Type")); err != nil ||
			kind != "application/json" && !strings.HasSuffix(kind, "+json") {
			return refuse(http.StatusUnsupportedMediaType, "what is posted has to be JSON: send Content-Type: application/json")
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

// readMessage reads and parses the message of a POST. It puts the body back, because the library
// reads it again.
func (s *Server) readMessage(x *exchange) (jsonrpc.Message, *refusal) {
	data, why := x.readBody(s.server.Options().MaxLine)
	if why != nil {
		return jsonrpc.Message{}, why
	}
	// The body is complete. What follows may take as long as it needs.
	_ = x.control.SetReadDeadline(never) // a ResponseRecorder in tests has no deadlines
	x.whole = true
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
	m = s.ids.Hide(m)
	x.r.Body = io.NopCloser(bytes.NewReader(m.Raw))
	return m, nil
}

// firstRoom is the size in bytes of the first buffer for a body. A full buffer is doubled.
const firstRoom = 4 << 10

// readBody reads a body, whose length is limited already. The buffer counts towards the identity's
// share as it grows, not by the announced length: a client that announces a body and never sends it
// takes only firstRoom.
func (x *exchange) readBody(limit int) ([]byte, *refusal) {
	var data []byte
	for {
		if len(data) == cap(data) {
			room := min(max(firstRoom, 2*cap(data)), limit+1)
			if why := x.hold.take(share{bytes: int64(room - cap(data))}); why != nil {
				return nil, why
			}
			data = append(make([]byte, 0, room), data...)
		}
		n, err := x.r.Body.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		var over *http.MaxBytesError
		switch {
		case errors.Is(err, io.EOF):
			return data, nil
		case errors.As(err, &over):
			return nil, tooLarge(over.Limit)
		case err != nil:
			return nil, refuse(http.StatusRequestTimeout, "the message did not arrive")
		}
	}
}
