package transcripts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"mcp-memory/memory"
	"mcp-memory/text/injected"
	"mcp-memory/text/secrets"
	"mcp-memory/transfer/jsonl"
)

// part is an element of a message's content.
type part struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	IsError   bool            `json:"is_error"`
}

// content returns the texts and the tool results in a content. It adds thinking and calls to the
// turn.
func (d *reading) content(t *memory.Turn, content json.RawMessage) (texts []string, results []memory.Turn, err error) {
	if len(content) == 0 || content[0] != '[' {
		if t := text(content); t != "" {
			texts = append(texts, t)
		}
		return texts, nil, nil
	}
	var parts []part
	if err := jsonl.DecodeKnown(content, &parts); err != nil {
		return nil, nil, err
	}
	for n, p := range parts {
		switch p.Type {
		case "thinking":
			t.Details.Thinking = strings.TrimSpace(t.Details.Thinking + "\n" + p.Thinking)
		case "tool_use":
			t.Details.ToolCalls = append(t.Details.ToolCalls, memory.ToolCall{ID: p.ID, Name: p.Name, Arguments: object(p.Input)})
		case "tool_result":
			id := ""
			if t.ExternalID != "" {
				id = fmt.Sprintf("%s/%d", t.ExternalID, n)
			}
			if r, own := d.result(*t, id, p.ToolUseID, text(p.Content), p.IsError); !own {
				results = append(results, r)
			}
		default: // text; of images and files only the text beside them
			if p.Text != "" {
				texts = append(texts, p.Text)
			}
		}
	}
	return texts, results, nil
}

// result returns the turn of a tool's result that came with message t. own says that the tool
// belongs to this program.
func (d *reading) result(t memory.Turn, id, call, content string, failed bool) (memory.Turn, bool) {
	r := memory.Turn{
		Session: t.Session, Role: memory.RoleTool, SaidAt: t.SaidAt, Content: content, ExternalID: id,
		Details: &memory.TurnDetails{ToolCallID: call},
	}
	d.end(call, t.SaidAt, content, failed)
	own := d.answered(&r)
	if strings.TrimSpace(r.Content) == "" {
		r.Content = "(no output)"
	}
	if failed {
		r.Content = "Error: " + r.Content
	}
	return r, own
}

// cleaned returns a turn without what hosts and this program have added to it, without secrets in
// results and arguments, and, with MaxResult, shortened to what a bank accepts. It registers the
// calls of the turn.
func (d *reading) cleaned(t memory.Turn) memory.Turn {
	t.Content = injected.Without(t.Content)
	t.Content = d.bounded(withoutWrappers(t.Content, t.Role), t.Role == memory.RoleTool)
	if t.Role == memory.RoleTool {
		t.Content = secrets.RedactOutput(t.Content)
	}
	t.Details.Thinking = d.bounded(t.Details.Thinking, false)
	kept := t.Details.ToolCalls[:0]
	for _, c := range t.Details.ToolCalls {
		if c.Name == "" {
			continue
		}
		d.call(c.ID, c.Name)
		if d.own(c.Name) {
			continue
		}
		c.Result, c.Error = d.bounded(c.Result, true), d.bounded(c.Error, true)
		if d.MaxResult > 0 {
			c.Arguments = shorterArguments(c.Arguments, d.MaxResult)
		}
		kept = append(kept, WithoutSecrets(c))
	}
	t.Details.ToolCalls = kept
	if strings.TrimSpace(t.Content) == "" {
		t.Content = ""
	}
	return t
}

// WithoutSecrets returns a call without the secrets in its arguments and results: nobody has asked
// to remember them, and they would get into files and learnings.
func WithoutSecrets(c memory.ToolCall) memory.ToolCall {
	c.Result, c.Error = secrets.RedactOutput(c.Result), secrets.RedactOutput(c.Error)
	c.Arguments = redactedArguments(c.Arguments)
	return c
}

// redactedArguments removes secrets from the strings in arguments. If there are none, arguments is
// returned unchanged.
func redactedArguments(arguments json.RawMessage) json.RawMessage {
	var value any
	if json.Unmarshal(arguments, &value) != nil {
		return arguments
	}
	found := false
	value = mapTexts(value, func(text string) string {
		redacted := secrets.RedactOutput(text)
		found = found || redacted != text
		return redacted
	})
	if !found {
		return arguments
	}
	redacted, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	return redacted
}

// mapTexts replaces each string in a JSON value by change(string). It changes value in place.
func mapTexts(value any, change func(string) string) any {
	switch v := value.(type) {
	case string:
		return change(v)
	case []any:
		for i := range v {
			v[i] = mapTexts(v[i], change)
		}
	case map[string]any:
		for key := range v {
			v[key] = mapTexts(v[key], change)
		}
	}
	return value
}

// bounded returns a text without NUL bytes and, with MaxResult, shortened.
func (d *reading) bounded(text string, result bool) string {
	if strings.IndexByte(text, 0) >= 0 {
		text = strings.ReplaceAll(text, "\x00", "\uFFFD")
	}
	switch {
	case d.MaxResult <= 0:
		return text
	case result:
		return Shorter(text, d.MaxResult)
	}
	return Shorter(text, memory.MaxTurnBytes)
}

// KeptResult is how many bytes of each argument and result of a tool banks keep. Hooks and imports
// use the same value, so that both make the same message. Most of a transcript is tool output that
// nobody searches for.
const KeptResult = 1 << 10

// Shorter returns a text of at most limit bytes. A longer text loses its middle, because the end of
// an output says how it went. A note says how much is left out. With a limit below the length of
// the note, some 30 bytes, only the note is returned.
func Shorter(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	note := fmt.Sprintf("\n[… %d bytes left out …]\n", len(text)-limit)
	room := max(limit-len(note), 0)
	head, tail := text[:room*2/3], text[len(text)-room/3:]
	for len(head) > 0 && !utf8.RuneStart(text[len(head)]) {
		head = head[:len(head)-1]
	}
	for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	return head + note + tail
}

// shorterArguments shortens each string in arguments to limit bytes, and all together to about
// 2*limit. Arguments of at most limit bytes stay as they are. It returns nil for invalid JSON.
func shorterArguments(arguments json.RawMessage, limit int) json.RawMessage {
	if len(arguments) <= limit {
		return arguments
	}
	var value any
	if json.Unmarshal(arguments, &value) != nil {
		return nil
	}
	left := 2 * limit // bytes left for all strings
	short, err := json.Marshal(mapTexts(value, func(text string) string {
		text = Shorter(text, min(limit, max(left, 0)))
		left -= len(text)
		return text
	}))
	if err != nil {
		return nil
	}
	return short
}

// text returns a JSON value as text: a string itself, of a list of parts their texts, any other
// value as JSON.
func text(value json.RawMessage) string {
	if len(value) == 0 || string(value) == "null" {
		return ""
	}
	if s, ok := jsonl.Text(value); ok {
		return s
	}
	var parts []part
	if value[0] != '[' || jsonl.DecodeKnown(value, &parts) != nil {
		return string(value)
	}
	var texts []string
	for _, p := range parts {
		if p.Text != "" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// object returns the first value that is a JSON object, or a string that contains one.
func object(values ...json.RawMessage) json.RawMessage {
	for _, v := range values {
		if s, ok := jsonl.Text(v); ok {
			v = json.RawMessage(strings.TrimSpace(s))
		}
		if len(v) > 0 && v[0] == '{' && json.Valid(v) {
			return bytes.Clone(v) // the line's buffer is reused
		}
	}
	return nil
}
