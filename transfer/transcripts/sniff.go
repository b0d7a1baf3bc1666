package transcripts

import (
	"bytes"
	"encoding/json"
	"strings"
)

// clue are the fields by which the format of a line is recognised.
type clue struct {
	Type      string          `json:"type"`
	Role      string          `json:"role"`
	SessionID json.RawMessage `json:"sessionId"`
	UUID      json.RawMessage `json:"uuid"`
	Project   json.RawMessage `json:"projectHash"`
	Start     json.RawMessage `json:"startTime"`
	Message   json.RawMessage `json:"message"`
	Payload   json.RawMessage `json:"payload"`
	Data      json.RawMessage `json:"data"`
	Set       json.RawMessage `json:"$set"`
	Rewind    json.RawMessage `json:"$rewindTo"`
	Content   json.RawMessage `json:"content"`
	ID        json.RawMessage `json:"id"`
	Rules     json.RawMessage `json:"instructions"`
}

// sniff returns the format of a line, "" if it could be of several.
func sniff(line []byte) Format {
	var c clue
	if json.Unmarshal(line, &c) != nil {
		return ""
	}
	is := func(v json.RawMessage, first byte) bool { return len(v) > 0 && v[0] == first }
	switch {
	case c.Set != nil || c.Rewind != nil || c.SessionID != nil && (c.Project != nil || c.Start != nil) && c.Data == nil && c.Message == nil:
		return Gemini
	case is(c.Payload, '{'):
		return Codex
	case is(c.Data, '{') && strings.Contains(c.Type, "."):
		return Copilot
	case is(c.Message, '{') && c.Role != "" && c.Type == "" || c.Type == "tool_call" && c.Role == "":
		return Cursor
	case is(c.Message, '{') && (c.Type == "user" || c.Type == "assistant"):
		return ClaudeCode
	case c.ID != nil && c.Rules != nil && c.Type == "" && c.Role == "",
		c.Type == "message" && (bytes.Contains(c.Content, []byte(`"input_text"`)) || bytes.Contains(c.Content, []byte(`"output_text"`))):
		return Codex // older form, without a payload
	case c.Role != "" && (c.Type == "" || c.Type == "message"):
		return Plain
	}
	return ""
}

// sniffed is how many bytes of a file isWhole gets.
const sniffed = 64 << 10

// isWhole reports whether a file, by its beginning, is one JSON object with a list of messages
// instead of lines.
func isWhole(start []byte, format Format) bool {
	if format != "" && format != Gemini {
		return false
	}
	start = bytes.TrimSpace(start)
	line, _, more := bytes.Cut(start, []byte("\n"))
	if more && json.Valid(line) {
		start = line
	}
	in := json.NewDecoder(bytes.NewReader(start))
	if t, err := in.Token(); err != nil || t != json.Delim('{') {
		return false
	}
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return false
		}
		if key == "messages" {
			t, err := in.Token()
			return err == nil && t == json.Delim('[')
		}
		var skipped json.RawMessage
		if in.Decode(&skipped) != nil {
			return false
		}
	}
	return false
}
