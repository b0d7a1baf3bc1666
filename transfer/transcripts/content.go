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

// part is a piece of a message's content.
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

// content returns the texts of a content and the results of tools in it, and
// notes thinking and calls in the turn.
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
		default: // text; of images and files only what is said about them
			if p.Text != "" {
				texts = append(texts, p.Text)
			}
		}
	}
	return texts, results, nil
}

// result is the turn of a tool's result that came with the message t, and
// whether the tool is our own.
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

// cleaned is a turn without what hosts and this program have put into it, with
// its calls noted and its texts as a bank takes them.
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

// WithoutSecrets is a call without the secrets in what it was given and brought: nobody
// said them to be remembered, and they would stand in files and learnings.
func WithoutSecrets(c memory.ToolCall) memory.ToolCall {
	c.Result, c.Error = secrets.RedactOutput(c.Result), secrets.RedactOutput(c.Error)
	c.Arguments = redactedArguments(c.Arguments)
	return c
}

// redactedArguments leaves secrets out of the texts of arguments. Most have none, and stay
// as they are.
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

// mapTexts changes each text in a JSON value.
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

// bounded is a text that a bank takes.
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

// KeptResult is how much banks keep of what a tool was given and brought, in bytes of
// a text, whether a hook reads a transcript or an import does: both bring the same
// message. Most of a transcript is that, and hardly anything of it is looked for again.
const KeptResult = 1 << 10

// Shorter is a text of at most so many bytes: what is longer loses its middle,
// since the end of an output says how it went.
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

// shorterArguments are arguments whose texts have at most so many bytes.
func shorterArguments(arguments json.RawMessage, limit int) json.RawMessage {
	if len(arguments) <= limit {
		return arguments
	}
	var value any
	if json.Unmarshal(arguments, &value) != nil {
		return nil
	}
	left := 2 * limit // of all texts
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

// text is a value as text: a string itself, of a list of parts the texts, and
// anything else as the JSON that it is.
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

// object returns the first value that is a JSON object, as itself or as text.
func object(values ...json.RawMessage) json.RawMessage {
	for _, v := range values {
		if s, ok := jsonl.Text(v); ok {
			v = json.RawMessage(strings.TrimSpace(s))
		}
		if len(v) > 0 && v[0] == '{' && json.Valid(v) {
			return bytes.Clone(v) // a line holds only until the next is read
		}
	}
	return nil
}
