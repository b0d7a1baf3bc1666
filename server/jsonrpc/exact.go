package jsonrpc

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
)

// maxExact is the largest whole number below which a float64 has all others.
const maxExact = 1 << 53

// Exact carries ids as they were written through the MCP library, which reads
// numbers into a float64: 2^53+1 would come back as 2^53, and two requests would
// be one. An id that would change goes through it as a string that nobody
// outside of this process knows. The zero value is not usable; safe for
// concurrent use.
type Exact struct {
	mark []byte      // begins every such string
	used atomic.Bool // there may be one
}

// NewExact makes one for a server.
func NewExact() *Exact { return &Exact{mark: []byte(`"` + rand.Text() + ".")} }

// Hide returns a message with ids that come through the library unchanged: its
// own, and the one of the request that it cancels. Of most messages that is the
// message itself; ID is always as it was written.
func (e *Exact) Hide(m Message) Message {
	id, changed := e.hidden(m.ID)
	var cancelled struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if m.Method == string(mcp.MethodNotificationCancelled) {
		_ = json.Unmarshal(m.Params, &cancelled) // an id of nothing cancels nothing
	}
	request, also := e.hidden(cancelled.RequestID)
	if !changed && !also {
		return m
	}
	message := map[string]json.RawMessage{}
	if json.Unmarshal(m.Raw, &message) != nil {
		return m
	}
	if changed {
		message["id"] = id
	}
	if also {
		params := map[string]json.RawMessage{}
		if json.Unmarshal(m.Params, &params) == nil {
			params["requestId"] = request
			message["params"] = marshal(params)
		}
	}
	m.Raw = marshal(message)
	return m
}

func marshal(fields map[string]json.RawMessage) json.RawMessage {
	data, err := json.Marshal(fields)
	if err != nil {
		panic(err) // of what was JSON a moment ago
	}
	return data
}

// hidden returns what stands for an id, and whether that is another one.
func (e *Exact) hidden(id json.RawMessage) (json.RawMessage, bool) {
	if !ValidID(id) || comesBack(id) {
		return id, false
	}
	e.used.Store(true)
	hidden := append(bytes.Clone(e.mark), base64.RawURLEncoding.EncodeToString(id)...)
	return append(hidden, '"'), true
}

// comesBack reports whether the library writes an id as it was.
func comesBack(id json.RawMessage) bool {
	if id[0] == '"' {
		return !bytes.ContainsAny(id, "\\<>&\u2028\u2029")
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil && -maxExact < n && n < maxExact && strconv.FormatInt(n, 10) == string(id)
}

// Reveal puts the ids back into what is sent to a client: whole messages, or
// events of a stream. What has none is returned as it is.
func (e *Exact) Reveal(data []byte) []byte {
	if !e.used.Load() {
		return data
	}
	var out []byte
	for {
		before, rest, found := bytes.Cut(data, e.mark)
		if !found {
			break
		}
		hidden, after, _ := bytes.Cut(rest, []byte(`"`))
		id, err := base64.RawURLEncoding.AppendDecode(nil, hidden)
		if err != nil {
			break // not one of ours
		}
		out = append(append(out, before...), id...)
		data = after
	}
	if out == nil {
		return data
	}
	return append(out, data...)
}
