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

// maxExact is 2⁵³: a float64 represents all smaller whole numbers exactly.
const maxExact = 1 << 53

// Exact keeps ids exact on their way through the MCP library, which reads numbers into a float64.
// There 2^53+1 would become 2^53, and two requests could get the same id. Such an id is replaced by
// a string with a random prefix that only this process knows. The zero value is not usable. Safe
// for concurrent use.
type Exact struct {
	mark []byte      // random prefix of every such string, with its quotation mark
	used atomic.Bool // set once an id was replaced, so that Reveal has to look
}

// NewExact makes an Exact with a prefix of its own.
func NewExact() *Exact { return &Exact{mark: []byte(`"` + rand.Text() + ".")} }

// Hide replaces in a message the ids that the library would change: its own id, and that of the
// request that it cancels. Most messages are returned as they are. The ID of the result is always
// the original one.
func (e *Exact) Hide(m Message) Message {
	id, changed := e.hidden(m.ID)
	var cancelled struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if m.Method == string(mcp.MethodNotificationCancelled) {
		_ = json.Unmarshal(m.Params, &cancelled) // if there is no id, it cancels nothing
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
		panic(err) // the values were parsed from JSON just before
	}
	return data
}

// hidden returns the string that replaces an id, and whether it had to be replaced.
func (e *Exact) hidden(id json.RawMessage) (json.RawMessage, bool) {
	if !ValidID(id) || comesBack(id) {
		return id, false
	}
	e.used.Store(true)
	hidden := append(bytes.Clone(e.mark), base64.RawURLEncoding.EncodeToString(id)...)
	return append(hidden, '"'), true
}

// comesBack reports whether the library writes an id exactly as it read it.
func comesBack(id json.RawMessage) bool {
	if id[0] == '"' {
		return !bytes.ContainsAny(id, "\\<>&\u2028\u2029")
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil && -maxExact < n && n < maxExact && strconv.FormatInt(n, 10) == string(id)
}

// Reveal puts the original ids back into data for a client, which may be whole messages or events
// of a stream. Data without replaced ids is returned as it is.
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
			break // the prefix is there, but no id of Hide
		}
		out = append(append(out, before...), id...)
		data = after
	}
	if out == nil {
		return data
	}
	return append(out, data...)
}
