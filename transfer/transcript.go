package transfer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"mcp-memory/memory"
)

// TranscriptReport says what a transcript held.
type TranscriptReport struct {
	Messages int `json:"messages"`
	Other    int `json:"other"`   // lines that are no messages: a host's own notes
	Skipped  int `json:"skipped"` // lines that could not be read
}

// ReadTranscript reads the messages of a conversation that a host wrote down,
// JSONL, plain or compressed by gzip, and gives each to fn. Two forms are told
// apart line by line: Claude Code's, where the message lies below "message",
// and plain {role, content, …} as chat APIs take it, whose content may be text
// or a list of parts. Session is empty where the transcript does not name it;
// the turns have no ids, agent or index, and where the transcript has no name
// for a message its place and content make one. What belongs to the work of a
// sub-agent is left out.
//
// A line that cannot be read, or whose messages check refuses, ends the reading
// with its number, unless skipBad is set. The last line is forgiven, because a
// host may be writing it just now. An error of fn comes back with the line's number.
func ReadTranscript(r io.Reader, skipBad bool, check, fn func(memory.Turn) error) (TranscriptReport, error) {
	var report TranscriptReport
	lines, err := newLineReader(r)
	if err != nil {
		return report, err
	}
	for {
		line, err := lines.next()
		if err == io.EOF {
			return report, nil
		}
		if err != nil && err != errLongLine && err != errEncoding {
			return report, err
		}
		var turns []memory.Turn
		if err == nil {
			turns, err = transcriptLine(line)
		}
		for _, t := range turns {
			err = cmp.Or(err, check(t))
		}
		if err != nil {
			if number := lines.number; !skipBad && lines.peek() != nil {
				return report, badLine(number, err)
			}
			report.Skipped++
			continue
		}
		if len(turns) == 0 {
			report.Other++
		}
		for _, t := range turns {
			if t.ExternalID == "" {
				// A broken line has its place too: it may be mended later.
				t.ExternalID = externalID(t, uint32(report.Messages+report.Skipped))
			}
			if err := fn(t); err != nil {
				return report, badLine(lines.number, err)
			}
			report.Messages++
		}
	}
}

// hostLine is a line of either form.
type hostLine struct {
	// Claude Code's.
	Type        string          `json:"type"`
	Message     json.RawMessage `json:"message"`
	UUID        name            `json:"uuid"`
	SessionID   name            `json:"sessionId"`
	IsSidechain bool            `json:"isSidechain"`
	IsMeta      bool            `json:"isMeta"`

	plainMessage
}

// plainMessage is a message as chat APIs have it.
type plainMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	Name       string          `json:"name"`
	ID         name            `json:"id"`
	ExternalID name            `json:"external_id"`
	Session    name            `json:"session_id"`
	TS         moment          `json:"ts"`
	Timestamp  moment          `json:"timestamp"`
	Thinking   string          `json:"thinking"`
	ToolCallID string          `json:"tool_call_id"`
	ToolCalls  []plainCall     `json:"tool_calls"`
}

// plainCall has the tool at the top, or below "function" as OpenAI has it.
type plainCall struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Result    json.RawMessage `json:"result"`
	Error     json.RawMessage `json:"error"`
	Function  struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

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

func transcriptLine(line []byte) ([]memory.Turn, error) {
	var l hostLine
	if err := decode(line, &l); err != nil {
		return nil, err
	}
	switch {
	case l.Message != nil && string(l.Message) != "null":
		return l.hosted()
	case l.Role == "" || l.Type != "" && l.Type != "message":
		return nil, nil // a summary, a snapshot, a setting
	}
	return l.plainMessage.turns()
}

// hosted are the turns of a line of Claude Code.
func (l hostLine) hosted() ([]memory.Turn, error) {
	if l.Type != "user" && l.Type != "assistant" || l.IsSidechain || l.IsMeta {
		return nil, nil
	}
	var m plainMessage
	if err := decode(l.Message, &m); err != nil {
		return nil, err
	}
	m.ExternalID, m.Session, m.TS = l.UUID, l.SessionID, l.Timestamp
	return m.turns()
}

// turns are the message itself, and before it the results of tools that it
// brings along: each a turn of its own.
func (m plainMessage) turns() ([]memory.Turn, error) {
	t := memory.Turn{
		Session: string(m.Session), Role: memory.Role(strings.ToLower(m.Role)), Speaker: m.Name,
		ExternalID: string(cmp.Or(m.ExternalID, m.ID)), SaidAt: m.TS.Time,
		Details: &memory.TurnDetails{Thinking: m.Thinking, ToolCallID: m.ToolCallID},
	}
	if t.SaidAt.IsZero() {
		t.SaidAt = m.Timestamp.Time
	}
	if other, ok := otherRoles[t.Role]; ok {
		t.Role = other
	}
	if !slices.Contains(memory.Roles(), t.Role) {
		return nil, fmt.Errorf("role %q does not exist: system, user, assistant and tool do", m.Role)
	}
	for _, c := range m.ToolCalls {
		t.Details.ToolCalls = append(t.Details.ToolCalls, c.call())
	}
	texts, results, err := readContent(&t, m.Content)
	if err != nil {
		return nil, err
	}
	if t.Content = strings.Join(texts, "\n"); strings.TrimSpace(t.Content) != "" || len(t.Details.ToolCalls) > 0 {
		results = append(results, t)
	}
	return results, nil
}

// otherRoles are names that some hosts have for the roles.
var otherRoles = map[memory.Role]memory.Role{
	"human": memory.RoleUser, "model": memory.RoleAssistant, "developer": memory.RoleSystem, "function": memory.RoleTool,
}

func (c plainCall) call() memory.ToolCall {
	return memory.ToolCall{
		ID: c.ID, Name: cmp.Or(c.Name, c.Function.Name), Arguments: object(c.Arguments, c.Function.Arguments),
		Result: text(c.Result), Error: text(c.Error),
	}
}

// readContent returns the texts of a content and the results of tools in it,
// and notes thinking and calls in the turn.
func readContent(t *memory.Turn, content json.RawMessage) (texts []string, results []memory.Turn, err error) {
	if len(content) == 0 || content[0] != '[' {
		if t := text(content); t != "" {
			texts = append(texts, t)
		}
		return texts, nil, nil
	}
	var parts []part
	if err := decode(content, &parts); err != nil {
		return nil, nil, err
	}
	for n, p := range parts {
		switch p.Type {
		case "thinking":
			t.Details.Thinking = strings.TrimSpace(t.Details.Thinking + "\n" + p.Thinking)
		case "tool_use":
			t.Details.ToolCalls = append(t.Details.ToolCalls, memory.ToolCall{ID: p.ID, Name: p.Name, Arguments: object(p.Input)})
		case "tool_result":
			results = append(results, p.result(*t, n))
		default: // text; of images and files only what is said about them
			if p.Text != "" {
				texts = append(texts, p.Text)
			}
		}
	}
	return texts, results, nil
}

// result is the turn of a tool's result that came inside of the message t.
func (p part) result(t memory.Turn, n int) memory.Turn {
	r := memory.Turn{
		Session: t.Session, Role: memory.RoleTool, SaidAt: t.SaidAt, Content: text(p.Content),
		Details: &memory.TurnDetails{ToolCallID: p.ToolUseID},
	}
	if t.ExternalID != "" {
		r.ExternalID = fmt.Sprintf("%s/%d", t.ExternalID, n)
	}
	if strings.TrimSpace(r.Content) == "" {
		r.Content = "(no output)"
	}
	if p.IsError {
		r.Content = "Error: " + r.Content
	}
	return r
}

// text is a value as text: a string itself, of a list of parts the texts, and
// anything else as the JSON that it is.
func text(value json.RawMessage) string {
	if len(value) == 0 || string(value) == "null" {
		return ""
	}
	var s string
	if json.Unmarshal(value, &s) == nil {
		return s
	}
	var parts []part
	if json.Unmarshal(value, &parts) != nil {
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
		var s string
		if json.Unmarshal(v, &s) == nil {
			v = json.RawMessage(strings.TrimSpace(s))
		}
		if len(v) > 0 && v[0] == '{' && json.Valid(v) {
			return v
		}
	}
	return nil
}

// badLine says in which line an error is.
func badLine(number int, err error) error {
	known := memory.Errorf(memory.CodeInvalidArgument, "%v", err)
	errors.As(err, &known)
	named := *known
	named.Message = fmt.Sprintf("line %d: %s", number, known.Message)
	return &named
}
